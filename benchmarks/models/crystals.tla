------------------------------ MODULE crystals ------------------------------
(* The duels of crystals-*.yaml, written by hand: the same positions, the same ways on. What there is of each player is kept as of the one
   whose turn it is and of the other, so that every variable is a number. *)
EXTENDS Integers

CONSTANTS DISTANCE, DUST, LIFE_0, LIFE_1, AURA_0, AURA_1

VARIABLES turn, distance, dust, life, lifeOther, flare, flareOther, aura, auraOther, focus, focusOther,
          due   \* 0: to look who is next, 1: an action, 2: where damage goes, 3: nothing any more

vars == <<turn, distance, dust, life, lifeOther, flare, flareOther, aura, auraOther, focus, focusOther, due>>

Init == /\ turn = 0 /\ distance = DISTANCE /\ dust = DUST
        /\ life = LIFE_0 /\ lifeOther = LIFE_1 /\ flare = 0 /\ flareOther = 0
        /\ aura = AURA_0 /\ auraOther = AURA_1 /\ focus = 0 /\ focusOther = 0
        /\ due = 0

Choice == \/ flare > 0
          \/ /\ focus > 0
             /\ \/ aura > 0
                \/ distance > 2 /\ aura < 5
                \/ dust > 0 /\ aura < 5
                \/ distance <= 2 /\ dust > 0

Pass == /\ turn' = 1 - turn
        /\ focus' = (IF focusOther < 2 THEN focusOther + 1 ELSE focusOther) /\ focusOther' = focus
        /\ life' = lifeOther /\ lifeOther' = life
        /\ flare' = flareOther /\ flareOther' = flare
        /\ aura' = auraOther /\ auraOther' = aura
        /\ due' = 0
        /\ UNCHANGED <<distance, dust>>

LookWhoIsNext == /\ due = 0
                 /\ IF Choice
                    THEN due' = 1 /\ UNCHANGED <<turn, distance, dust, life, lifeOther, flare, flareOther, aura, auraOther, focus, focusOther>>
                    ELSE Pass

BasicAction == /\ due = 1 /\ focus > 0
               /\ focus' = focus - 1 /\ due' = 0
               /\ UNCHANGED <<turn, life, lifeOther, flareOther, auraOther, focusOther>>
               /\ \/ distance > 2 /\ aura < 5 /\ distance' = distance - 1 /\ aura' = aura + 1 /\ UNCHANGED <<dust, flare>>
                  \/ aura > 0 /\ distance < 10 /\ aura' = aura - 1 /\ distance' = distance + 1 /\ UNCHANGED <<dust, flare>>
                  \/ dust > 0 /\ aura < 5 /\ dust' = dust - 1 /\ aura' = aura + 1 /\ UNCHANGED <<distance, flare>>
                  \/ aura > 0 /\ aura' = aura - 1 /\ flare' = flare + 1 /\ UNCHANGED <<distance, dust>>
                  \/ distance <= 2 /\ dust > 0 /\ dust' = dust - 1 /\ distance' = distance + 1 /\ UNCHANGED <<aura, flare>>

ToLife == /\ lifeOther' = lifeOther - 1 /\ flareOther' = flareOther + 1
          /\ due' = (IF lifeOther = 1 THEN 3 ELSE 0)

Strike == /\ due = 1 /\ flare > 0
          /\ flare' = flare - 1 /\ dust' = dust + 1
          /\ UNCHANGED <<turn, distance, life, aura, auraOther, focus, focusOther>>
          /\ IF auraOther > 0 THEN due' = 2 /\ UNCHANGED <<lifeOther, flareOther>> ELSE ToLife

DamageToAura == /\ due = 2
                /\ auraOther' = auraOther - 1 /\ dust' = dust + 1 /\ due' = 0
                /\ UNCHANGED <<turn, distance, life, lifeOther, flare, flareOther, aura, focus, focusOther>>

DamageToLife == /\ due = 2 /\ ToLife
                /\ UNCHANGED <<turn, distance, dust, life, flare, aura, auraOther, focus, focusOther>>

Next == LookWhoIsNext \/ (due = 1 /\ Pass) \/ BasicAction \/ Strike \/ DamageToAura \/ DamageToLife

Spec == Init /\ [][Next]_vars
=============================================================================
