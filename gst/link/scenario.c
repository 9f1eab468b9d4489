/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "link/scenario.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_FILE (4u << 20)

void
rcc_scenario_free (RccScenario *s)
{
  if (!s)
    return;
  for (size_t i = 0; i < s->n_traces; i++)
    rcc_trace_free (s->traces[i]);
  free (s->traces);
  free (s->changes);
  free (s);
}

/* --- built in ------------------------------------------------------------- */

/* RFC 8867 section 4: 50 ms one way, a 300 ms drop-tail queue. */
#define PATH "0 both delay 50 queue 300ms\n"
#define CASE_5_1 PATH "0 fwd rate 1M\n40 fwd rate 2.5M\n60 fwd rate 600k\n80 fwd rate 1M\n"

static const struct {
  const char *name, *text;
} built_in[] = {
  { "rfc8867-5.1", CASE_5_1 },
  { "rfc8867-5.1-60s", "scale 0.6\n" CASE_5_1 },
  { "rfc8867-5.2", PATH "0 fwd rate 4M\n25 fwd rate 2M\n50 fwd rate 3.5M\n"
    "75 fwd rate 1M\n100 fwd rate 2M\n" },
  { "rfc8867-5.3", PATH "0 both rate 2M\n20 fwd rate 1M\n40 fwd rate 500k\n"
    "60 fwd rate 2M\n35 rev rate 800k\n70 rev rate 2M\n" },
  /* the queue bound of the recorded Wi-Fi trace: 500 ms */
  { "outage", "0 both delay 25\n0 fwd trace outage queue 1000 max-age 500\n" },
};

/* The variable link of the FBRA paper (Nagy et al., MMSys'14, Table 1), as read off the plots of
 * Singh's thesis. Its 100 ms plot has every step but the first 30 s sooner. */
static const char fbra[] =
    "0 fwd rate 256k\n50 fwd rate 200k\n70 fwd rate 150k\n90 fwd rate 100k\n"
    "110 fwd rate 120k\n130 fwd rate 140k\n150 fwd rate 160k\n170 fwd rate 180k\n"
    "190 fwd rate 200k\n210 fwd rate 220k\n230 fwd rate 256k\n300 fwd rate 220k\n"
    "320 fwd rate 200k\n340 fwd rate 180k\n360 fwd rate 160k\n380 fwd rate 140k\n"
    "400 fwd rate 120k\n420 fwd rate 100k\n500 fwd rate 150k\n520 fwd rate 200k\n"
    "540 fwd rate 256k\n600 fwd rate 100k\n640 fwd rate 256k\n700 fwd rate 240k\n"
    "710 fwd rate 225k\n720 fwd rate 210k\n730 fwd rate 195k\n740 fwd rate 180k\n"
    "750 fwd rate 165k\n760 fwd rate 150k\n770 fwd rate 135k\n780 fwd rate 100k\n"
    "800 fwd rate 135k\n810 fwd rate 150k\n820 fwd rate 165k\n830 fwd rate 180k\n"
    "840 fwd rate 195k\n850 fwd rate 210k\n860 fwd rate 225k\n870 fwd rate 240k\n"
    "880 fwd rate 256k\n";

static const char *const names[] = {
  "rfc8867-5.1", "rfc8867-5.1-60s", "rfc8867-5.2", "rfc8867-5.3", "outage",
  "constant:RATE", "fbra:DELAY", NULL
};

const char *const *
rcc_scenario_names (void)
{
  return names;
}

/* The text of a built-in scenario, in @made where it has to be written; NULL: none. */
static const char *
find_built_in (const char *name, char *made, size_t size)
{
  for (size_t i = 0; i < sizeof built_in / sizeof *built_in; i++)
    if (!strcmp (name, built_in[i].name))
      return built_in[i].text;
  if (!strncmp (name, "constant:", 9))
    snprintf (made, size, PATH "0 fwd rate %.64s\n", name + 9);
  else if (!strncmp (name, "fbra:", 5))
    snprintf (made, size, "0 both delay %.64s\n0 fwd queue 50\n%s", name + 5, fbra);
  else
    return NULL;
  return made;
}

static RccScenario *
load_file (FILE *file, const char *name, uint64_t seed, char *error, size_t error_size)
{
  char *text = malloc (MAX_FILE);
  RccScenario *s = NULL;
  size_t length;

  if (!text) {
    snprintf (error, error_size, "no memory to read the scenario '%s'.", name);
    return NULL;
  }
  length = fread (text, 1, MAX_FILE, file);
  if (ferror (file))
    snprintf (error, error_size, "cannot read the scenario '%s': %s.", name,
        strerror (errno));
  else if (length == MAX_FILE)
    snprintf (error, error_size, "the scenario '%s' is larger than 4 MB.", name);
  else
    s = rcc_scenario_parse (text, length, name, seed, error, error_size);
  free (text);
  return s;
}

