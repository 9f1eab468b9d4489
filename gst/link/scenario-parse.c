/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "link/scenario-values.h"

#define MAX_LINE 1024
#define MAX_WORDS 64
#define MAX_CHANGES 1000000
#define MAX_TRACES 64
#define MAX_TIME 1e7                    /* s */

typedef struct {
  const char *name;                     /* of the text, for errors and its folder */
  unsigned line;
  uint64_t seed;
  RccScenario *scenario;
  size_t capacity;
  double scale, period;                 /* 0: not given */
  unsigned period_line;
  char *error;
  size_t error_size;
  char text[MAX_LINE];
  char *words[MAX_WORDS];
  unsigned n_words;
} Parser;

/* --- errors --------------------------------------------------------------- */

/* "FILE:LINE: expected WHAT." */
static bool
expected_simply (Parser *p, const char *what)
{
  snprintf (p->error, p->error_size, "%s:%u: expected %s.", p->name, p->line, what);
  return false;
}

/* "FILE:LINE: expected WHAT after 'KEY', found 'WORD'." */
static bool
expected (Parser *p, const char *what, const char *after, const char *found)
{
  char shown[40], sentence[RCC_SCENARIO_ERROR];
  size_t n = 0;

  for (; found && found[n] && n < sizeof shown - 1; n++)
    shown[n] = found[n] > ' ' && found[n] < 127 ? found[n] : '?';
  shown[n] = '\0';
  snprintf (sentence, sizeof sentence, "%s%s%s%s, found %s%s%s", what,
      after ? " after '" : "", after ? after : "", after ? "'" : "",
      found ? "'" : "", found ? shown : "the end of the line", found ? "'" : "");
  return expected_simply (p, sentence);
}

static bool
no_memory (Parser *p)
{
  snprintf (p->error, p->error_size, "%s:%u: no memory for this line.", p->name, p->line);
  return false;
}

/* --- keys: each takes its words and fills in the change ------------------- */

typedef struct {
  const char *name;
  RccScenarioKey key;
  bool (*parse) (const char *word, RccChange *c);
  const char *what;
} Key;

static bool
parse_rate (const char *word, RccChange *c)
{
  double x;

  if (!strcmp (word, "unlimited"))
    c->to.number = RCC_LINK_UNLIMITED;
  else if (rcc_value_number (word, rcc_value_rates, 1e12, &x))
    c->to.number = (uint64_t) (x + 0.5);
  else
    return false;
  return true;
}

static bool
parse_span (const char *word, RccChange *c)
{
  return rcc_value_span (word, &c->to.time);
}

static bool
parse_limit (const char *word, RccChange *c)
{
  return rcc_link_limit_parse (word, &c->to.limit);
}

static bool
parse_age (const char *word, RccChange *c)
{
  if (strcmp (word, "none"))
    return rcc_value_span (word, &c->to.time);
  c->to.time = RCC_NEVER;
  return true;
}

static bool
parse_aqm (const char *word, RccChange *c)
{
  c->to.number = strcmp (word, "codel") ? RCC_AQM_DROPTAIL : RCC_AQM_CODEL;
  return c->to.number == RCC_AQM_CODEL || !strcmp (word, "droptail");
}

/* "1ms-5ms" */
static bool
parse_ramp (const char *word, RccChange *c)
{
  const char *dash = strchr (word, '-');
  char from[16] = "";
  RccLinkLimit to;

  if (!dash || (size_t) (dash - word) >= sizeof from)
    return false;
  memcpy (from, word, (size_t) (dash - word));
  if (!rcc_link_limit_parse (from, &c->to.limit) || !rcc_link_limit_parse (dash + 1, &to)
      || to.unit != c->to.limit.unit || to.value <= c->to.limit.value)
    return false;
  c->ramp = to.value - c->to.limit.value;
  return true;
}

