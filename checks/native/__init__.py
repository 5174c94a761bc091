"""Rules as machine code: the same program that the interpreter runs, compiled with LLVM.

 text         LLVM code as text: modules, functions, blocks
 memory       where slots, frames and the machinery's own data lie while a transition runs
 numbers      operands with bounds, operators, stopping
 expressions  one arm per expression      ┐ beside engine/values.py, engine/effects.py and engine/interpreter.py,
 effects      one arm per instruction     │ arm by arm; the interpreter says what is right
 functions    defines and steps           │
 procedures   procedures and their frames │
 options      the options of a choice     ┘
 control      running procedures from label to label
 batches      what waits in a batch; closing: its end
 common       moving cards, shuffling, forgetting objects
 ends         why play stops, by number
 packing      a state as bits, a state's successors as records
 build        text → object code, kept in the user's cache → addresses
 engine       one state in, one state out: for the agreement tests
 layout       what lies where in the memory of a search
 core         breadth-first search over keys (numba), knows nothing of rules
 arena        arrays that grow where they are, in memory or in files
 search       the arrays of a search under way
 hashing      hashes of keys, and where they belong in a table
 tree         long keys as trees of shared nodes
 divided      one search divided among workers; routing: which a state belongs to, what is sent and taken in
 team         threads that do the same to different parts
 cluster      the machines of a Ray cluster, reached or refused
 fingerprints states told apart by hashes: what that may miss, how a state is found again
 checkpoint   a search on disk, to go on after a kill
 conditions   the invariants, to be asked of many states
 looking      what is asked of all states at once
 explorer     the same results as `checks.explore.explorer`, from the core

**One function of the rules is one function of LLVM.** Steps and defines take their arguments and give a result and
whether play goes on. A procedure begins by jumping to the place where its frame rests and says how it left; a loop
runs the top frame until a label. Each choice has a function that lists its options, used where play arrives at it and
where it leaves.

**Never wrong, sometimes absent.** Every number has bounds that are worked out while its code is written. It is an i64
where they fit, else one wide integer (as wide as the program's sets need, 128 bits at least). What the bounds do not show
is tested when it happens; then play stops with *beyond compiled code*, the search is given up, and the interpreter
takes over. So does it where a set has more than 255 members, and where there is no LLVM for the machine.

**Objects.** `renew` sets every reference to a card to none: in slots, in frames, in the locals of steps under way, in
events that wait. Locals of role OBJECT therefore live in memory that `renew` goes through: those of procedures in
their frames, those of steps on a small stack of the context.

**A batch** is a log of records (which write, place, how, clauses, values). At its end records for one place are
compared, then each happens through a function of its own, then the events.

**Tables are data.** Code knows how long a table is and roughly how large its entries are; the numbers come with the
context. So a changed number on a card is not compiled again (unless it decides which cards a constant set has).

**The cache** holds object code under the hash of everything it was made from (text, LLVM, machine). A file says which
key it is for and has a checksum; what does not agree is made anew.
"""
