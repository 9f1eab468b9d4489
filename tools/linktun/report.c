/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "linktun/report.h"

#include "sim/json.h"

static const char *const directions[RCC_DIRECTIONS] = { "fwd", "rev" };

typedef struct {
  uint64_t in, out, bytes, lost, dropped, marked;
} Way;

/* Lost: at random, as the scenario has it; dropped: by the queue. */
static Way
way_of (Run *run, RccDirection direction, RccTime now)
{
  const RccLinkStats s = rcc_link_stats (&run->ways[direction].link, now);
  const uint64_t lost = s.dropped[RCC_LINK_DROP_LOSS] + s.dropped[RCC_LINK_DROP_BURST];

  return (Way) { s.packets_in, s.packets_out, s.bytes_out, lost,
    s.dropped[RCC_LINK_PASSED] - lost, s.marked };
}

static double
ms (RccTime t)
{
  return (double) t / 1e6;
}

/* --- for people ----------------------------------------------------------- */

static void
print_lateness (const char *name, const Lateness *l)
{
  printf ("%s late: half within %.3f ms, 99 %% within %.3f ms, all within %.3f ms "
      "(at %.1f s)\n", name, ms (lateness_within (l, 0.5)), ms (lateness_within (l, 0.99)),
      ms (l->most), (double) l->at / 1e9);
}

void
report_text (const Report *r, Run *run)
{
  for (RccDirection d = 0; d < RCC_DIRECTIONS; d++) {
    const Way w = way_of (run, d, r->now);

    printf ("%s: in %llu, out %llu packets, %llu bytes; lost %llu, dropped %llu, marked %llu\n",
        directions[d], (unsigned long long) w.in, (unsigned long long) w.out,
        (unsigned long long) w.bytes, (unsigned long long) w.lost,
        (unsigned long long) w.dropped, (unsigned long long) w.marked);
  }
  print_lateness ("packets", &run->written);
  print_lateness ("wake-ups", &run->woken);
  printf ("scheduling: %s\n", r->fifo ? "SCHED_FIFO" : "as any program");
  if (run->unwritten)
    printf ("the kernel did not take %llu packets\n", (unsigned long long) run->unwritten);
  fflush (stdout);
}

/* --- for programs --------------------------------------------------------- */

static void
put_way (RccJson *j, const char *name, const Way *w)
{
  rcc_json_object (j, name);
  rcc_json_count (j, "in", w->in);
  rcc_json_count (j, "out", w->out);
  rcc_json_count (j, "bytes", w->bytes);
  rcc_json_count (j, "lost", w->lost);
  rcc_json_count (j, "dropped", w->dropped);
  rcc_json_count (j, "marked", w->marked);
  rcc_json_end (j);
}

static void
put_lateness (RccJson *j, const char *name, const Lateness *l)
{
  rcc_json_object (j, name);
  rcc_json_rounded (j, "p50", ms (lateness_within (l, 0.5)), 3);
  rcc_json_rounded (j, "p99", ms (lateness_within (l, 0.99)), 3);
  rcc_json_rounded (j, "max", ms (l->most), 3);
  rcc_json_rounded (j, "max-at", (double) l->at / 1e9, 3);
  rcc_json_end (j);
}

void
report_json (const Report *r, Run *run)
{
  RccJson j = rcc_json (stdout);

  rcc_json_object (&j, NULL);
  rcc_json_text (&j, "scenario", r->scenario);
  rcc_json_count (&j, "seed", (uint64_t) r->seed);
  rcc_json_rounded (&j, "duration", (double) r->now / 1e9, 3);
  for (RccDirection d = 0; d < RCC_DIRECTIONS; d++) {
    const Way w = way_of (run, d, r->now);

    put_way (&j, directions[d], &w);
  }
  put_lateness (&j, "packets-late", &run->written);
  put_lateness (&j, "wake-ups-late", &run->woken);
  rcc_json_flag (&j, "fifo", r->fifo);
  rcc_json_count (&j, "unwritten", run->unwritten);
  rcc_json_end (&j);
  fflush (stdout);
}