static bool
parse_ecn (const char *word, RccChange *c)
{
  c->ramp = 0;
  c->to.limit = (RccLinkLimit) { RCC_LIMIT_NONE, 0 };
  c->flag = !strcmp (word, "on");
  return c->flag || !strcmp (word, "off") || rcc_link_limit_parse (word, &c->to.limit)
      || parse_ramp (word, c);
}

static bool
parse_loss (const char *word, RccChange *c)
{
  return rcc_value_chance (word, &c->to.chance[0]);
}

static bool
parse_bucket (const char *word, RccChange *c)
{
  double x;

  if (!rcc_value_number (word, rcc_value_bytes, RCC_LINK_MAX_SIZE, &x) || x < 0)
    return false;
  c->to.number = (uint64_t) x;
  return true;
}

static bool
parse_overhead (const char *word, RccChange *c)
{
  double x;

  if (!rcc_value_number (word, rcc_value_plain, 65535, &x) || x != (double) (uint64_t) x)
    return false;
  c->to.number = (uint64_t) x;
  return true;
}

static const Key keys[] = {
  { "rate", RCC_KEY_RATE, parse_rate,
    "a rate in bit/s such as 1M, 500k, 250000, 0 or unlimited" },
  { "delay", RCC_KEY_DELAY, parse_span, "a time such as 50, 50ms or 0.1s" },
  { "jitter", RCC_KEY_JITTER, parse_span, "a time such as 30, 30ms or 0.03s" },
  { "queue", RCC_KEY_QUEUE, parse_limit,
    "a length such as 50 (packets), 75000B or 300ms" },
  { "max-age", RCC_KEY_MAX_AGE, parse_age, "a time such as 500ms, or none" },
  { "aqm", RCC_KEY_AQM, parse_aqm, "droptail or codel" },
  { "ecn", RCC_KEY_ECN, parse_ecn, "off, on, a threshold such as 50, 7500B or 5ms, or a ramp "
    "such as 1ms-5ms" },
  { "bucket", RCC_KEY_BUCKET, parse_bucket, "a length such as 3000B" },
  { "loss", RCC_KEY_LOSS, parse_loss, "a share such as 1% or 0.01" },
  { "overhead", RCC_KEY_OVERHEAD, parse_overhead, "a number of bytes up to 65535" },
};

static bool
parse_ge (Parser *p, unsigned *i, RccChange *c)
{
  static const char what[] =
      "two shares such as 1% 30% (good to bad, bad to good), or off";
  const char *first = p->words[*i], *second;

  c->key = RCC_KEY_GE;
  if (first && !strcmp (first, "off")) {
    c->to.chance[0] = c->to.chance[1] = 0;
    ++*i;
    return true;
  }
  if (!first || !rcc_value_chance (first, &c->to.chance[0]))
    return expected (p, what, "ge", first);
  second = p->words[*i + 1];
  if (!second || !rcc_value_chance (second, &c->to.chance[1]))
    return expected (p, what, "ge", second);
  *i += 2;
  return true;
}

static bool
parse_reorder (Parser *p, unsigned *i, RccChange *c)
{
  static const char what[] = "a share and a time such as 10% 20ms, or off";
  const char *first = p->words[*i], *second;

  c->key = RCC_KEY_REORDER;
  if (first && !strcmp (first, "off")) {
    c->to.reorder.share = 0;
    c->to.reorder.by = 0;
    ++*i;
    return true;
  }
  if (!first || !rcc_value_chance (first, &c->to.reorder.share))
    return expected (p, what, "reorder", first);
  second = p->words[*i + 1];
  if (!second || !rcc_value_span (second, &c->to.reorder.by))
    return expected (p, what, "reorder", second);
  *i += 2;
  return true;
}

/* --- traces --------------------------------------------------------------- */

/* A relative path counts from the folder of the scenario's file. */
static RccTrace *
load_trace (Parser *p, RccTraceKind kind, const char *path, char *error, size_t size)
{
  const char *slash = strrchr (p->name, '/');
  const int folder = slash && path[0] != '/' ? (int) (slash - p->name + 1) : 0;
  const size_t length = (size_t) folder + strlen (path) + 1;
  char *full = malloc (length);
  RccTrace *t = NULL;

  if (full) {
    snprintf (full, length, "%.*s%s", folder, p->name, path);
    t = rcc_trace_load (kind, full, error, size);
  }
  free (full);
  return t;
}

