"""9.4: the bride judge step."""
from ...lang import *
from .moving import *
from .specific_actions import *
from .state import *
from .timing import *


class JudgeStepBegan(Event):  #: 9.4.1
    """A bride judge step has begun."""


class Succeeded(Event):  #: 9.4.2
    """A character's approach has succeeded."""

    card: Option[Obj]
    hero: Option[Obj]


class Failed(Event):  #: 9.4.2
    """A character's approach has failed."""

    card: Option[Obj]
    hero: Option[Obj]


@define
def approaching(g: Game) -> Set[Card]:
    """The characters that approach a hero: the turn player's, and those that have gone to the other's lanes since."""
    return {c for p in PLAYERS for c in characters(g, p) if approached_by(g, c)}  #: 9.2.2.3 #: 4.1.4


# ---------------------------------------------------------------- 9.4  judge step
@procedure(scope=Scope.STEP)
async def judge_step(g: Game) -> None:
    """Which approaches succeed, and which characters become brides."""
    emit(JudgeStepBegan())  #: 9.4.1
    await check_timing(g)  #: 9.4.1
    judge_approaches(g)  #: 9.4.2
    if reading("approach-partner-gone") == "last-information":
        judge_by_last_information(g)  #: 9.4.2
    for p in (g.turn_player, other(g.turn_player)):
        for n in LANES:
            await choose_partner(g, character_in(g, p, n))
    if reading("judge-order") == "together":
        await brides_together(g)  #: 9.4.3
    else:
        await brides_one_by_one(g)  #: 9.4.3
    await check_timing(g)  #: 9.4.4
    await reach(g, Moment.JUDGE_STEP_ENDS)


@define
def counts_at_judging(g: Game, character: Card, hero: Card) -> bool:
    """Is the approach judged at all? Readings let it lapse once the character is too far away, or the hero lies face down."""
    if g.card[hero].face == Face.DOWN and reading("face-down-hero-judged") == "lapses":
        return False  #: 4.2.4.2
    return is_near(hero, character) or reading("approach-after-lane-change") != "lapses"  #: 9.4.2


@define
def is_near(hero: Card, character: Card) -> bool:
    """Does the hero lie in front of or diagonal to the character's lane?"""
    return in_front(hero, character) or diagonal(hero, character)


@define
def succeeds(g: Game, character: Card, hero: Card) -> bool:
    """Has the character the power that the hero needs?"""
    if power(g, character) < required_power(g, hero):
        return False  #: 9.4.2
    return is_near(hero, character) or reading("approach-after-lane-change") != "fails"  #: 9.4.2


@define
def succeeded_with(g: Game, character: Card) -> Set[Card]:
    """The heroes with whom the character succeeds."""
    return {h for h in approached_by(g, character) if counts_at_judging(g, character, h) and succeeds(g, character, h)}


@step
def judge_approaches(g: Game) -> None:
    """All approaches are judged at the same time."""
    with simultaneously():
        for c in approaching(g):
            g.card[c].partner = the(succeeded_with(g, c))  #: 9.4.2.1
            for h in approached_by(g, c):
                if h in succeeded_with(g, c):
                    emit(Succeeded(c, h))  #: 9.4.2
                elif counts_at_judging(g, c, h):
                    emit(Failed(c, h))  #: 9.4.2


@step
def judge_by_last_information(g: Game) -> None:
    """By one reading the approach of a character that has left is judged, too, or to a hero who has."""
    with simultaneously():
        for x in g.further:
            if x.number >= 0 and x.hero is not None and x.number >= required_power(g, x.hero):
                turn_face(g, x.hero, Face.DOWN)  #: 9.4.3.1 #: 10.11.1
            if x.number >= 0 and x.character is not None:
                if power(g, x.character) >= x.number:
                    emit(Succeeded(x.character, None))  #: 9.4.2 #: 10.11.1
                else:
                    emit(Failed(x.character, None))  #: 9.4.2 #: 10.11.1


