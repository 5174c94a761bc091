/* What the generated functions stand on: ends of play, batches, piles, multisets. One meaning with the interpreter. */
#define MOST_WRITES 4096
#define MOST_EVENTS 1024
#define NO_EVENT -1

static V g[SLOTS];
static struct frame frames[DEPTH + 1];
static int depth, resumed, end_kind, end_who, end_detail;
static struct running *running;
static int batching, inner;
static struct write writes[MOST_WRITES];
static int write_count;
static struct event events[MOST_EVENTS];
static int event_count, batch_events;
static V found[MOST_OPTIONS][OPTION];
static int option_count;
static V OPTION_CHOSEN[OPTION];
static jmp_buf ended;

static void run_step(int fn, const V *a);

__attribute__((noreturn)) static void halt(int kind, int who, int detail) {
  end_kind = kind; end_who = who; end_detail = detail;
  longjmp(ended, 1);
}

static inline V within(V x, V lo, V hi) { if (x < lo || x > hi) halt(BOUND, -1, 0); return x; }
static inline V fitting(int slot, V x) { return within(x, LOWEST[slot], HIGHEST[slot]); }
#define half(x) ((unsigned long long)(x))
static inline V lowest(V m) {
  if (sizeof(V) == 8 || half(m)) return __builtin_ctzll(half(m));
  return 64 + __builtin_ctzll(half(m >> (sizeof(V) == 8 ? 0 : 64)));
}
static inline V size(V m) {
  return __builtin_popcountll(half(m)) + (sizeof(V) == 8 ? 0 : __builtin_popcountll(half(m >> (sizeof(V) == 8 ? 0 : 64))));
}
static inline V only(V m) { return m && !(m & (m - 1)) ? lowest(m) : -1; }
static inline V below(V n) { return n > 0 ? ((V)1 << n) - 1 : 0; }
static inline V member_of(V a, V m) { return a >= 0 && a < (V)(8 * sizeof(V)) ? m >> a & 1 : 0; }
static inline V shift_of(V m, V n) { return n >= 0 ? m << n : m >> -n; }
static inline V min_of(V a, V b) { return b < a ? b : a; }
static inline V max_of(V a, V b) { return b > a ? b : a; }
static inline V floor_div(V a, V b) { V q = a / b; return q * b != a && (a < 0) != (b < 0) ? q - 1 : q; }
static inline V floor_mod(V a, V b) { V r = a % b; return r && (r < 0) != (b < 0) ? r + b : r; }

/* ---- cards */
static V zone_cards(V zone) {
  V out = 0;
  for (int c = 0; c < CARDS; c++) if (g[LOCATION + c] == zone) out |= (V)1 << c;
  return out;
}

static V pile_top(V zone) {
  V out = 0, best = -1;
  for (int c = 0; c < CARDS; c++) if (g[LOCATION + c] == zone) {
    V r = g[RANK + c];
    if (r > best) { out = (V)1 << c; best = r; } else if (r == best) out |= (V)1 << c;
  }
  return out;
}

static void lay(int card, int zone, int top) {
  int old = (int)g[LOCATION + card];
  if (old == zone && !ORDERED[zone]) return;
  if (old >= 0 && ORDERED[old]) {
    V r = g[RANK + card];
    int alone = 1;
    for (int c = 0; c < CARDS; c++) if (c != card && g[LOCATION + c] == old && g[RANK + c] == r) alone = 0;
    if (alone) for (int c = 0; c < CARDS; c++) if (c != card && g[LOCATION + c] == old && g[RANK + c] > r) g[RANK + c]--;
  }
  g[LOCATION + card] = -1;
  g[RANK + card] = 0;
  if (ORDERED[zone]) {
    V highest = -1;
    for (int c = 0; c < CARDS; c++) if (g[LOCATION + c] == zone) {
      if (g[RANK + c] > highest) highest = g[RANK + c];
      if (!top) g[RANK + c]++;
    }
    if (top) g[RANK + card] = highest + 1;
  }
  g[LOCATION + card] = zone;
}