static bool
parse_trace (Parser *p, unsigned *i, RccChange *c)
{
  const char *word = p->words[*i];
  char reason[RCC_SCENARIO_ERROR] = "no memory for the trace.";
  RccScenario *s = p->scenario;
  RccTrace **traces, *t;

  if (s->n_traces == MAX_TRACES)
    return expected_simply (p, "at most 64 traces in a scenario");
  if (word && !strcmp (word, "outage"))
    t = rcc_trace_outages (p->seed);
  else if (word && !strncmp (word, "mahimahi:", 9) && word[9])
    t = load_trace (p, RCC_TRACE_MAHIMAHI, word + 9, reason, sizeof reason);
  else if (word && !strncmp (word, "slots:", 6) && word[6])
    t = load_trace (p, RCC_TRACE_SLOTS, word + 6, reason, sizeof reason);
  else
    return expected (p, "mahimahi:PATH, slots:PATH or outage", "trace", word);
  if (!t) {
    snprintf (p->error, p->error_size, "%s:%u: %s", p->name, p->line, reason);
    return false;
  }
  traces = realloc (s->traces, (s->n_traces + 1) * sizeof *traces);
  if (!traces) {
    rcc_trace_free (t);
    return no_memory (p);
  }
  s->traces = traces;
  s->traces[s->n_traces++] = t;
  c->key = RCC_KEY_TRACE;
  c->to.trace = t;
  ++*i;
  return true;
}

/* --- lines ---------------------------------------------------------------- */

static bool
add_change (Parser *p, const RccChange *c)
{
  RccScenario *s = p->scenario;

  if (s->n_changes == p->capacity) {
    const size_t grown = p->capacity ? p->capacity * 2 : 16;
    RccChange *changes = grown > MAX_CHANGES ? NULL
        : realloc (s->changes, grown * sizeof *changes);

    if (!changes)
      return no_memory (p);
    s->changes = changes;
    p->capacity = grown;
  }
  s->changes[s->n_changes] = *c;
  s->changes[s->n_changes].order = (uint32_t) s->n_changes;
  s->n_changes++;
  return true;
}

static bool
parse_setting (Parser *p, unsigned *i, RccChange *c)
{
  const char *word = p->words[(*i)++];

  if (!strcmp (word, "ge"))
    return parse_ge (p, i, c);
  if (!strcmp (word, "reorder"))
    return parse_reorder (p, i, c);
  if (!strcmp (word, "trace"))
    return parse_trace (p, i, c);
  for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
    const char *value = p->words[*i];

    if (strcmp (word, keys[k].name))
      continue;
    c->key = keys[k].key;
    if (!value || !keys[k].parse (value, c))
      return expected (p, keys[k].what, word, value);
    ++*i;
    return true;
  }
  return expected (p, "rate, trace, delay, jitter, reorder, queue, max-age, aqm, ecn, loss, ge, "
      "bucket or overhead", NULL, word);
}

static bool
parse_change_line (Parser *p)
{
  static const char *const directions[] = { "fwd", "rev", "both" };
  const char *direction = p->words[1];
  RccChange c = { 0 };
  unsigned i = 2;
  double when;

  if (!rcc_value_number (p->words[0], rcc_value_times, MAX_TIME, &when))
    return expected (p, "a time in seconds, scale or repeat at the start of the line",
        NULL, p->words[0]);
  for (unsigned d = 0; direction && d < 3; d++)
    if (!strcmp (direction, directions[d]))
      c.directions = d + 1;
  if (!c.directions)
    return expected (p, "fwd, rev or both", p->words[0], direction);
  if (p->n_words == 2)
    return expected (p, "a key and its value", direction, NULL);
  c.when = (RccTime) (when * 1e9 + 0.5);
  while (i < p->n_words)
    if (!parse_setting (p, &i, &c) || !add_change (p, &c))
      return false;
  return true;
}