@procedure
async def choose_partner(g: Game, character: Option[Obj]) -> None:
    """If a character has succeeded with two heroes, one of them is chosen as partner."""
    if character is None or len(succeeded_with(g, character)) < 2:
        return
    chosen = await choose(partner_chooser(g, character) or OPEN("9.4.2.2"), succeeded_with(g, character))  #: 9.1.1
    g.card[character].partner = chosen  #: 9.4.2.2


@define
def partner_chooser(g: Game, character: Card) -> Option[Player]:
    """Who says which of two heroes is the partner of a character? Its master may be the other player by now."""
    match reading("success-partner-chooser"):
        case "open":
            return None
        case "character-master":
            return stands_in(g, character)
        case _:  # turn-player
            return g.turn_player


@define
def suitors(g: Game, hero: Card) -> Set[Card]:
    """The characters whose success partner the hero is."""
    return {c for p in PLAYERS for c in characters(g, p) if g.card[c].partner == hero}  #: 9.4.3.2


@define
def won_heroes(g: Game) -> Set[Card]:
    """The heroes that are somebody's success partner."""
    return {h for h in heroes(g) if suitors(g, h)}  #: 9.4.3


@define
def leads_to_a_bride(turned: bool) -> bool:
    """Is the move to the bride area made, even if the hero has not been turned: lies face down already, or something else has happened?"""
    return turned or reading("hero-not-flipped") == "goes-on"  #: 1.3.2.1


@procedure
async def brides_one_by_one(g: Game) -> None:
    """One hero after another, of those that were success partners."""
    left = won_heroes(g)  #: 9.4.3
    while still_won(g, left):
        hero = await next_hero(g, still_won(g, left))  #: 9.4.3
        left -= {hero}
        turned = await is_to_be_turned(g, hero)  #: 9.4.3.1
        if turned:
            turn_face(g, hero, Face.DOWN)  #: 5.2.1
        if leads_to_a_bride(turned):
            await choose_bride(g, hero)  #: 9.4.3.2
            await stay_instead(g, the(suitors(g, hero)))  #: 10.10.1
            to_bride_area(g, suitors(g, hero))  #: 9.4.3.2
        else:
            dismiss(g, suitors(g, hero))


@define
def still_won(g: Game, won: Set[Card]) -> Set[Card]:
    """Which heroes that were success partners are still dealt with as such? The suitors may have gone while another hero was dealt with."""
    if reading("suitor-gone-meanwhile") == "not-turned":
        return won & won_heroes(g)  #: 9.4.3
    return won & heroes(g)


@procedure
async def is_to_be_turned(g: Game, hero: Card) -> bool:
    """Is the hero turned face down, and nothing else happens? The turn player acts (9.1.1), or, by one reading, who handles hero cards."""
    kept = await is_kept_as_it_lies(g, hero, Face.DOWN, handler_of_heroes(g.turn_player))
    return not kept


@procedure
async def next_hero(g: Game, left: Set[Card]) -> Card:
    """Which hero is dealt with next? The clause does not say; each reading names somebody, or nobody."""
    if reading("judge-order") == "open":
        return await choose(OPEN("9.4.3"), left)  #: 9.4.3
    if reading("judge-order") == "lane-order":
        return await choose(g.turn_player, lowest_lane(left))  #: 4.4.3.1
    who = FIRST if reading("judge-order") == "first-player" else g.turn_player
    return await choose(who, left)  #: 9.1.1 #: 6.2.1.6.1


@define
def lowest_lane(cards: Set[Card]) -> Set[Card]:
    """The cards whose lane number is the lowest."""
    return {c for c in cards if all(zone_number(zone_of(c)) <= zone_number(zone_of(d)) for d in cards)}


