/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Packets per second of wall-clock time through the pure link, one at a time:
 * push, pop what is due.
 */
#include <glib.h>
#include "link/scenario.h"

#define PACKETS 2000000

static void
run (const char *name, const RccLinkConfig *config)
{
  RccLinkPacket out;
  RccLink link;
  RccTime now = 0;
  guint64 passed = 0;
  gint64 took;

  rcc_link_init (&link, config, 1);
  took = g_get_monotonic_time ();
  for (guint64 i = 0; i < PACKETS; i++) {
    rcc_link_push (&link, i, 1200, RCC_ECN_NOT_ECT, now);
    while (rcc_link_pop (&link, now, &out))
      passed += out.outcome == RCC_LINK_PASSED;
    now += 1000 * RCC_USEC;
  }
  took = g_get_monotonic_time () - took;
  while (rcc_link_drain (&link, &out));
  rcc_link_clear (&link);
  g_print ("%-32s %6.2f Mpkt/s  %5.1f ns/packet  (%" G_GUINT64_FORMAT " of %d passed)\n",
      name, (double) PACKETS / (double) took, 1000.0 * (double) took / PACKETS, passed, PACKETS);
}

int
main (void)
{
  RccTrace *trace = rcc_trace_outages (1);
  RccLinkConfig config = rcc_link_config_default ();

  run ("unlimited", &config);
  config.delay = 50 * RCC_MSEC;
  config.rate_bps = 10000000;
  run ("10 Mbit/s, 50 ms", &config);
  config.rate_bps = 9000000;
  run ("9 Mbit/s, overloaded, drop-tail", &config);
  config.aqm = RCC_AQM_CODEL;
  run ("9 Mbit/s, overloaded, CoDel", &config);
  config.rate_bps = 10000000;
  config.jitter = 30 * RCC_MSEC;
  config.loss = 0.01;
  config.ge_p = 0.01;
  config.ge_r = 0.3;
  run ("10 Mbit/s, jitter, loss, GE", &config);
  config = rcc_link_config_default ();
  config.trace = trace;
  config.max_age = 500 * RCC_MSEC;
  run ("outage trace, overloaded", &config);
  rcc_trace_free (trace);
  return 0;
}