static void mix(int zone) {
  if (GIVEN[zone] >= 0 && g[GIVEN[zone]]) { g[GIVEN[zone]] = 0; return; }
  for (int c = 0; c < CARDS; c++) if (g[LOCATION + c] == zone) g[RANK + c] = 0;
}

/* ---- multisets and pools */
static int before(const struct box *m, int a, int b) {
  for (int c = 0; c < m->width; c++) {
    V x = g[m->columns[c] + a], y = g[m->columns[c] + b];
    if (x != y) return x < y;
  }
  return 0;
}

static void sort(const struct box *m) {
  for (int k = 1; k < (int)g[m->head]; k++)
    for (int i = k; i > 0 && before(m, i, i - 1); i--)
      for (int c = 0; c < m->width; c++) {
        V x = g[m->columns[c] + i];
        g[m->columns[c] + i] = g[m->columns[c] + i - 1];
        g[m->columns[c] + i - 1] = x;
      }
}

static void add_entry(const struct box *m, const V *e) {
  int n = (int)g[m->head];
  if (n == m->capacity) halt(BOUND, -1, 0);
  for (int c = 0; c < m->width; c++) g[m->columns[c] + n] = e[c];
  g[m->head] = n + 1;
  sort(m);
}

static void take_entry(const struct box *m, const V *e) {
  int n = (int)g[m->head];
  for (int k = 0; k < n; k++) {
    int same = 1;
    for (int c = 0; c < m->width; c++) if (g[m->columns[c] + k] != e[c]) same = 0;
    if (!same) continue;
    for (int c = 0; c < m->width; c++) {
      for (int i = k; i < n - 1; i++) g[m->columns[c] + i] = g[m->columns[c] + i + 1];
      g[m->columns[c] + n - 1] = m->blanks[c];
    }
    g[m->head] = n - 1;
    return;
  }
}

static void empty(const struct box *m) {
  for (int c = 0; c < m->width; c++) for (int k = 0; k < m->capacity; k++) g[m->columns[c] + k] = m->blanks[c];
  g[m->head] = 0;
}

static int in_use(int box, V k) { return k >= 0 && (g[BOXES[box].head] >> k & 1); }

static void release(const struct box *p, int k) {
  g[p->head] &= ~((V)1 << k);
  for (int c = 0; c < p->width; c++) g[p->columns[c] + k] = p->blanks[c];
}

static V new_place(int box, const V *e) {
  const struct box *p = &BOXES[box];
  int k = 0;
  while (k < p->capacity && (g[p->head] >> k & 1)) k++;
  if (k == p->capacity) halt(BOUND, -1, 0);
  g[p->head] |= (V)1 << k;
  for (int c = 0; c < p->width; c++) g[p->columns[c] + k] = e[c];
  return k;
}

static void forget_in(V *f, int fn, V card) {
  for (int i = 0; i < RULES[fn].objects; i++) if (f[RULES[fn].object_locals[i]] == card) f[RULES[fn].object_locals[i]] = -1;
}

static void sweep(V card) {
  int touched[CONTAINERS + 1] = {0};
  for (int i = 0; i < OBJECTS; i++) {
    int k = OBJECT_SLOTS[i];
    if (g[k] == card) { g[k] = -1; if (SLOT_COLUMN[k] >= 0) touched[SLOT_COLUMN[k]] = 1; }
  }
  for (int m = 0; m < CONTAINERS; m++) if (touched[m] && !BOXES[m].is_pool) sort(&BOXES[m]);
  for (int k = 0; k < depth; k++) forget_in(frames[k].f, frames[k].fn, card);
  for (struct running *r = running; r; r = r->up) forget_in(r->f, r->fn, card);
  for (int k = 0; k < event_count; k++)
    for (int i = 0; events[k].fn != NO_EVENT && i < RULES[events[k].fn].objects; i++) {
      int x = RULES[events[k].fn].object_locals[i];
      if (x < RULES[events[k].fn].arity && events[k].a[x] == card) events[k].a[x] = -1;
    }
}