@procedure
async def brides_together(g: Game) -> None:
    """By one reading: all heroes are turned at once, and when all brides are chosen, these go at once."""
    won = won_heroes(g)  #: 9.4.3
    turned: Set[Card] = set()
    for n in LANES:
        hero = the(g.hero_lane[n])
        if hero is not None and hero in won:
            goes = await is_to_be_turned(g, hero)
            turned |= {hero} if goes else set()
    with simultaneously():
        for h in turned & heroes(g):
            turn_face(g, h, Face.DOWN)  #: 9.4.3.1
    for n in LANES:
        await choose_bride_at(g, the(g.hero_lane[n]), turned)  #: 9.4.3.2
    for p in (g.turn_player, other(g.turn_player)):
        for n in LANES:
            await stay_instead(g, character_in(g, p, n))  #: 10.10.1
    to_bride_area(g, {c for p in PLAYERS for c in characters(g, p) if g.card[c].partner is not None})  #: 9.4.3.2


@procedure
async def choose_bride_at(g: Game, hero: Option[Obj], turned: Set[Card]) -> None:
    """The bride of the hero in a lane, if there is one."""
    if hero is not None and leads_to_a_bride(hero in turned):
        await choose_bride(g, hero)
    elif hero is not None:
        dismiss(g, suitors(g, hero))


@procedure
async def choose_bride(g: Game, hero: Card) -> None:
    """Of several characters that have succeeded with the hero, one is chosen; the others have succeeded in vain. Of none, nobody is
    (1.3.2): what happened in place of the hero's turning may have taken them away."""
    if suitors(g, hero):
        bride = await choose(
            bride_chooser(g, suitors(g, hero)) or OPEN("9.4.3.2"), suitors(g, hero)
        )  #: 9.4.3.2 #: 9.1.1
        dismiss(g, suitors(g, hero) - {bride})


@define
def bride_chooser(g: Game, among: Set[Card]) -> Option[Player]:
    """Who chooses the bride of these? By one reading their master, if they have the same: one of them may have gone to the
    other player's lanes."""
    match reading("bride-chooser"):
        case "open":
            return None
        case "character-master":
            return the({p for p in PLAYERS if any(master(g, c) == p for c in among)})
        case "first-player":
            return FIRST
        case _:  # turn-player
            return g.turn_player


@step
def dismiss(g: Game, cards: Set[Card]) -> None:
    """The characters are no longer in question."""
    for c in cards:
        g.card[c].partner = None


@procedure
async def stay_instead(g: Game, bride: Option[Obj]) -> None:
    """A chosen character that is held where it is, or to which something else happens, does not go to the bride area."""
    if bride is None or g.card[bride].partner is None:
        return
    if is_held(g, bride):
        dismiss(g, {bride})
    elif await is_replaced(g, bride, bride_area(g, bride), g.turn_player):
        dismiss(g, {bride})  #: 10.10.1.1


@step
def to_bride_area(g: Game, brides: Set[Card]) -> None:
    """The chosen characters go to the bride area, the cards below them to the waiting room."""
    fallen = below(g, brides)
    with simultaneously():
        for c in brides:
            transfer(g, c, bride_area(g, c))  #: 9.4.3.2
        fall(g, fallen)
    tell_of_all(g, brides, fallen)


@define
def is_held(g: Game, bride: Card) -> bool:
    """Does an effect keep the character in its lane, where 9.4.3.2 moves it? 1.3.3 speaks of what effects tell players to do."""
    return is_done_to(g, bride, Effect.CANNOT_LEAVE) and reading("bride-held-in-lane") == "stays"  #: 1.3.1


@define
def bride_area(g: Game, bride: Card) -> Zone:
    """Whose bride area is meant? The character may have come from the other player, or gone there since."""
    whose = stands_in(g, bride)
    if whose == owner(bride) and whose == g.turn_player:
        return g.brides[whose]  #: 9.4.3.2
    match reading("bride-area-whose"):
        case "owner":
            return g.brides[owner(bride)]
        case "turn-player":
            return g.brides[g.turn_player]
        case _:  # character-master
            return g.brides[whose]  #: 9.4.3.2 #: 4.1.6