static void
describe_missing (const char *name, const char *reason, char *error, size_t error_size)
{
  int n = snprintf (error, error_size,
      "cannot open the scenario '%.100s' (%s), and it is none of the built-in ones:",
      name, reason);

  for (size_t i = 0; names[i] && n > 0 && (size_t) n < error_size; i++)
    n += snprintf (error + n, error_size - (size_t) n, "%s %s%s", i ? "," : "",
        names[i], names[i + 1] ? "" : ".");
}

RccScenario *
rcc_scenario_load (const char *name, uint64_t seed, char *error, size_t error_size)
{
  char made[160 + sizeof fbra];
  const char *text = find_built_in (name, made, sizeof made);
  RccScenario *s;
  FILE *file;

  if (text)
    return rcc_scenario_parse (text, strlen (text), name, seed, error, error_size);
  file = fopen (name, "rb");
  if (!file) {
    describe_missing (name, strerror (errno), error, error_size);
    return NULL;
  }
  s = load_file (file, name, seed, error, error_size);
  fclose (file);
  return s;
}

/* --- a run ---------------------------------------------------------------- */

static void
change (RccLinkConfig *config, const RccChange *c)
{
  switch (c->key) {
    case RCC_KEY_RATE:
      config->rate_bps = c->to.number;
      config->trace = NULL;
      break;
    case RCC_KEY_TRACE:
      config->trace = c->to.trace;
      break;
    case RCC_KEY_DELAY:
      config->delay = c->to.time;
      break;
    case RCC_KEY_JITTER:
      config->jitter = c->to.time;
      break;
    case RCC_KEY_REORDER:
      config->reorder = c->to.reorder.share;
      config->reorder_by = c->to.reorder.by;
      break;
    case RCC_KEY_QUEUE:
      config->queue = c->to.limit;
      break;
    case RCC_KEY_MAX_AGE:
      config->max_age = c->to.time;
      break;
    case RCC_KEY_AQM:
      config->aqm = (RccLinkAqm) c->to.number;
      break;
    case RCC_KEY_ECN:
      config->ecn = c->flag;
      config->ecn_threshold = c->to.limit;
      config->ecn_ramp = c->ramp;
      break;
    case RCC_KEY_LOSS:
      config->loss = c->to.chance[0];
      break;
    case RCC_KEY_GE:
      config->ge_p = c->to.chance[0];
      config->ge_r = c->to.chance[1];
      break;
    case RCC_KEY_BUCKET:
      config->bucket = (uint32_t) c->to.number;
      break;
    case RCC_KEY_OVERHEAD:
      config->overhead = (uint32_t) c->to.number;
      break;
  }
}

/* To the next change that concerns this direction. */
static void
skip_others (RccScenarioRun *r)
{
  while (r->next < r->scenario->n_changes
      && !(r->scenario->changes[r->next].directions & 1u << r->direction))
    r->next++;
}

static void
advance_run (RccScenarioRun *r)
{
  skip_others (r);
  if (r->next < r->scenario->n_changes || r->scenario->period == RCC_NEVER)
    return;
  r->next = 0;
  r->lap += r->scenario->period;
  skip_others (r);
}

void
rcc_scenario_run_init (RccScenarioRun *r, const RccScenario *s,
    RccDirection direction, RccTime start)
{
  *r = (RccScenarioRun) { .scenario = s, .direction = direction, .lap = start };
  if (s)
    advance_run (r);
}

RccTime
rcc_scenario_next (const RccScenarioRun *r)
{
  if (!r->scenario || r->next >= r->scenario->n_changes)
    return RCC_NEVER;
  return r->lap + r->scenario->changes[r->next].when;
}

size_t
rcc_scenario_apply (RccScenarioRun *r, RccLink *l, RccTime now)
{
  size_t n = 0;
  RccTime when;

  for (; (when = rcc_scenario_next (r)) != RCC_NEVER && when <= now; n++) {
    RccLinkConfig config = l->config;

    /* all of one instant at once: a rate and its delay change together */
    do {
      change (&config, &r->scenario->changes[r->next++]);
      advance_run (r);
    } while (rcc_scenario_next (r) == when);
    rcc_link_configure (l, &config, when);
  }
  return n;
}

static RccTime
longest_delay (const RccLinkConfig *c)
{
  return c->delay + c->jitter + (c->reorder > 0 ? c->reorder_by : 0);
}

RccTime
rcc_scenario_max_delay (const RccScenario *s, RccDirection direction,
    const RccLinkConfig *base)
{
  RccLinkConfig config = *base;
  RccTime most = longest_delay (&config);

  for (size_t i = 0; s && i < s->n_changes; i++) {
    if (!(s->changes[i].directions & 1u << direction))
      continue;
    change (&config, &s->changes[i]);
    most = RCC_MAX (most, longest_delay (&config));
  }
  return most;
}