/* ---- writes, at once or at the end of a batch */
static void happen(const struct write *w) {
  switch (w->kind) {
    case W_SET: g[w->at] = fitting(w->at, w->value); return;
    case W_ADD: g[w->at] = fitting(w->at, g[w->at] + w->value); return;
    case W_UNION: g[w->at] = fitting(w->at, g[w->at] | w->value); return;
    case W_WITHOUT: g[w->at] = fitting(w->at, g[w->at] & ~w->value); return;
    case W_PUT: lay(w->at, (int)w->value, w->top); return;
    case W_SHUFFLE: mix(w->at); return;
    case W_RENEW: sweep(w->value); return;
    case W_INSERT: add_entry(&BOXES[w->at], w->entry); return;
    case W_REMOVE: take_entry(&BOXES[w->at], w->entry); return;
    case W_CLEAR: empty(&BOXES[w->at]); return;
    case W_FREE: release(&BOXES[w->at], (int)w->value); return;
  }
}

static void do_write(struct write w) {
  if (!batching) { happen(&w); return; }
  if (write_count == MOST_WRITES) halt(FAULT, -1, 0);
  writes[write_count++] = w;
}

static void store(int kind, int at, V x, int clauses) {
  do_write((struct write){.kind = kind, .at = at, .value = x, .clauses = clauses});
}
static void put(V card, V zone, int top, int clauses) {
  do_write((struct write){.kind = W_PUT, .at = (int)card, .value = zone, .top = top, .clauses = clauses});
}
static void shuffle(V zone) { do_write((struct write){.kind = W_SHUFFLE, .at = (int)zone}); }
static void renew(V card) { do_write((struct write){.kind = W_RENEW, .value = card}); }
static void clear(int box) { do_write((struct write){.kind = W_CLEAR, .at = box}); }
static void give_back(int box, V k) { do_write((struct write){.kind = W_FREE, .at = box, .value = k}); }
static void with_entry(int kind, int box, const V *e) {
  struct write w = {.kind = kind, .at = box};
  memcpy(w.entry, e, sizeof(V) * BOXES[box].width);
  do_write(w);
}
static void insert(int box, const V *e) { with_entry(W_INSERT, box, e); }
static void take_out(int box, const V *e) { with_entry(W_REMOVE, box, e); }

static void batch_begin(void) {
  if (batching) { inner++; return; }
  batching = 1; write_count = 0; batch_events = event_count;
}

static void later(int fn, const V *a) {
  if (event_count == MOST_EVENTS) halt(FAULT, -1, 0);
  events[event_count].fn = fn;
  memcpy(events[event_count].a, a, sizeof(V) * RULES[fn].arity);
  event_count++;
}

static int clash(const struct write *a, const struct write *b) {
  if (a->kind > W_PUT || b->kind > W_PUT || (a->kind == W_PUT) != (b->kind == W_PUT) || a->at != b->at) return 0;
  if (a->kind != b->kind) return 1;
  return a->kind == W_SET ? a->value != b->value : a->kind == W_PUT && (a->value != b->value || a->top != b->top);
}

static void batch_end(int clauses) {
  if (inner) { inner--; return; }
  batching = 0;
  int n = write_count;
  for (int k = 0; k < n; k++)
    for (int i = 0; i < k; i++)
      if (writes[i].kind <= W_PUT && writes[i].at == writes[k].at && (writes[i].kind == W_PUT) == (writes[k].kind == W_PUT)) {
        if (clash(&writes[i], &writes[k])) {
          int both = BOTH[writes[i].clauses * CLAUSE_SETS + writes[k].clauses];
          halt(CONFLICT, -1, both ? both : BOTH[clauses]);
        }
        break; /* compared with the first write to the place */
      }
  for (int k = 0; k < n; k++) happen(&writes[k]);
  write_count = 0;
  int first = batch_events, last = event_count;
  for (int k = first; k < last; k++) {
    struct event e = events[k];
    events[k].fn = NO_EVENT; /* it has begun: nothing waits here any more */
    run_step(e.fn, e.a);
  }
  event_count = first;
}

