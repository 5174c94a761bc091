/* From label to label. A packed state: how play ended (kind, who + 1, text), the slots, the number of frames, frames. */
static int run(int option) {
  running = 0; batching = inner = write_count = event_count = 0;
  end_kind = 0; end_who = -1; end_detail = 0;
  if (setjmp(ended)) return end_kind;
  resumed = option >= 0;
  for (;;) {
    struct frame *top = &frames[depth - 1];
    if (run_frame(top->fn, top->f, top->pc) == STOPPED) return 0;
  }
}

static void save(unsigned char *to) {
  memset(to, 0, STATE_BYTES);
  to[0] = (unsigned char)end_kind; to[1] = (unsigned char)(end_who + 1); to[2] = (unsigned char)end_detail;
  to[3] = (unsigned char)(end_detail >> 8);
  unsigned char *at = to + 4;
  pack_slots(at);
  at += SLOT_BYTES;
  int count = end_kind ? 0 : depth;
  *at++ = (unsigned char)count; *at++ = (unsigned char)(count >> 8);
  for (int k = 0; k < count; k++) {
    unsigned char room[4 + 17 * LOCALS];
    room[0] = (unsigned char)frames[k].fn; room[1] = (unsigned char)(frames[k].fn >> 8);
    room[2] = (unsigned char)frames[k].pc; room[3] = (unsigned char)(frames[k].pc >> 8);
    long bytes = pack_frame(room + 4, frames[k].fn, frames[k].pc, k == count - 1, frames[k].f) - room;
    if (at + bytes > to + STATE_BYTES) model_error("a state needs more room for frames: export it with more");
    memcpy(at, room, bytes);
    at += bytes;
  }
}

static void load(const unsigned char *from) {
  const unsigned char *at = from + 4;
  end_kind = from[0]; end_who = from[1] - 1; end_detail = from[2] | from[3] << 8;
  unpack_slots(at);
  at += SLOT_BYTES;
  depth = at[0] | at[1] << 8;
  at += 2;
  for (int k = 0; k < depth; k++) {
    frames[k].fn = at[0] | at[1] << 8;
    frames[k].pc = at[2] | at[3] << 8;
    memcpy(frames[k].f, RULES[frames[k].fn].fresh, sizeof(V) * RULES[frames[k].fn].locals);
    at = unpack_frame(at + 4, frames[k].fn, frames[k].pc, k == depth - 1, frames[k].f);
  }
}

static unsigned char known[STATE_BYTES];
static int known_count = -1, known_ways;
static V known_options[MOST_OPTIONS][OPTION];
unsigned long bound_edges;

/* How many ways on the state has: at a label that asks nothing, one. */
int options(const unsigned char *state) {
  if (known_count >= 0 && !memcmp(known, state, STATE_BYTES)) return known_ways;
  memcpy(known, state, STATE_BYTES);
  known_count = option_count = 0;
  if (state[0]) return known_ways = 0;
  load(state);
  if (run(-1)) return known_ways = 0;
  known_count = option_count;
  memcpy(known_options, found, sizeof found[0] * option_count);
  return known_ways = option_count ? option_count : 1;
}

/* Go on by way k. Where that exceeds a bound the state stays as it is, and that is counted. */
void take(unsigned char *state, int k) {
  if (k >= options(state)) model_error("there is no such option");
  load(state);
  if (known_count) memcpy(OPTION_CHOSEN, known_options[k], sizeof OPTION_CHOSEN);
  if (run(k) == BOUND) bound_edges++;
  else save(state);
}

void begin(unsigned char *state) {
  for (int k = 0; k < SLOTS; k++) g[k] = FIRST_SLOTS[k];
  depth = 1;
  frames[0].fn = ENTRY; frames[0].pc = 0;
  memcpy(frames[0].f, RULES[ENTRY].fresh, sizeof(V) * RULES[ENTRY].locals);
  if (run(-1) == BOUND) model_error("play leaves a bound before the first label");
  save(state);
}
