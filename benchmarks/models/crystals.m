-- The duels of benchmarks/models/crystals-*.yaml, written by hand: the same positions, the same ways on.
-- CRYSTALS, DISTANCE, DUST, LIFE_*, AURA_* stand for the numbers of a model.
const
  crystals: CRYSTALS;

type
  count: 0..crystals;
  side: 0..1;
  -- what is due: to look who is next, an action, where damage goes, nothing any more
  due: enum { next, action, harm, ended };
  what: enum { advance, retreat, don, focus, break_away };

var
  turn: side;
  distance: 0..10;
  dust: count;
  life, flare: array [side] of count;
  aura: array [side] of 0..5;
  concentration: array [side] of 0..2;
  at: due;

function can(w: what): boolean;
begin
  if concentration[turn] = 0 then return false; end;
  switch w
  case advance: return distance > 2 & aura[turn] < 5;
  case retreat: return aura[turn] > 0 & distance < 10;
  case don: return dust > 0 & aura[turn] < 5;
  case focus: return aura[turn] > 0;
  case break_away: return distance <= 2 & dust > 0;
  end;
  return false;
end;

function choice(): boolean;
begin
  return flare[turn] > 0 | (exists w: what do can(w) end);
end;

procedure pass();
begin
  turn := 1 - turn;
  if concentration[turn] < 2 then concentration[turn] := concentration[turn] + 1; end;
  at := next;
end;

procedure to_life(who: side);
begin
  life[who] := life[who] - 1;
  flare[who] := flare[who] + 1;
  if life[who] = 0 then at := ended; else at := next; end;
end;

startstate begin
  turn := 0;
  distance := DISTANCE; dust := DUST;
  life[0] := LIFE_0; life[1] := LIFE_1;
  aura[0] := AURA_0; aura[1] := AURA_1;
  for p: side do flare[p] := 0; concentration[p] := 0; end;
  at := next;
end;

rule "look who is next" at = next ==>
begin
  if choice() then at := action; else pass(); end;
end;

rule "pass" at = action ==>
begin
  pass();
end;

ruleset w: what do
  rule "basic action" at = action & can(w) ==>
  begin
    concentration[turn] := concentration[turn] - 1;
    switch w
    case advance: distance := distance - 1; aura[turn] := aura[turn] + 1;
    case retreat: aura[turn] := aura[turn] - 1; distance := distance + 1;
    case don: dust := dust - 1; aura[turn] := aura[turn] + 1;
    case focus: aura[turn] := aura[turn] - 1; flare[turn] := flare[turn] + 1;
    case break_away: dust := dust - 1; distance := distance + 1;
    end;
    at := next;
  end;
end;

rule "strike" at = action & flare[turn] > 0 ==>
begin
  flare[turn] := flare[turn] - 1; dust := dust + 1;
  if aura[1 - turn] > 0 then at := harm; else to_life(1 - turn); end;
end;

rule "damage to aura" at = harm ==>
begin
  aura[1 - turn] := aura[1 - turn] - 1; dust := dust + 1;
  at := next;
end;

rule "damage to life" at = harm ==>
begin
  to_life(1 - turn);
end;