/* ---- options */
static void options_open(void) { option_count = 0; }

static void offer(const V *o, int width) {
  for (int k = 0; k < option_count; k++) if (!memcmp(found[k], o, sizeof(V) * width)) return;
  if (option_count == MOST_OPTIONS) halt(BOUND, -1, 0);
  memcpy(found[option_count++], o, sizeof(V) * width);
}

static void choose_option(int k) { memcpy(OPTION_CHOSEN, found[k], sizeof OPTION_CHOSEN); }

static void combinations_of(const int *of, int n, int from, int left, V chosen) {
  if (!left) { if (option_count == MOST_OPTIONS) halt(BOUND, -1, 0); found[option_count++][0] = chosen; return; }
  for (int i = from; i <= n - left; i++) combinations_of(of, n, i + 1, left - 1, chosen | (V)1 << of[i]);
}

static void subsets(V all, V lo, V hi) {
  int of[8 * sizeof(V)], n = 0;
  for (V m = all; m; m &= m - 1) of[n++] = (int)lowest(m);
  int most = (int)(hi < n ? hi : n), least;
  if (most < 0) most = 0;
  least = (int)(lo < most ? lo : most);
  if (least < 0) least = 0;
  for (int k = least; k <= most; k++) combinations_of(of, n, 0, k, 0);
}

/* ---- frames */
static inline struct running enter(int fn, V *f, const V *a) {
  const struct rule *r = &RULES[fn];
  memcpy(f, r->fresh, sizeof(V) * r->locals);
  memcpy(f, a, sizeof(V) * r->arity);
  return (struct running){running, fn, f};
}

static int result_local(int fn, int pc);
static int handler(int fn, int pc, int signal);

static int stop(int pc) { frames[depth - 1].pc = pc; return STOPPED; }

static int enter_procedure(int fn, int pc, int tail, const V *a) {
  V args[ARITY];
  memcpy(args, a, sizeof(V) * RULES[fn].arity);
  frames[depth - 1].pc = pc;
  if (tail) depth--;
  else if (depth >= DEPTH) halt(BOUND, -1, 0);
  frames[depth].fn = fn;
  frames[depth].pc = 0;
  memcpy(frames[depth].f, RULES[fn].fresh, sizeof(V) * RULES[fn].locals);
  memcpy(frames[depth].f, args, sizeof(V) * RULES[fn].arity);
  depth++;
  return GO_ON;
}

static int leave(V result) {
  if (!--depth) halt(OVER, -1, 0);
  struct frame *caller = &frames[depth - 1];
  int x = result_local(caller->fn, caller->pc);
  if (x >= 0) caller->f[x] = result;
  caller->pc++;
  return GO_ON;
}

static int throw_signal(int signal, int pc) {
  frames[depth - 1].pc = pc;
  for (; depth; depth--) {
    int target = handler(frames[depth - 1].fn, frames[depth - 1].pc, signal);
    if (target >= 0) { frames[depth - 1].pc = target; return GO_ON; }
  }
  halt(FAULT, -1, 0);
}

/* ---- bytes */
static void pack(unsigned char **at, V x, int bytes) {
  for (int k = 0; k < bytes; k++) { *(*at)++ = (unsigned char)(x & 255); x >>= 8; }
}

static V unpack(const unsigned char **at, int bytes) {
  V x = 0;
  for (int k = 0; k < bytes; k++) x |= (V) * (*at)++ << 8 * k;
  return x;
}