static bool
parse_directive (Parser *p, double *value, double max)
{
  if (*value != 0)
    return expected (p, "only one such line", NULL, p->words[0]);
  if (p->n_words < 2 || !rcc_value_number (p->words[1], rcc_value_times, max, value)
      || *value <= 0)
    return expected (p, "a number above 0", p->words[0], p->words[1]);
  if (p->n_words > 2)
    return expected (p, "the end of the line", p->words[1], p->words[2]);
  return true;
}

static bool
parse_words (Parser *p)
{
  if (!p->n_words)
    return true;
  if (!strcmp (p->words[0], "scale"))
    return parse_directive (p, &p->scale, 1e6);
  if (!strcmp (p->words[0], "repeat")) {
    p->period_line = p->line;
    return parse_directive (p, &p->period, MAX_TIME);
  }
  return parse_change_line (p);
}

static bool
is_blank (char c)
{
  return c == ' ' || c == '\t' || c == '\r';
}

static bool
parse_line (Parser *p, const char *s, size_t length)
{
  const char *comment = memchr (s, '#', length);
  char *at = p->text, *end;

  if (comment)
    length = (size_t) (comment - s);
  if (length >= MAX_LINE)
    return expected_simply (p, "a line of at most 1023 characters");
  if (memchr (s, '\0', length))
    return expected_simply (p, "text without zero bytes in it");
  memcpy (p->text, s, length);
  end = p->text + length;
  *end = '\0';
  for (p->n_words = 0;; *at++ = '\0') {
    while (is_blank (*at))
      at++;
    if (at == end)
      break;
    if (p->n_words == MAX_WORDS - 2)
      return expected_simply (p, "at most 62 words");
    p->words[p->n_words++] = at;
    while (*at && !is_blank (*at))
      at++;
    if (at == end)
      break;
  }
  p->words[p->n_words] = p->words[p->n_words + 1] = NULL;
  return parse_words (p);
}

/* Of two changes at one time the later line wins. */
static int
compare_changes (const void *a, const void *b)
{
  const RccChange *x = a, *y = b;

  if (x->when != y->when)
    return x->when < y->when ? -1 : 1;
  return x->order < y->order ? -1 : x->order > y->order;
}

static bool
finish (Parser *p)
{
  RccScenario *s = p->scenario;
  const double scale = p->scale > 0 ? p->scale : 1;

  if (s->n_changes)
    qsort (s->changes, s->n_changes, sizeof *s->changes, compare_changes);
  for (size_t i = 0; i < s->n_changes; i++)
    s->changes[i].when = (RccTime) ((double) s->changes[i].when * scale + 0.5);
  if (p->period > 0) {
    s->period = (RccTime) (p->period * scale * 1e9 + 0.5);
    if (!s->period || (s->n_changes && s->changes[s->n_changes - 1].when >= s->period)) {
      p->line = p->period_line;
      return expected_simply (p, "a repeat time later than every change");
    }
  }
  return true;
}

RccScenario *
rcc_scenario_parse (const char *text, size_t length, const char *name, uint64_t seed,
    char *error, size_t error_size)
{
  const char *end = text + length;
  Parser p = { .name = name, .seed = seed, .error = error, .error_size = error_size };
  bool good = (p.scenario = calloc (1, sizeof *p.scenario)) != NULL;

  if (!good)
    return no_memory (&p), NULL;
  p.scenario->period = RCC_NEVER;
  for (p.line = 1; good && text < end; p.line++) {
    const char *eol = memchr (text, '\n', (size_t) (end - text));

    good = parse_line (&p, text, (size_t) ((eol ? eol : end) - text));
    text = eol ? eol + 1 : end;
  }
  if (good && finish (&p))
    return p.scenario;
  rcc_scenario_free (p.scenario);
  return NULL;
}
