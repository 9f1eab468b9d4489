/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What each element holds: as soon as it is PAUSED, in a call of 1 Mbit/s, and after RTCP of a
 * hundred thousand SSRCs that nobody knows.  In bytes of the heap, so with glibc and without
 * sanitizers.
 */
#include "life-rig.h"

#include <malloc.h>

#include "core/rcc.h"
#include "wire/remb.h"
#include "wire/reporter.h"
#include "wire/rtcp.h"

#define MEDIA 0x11223344u
#define PEER 0x70656572u
#define PACKET 1200
#define GAP (PACKET * 8)                /* us; 1 Mbit/s */
#define CALL (10 * G_USEC_PER_SEC)      /* more than anybody has to remember */
#define FORGED_FEW 100000               /* RCC_FORGED=1000000 in the environment: a million */

#define LATE 20000                      /* us; a call on a slower machine is made anew */
#define TIMERS 10000                    /* B; what goes on beside: a tenth of a byte for each */

typedef struct {
  const gchar *name;
  gsize most;                   /* B */
  gboolean sends;
  gsize before, paused, running, forged;        /* B of the heap */
  Life life;
  GstPad *sink, *rtcp;
} Row;

static Row rows[] = {
  {.name = "rtpgccsender",.most = 150000,.sends = TRUE},
  {.name = "rtpsbpnmux",.most = 150000,.sends = TRUE},
  {.name = "rtpfbrafec",.most = 150000,.sends = TRUE},
  {.name = "rtpgccreceiver",.most = 100000,.sends = FALSE},
  {.name = "rtpfbrareceiver",.most = 100000,.sends = FALSE},
};

static gsize
heap (void)
{
  const struct mallinfo2 m = mallinfo2 ();

  return m.uordblks + m.hblkhd;
}

/* By its name, or that which a request has given it. */
static GstPad *
sink_of (GstElement *e, const gchar *name)
{
  GstPad *pad = gst_element_get_static_pad (e, name);

  for (guint i = 0; !pad && i < 2; i++) {
    gchar *other = g_strdup_printf (g_str_has_prefix (name, "rtcp_") ? "%s_0" : i ? "rtp_%s_0"
        : "rtp_%s", name);

    pad = gst_element_get_static_pad (e, other);
    g_free (other);
  }
  fail_unless (pad != NULL, "no pad %s", name);
  gst_object_unref (pad);       /* the element has it */
  return pad;
}

static void
open_row (Row *row)
{
  GstClock *clock = gst_system_clock_obtain ();

  row->before = heap ();
  row->life = life_new (row->name, TRUE);
  row->sink = sink_of (row->life.e, g_str_equal (row->name, "rtpsbpnmux") ? "sink_0" : "sink");
  row->rtcp = sink_of (row->life.e, "rtcp_sink");
  if (row->sends)               /* no queue: what is in it is the application's */
    g_object_set (row->life.e, "min-bitrate", 2000000, "start-bitrate", 2000000, "max-bitrate",
        2000000, NULL);
  gst_element_set_clock (row->life.e, clock);
  gst_element_set_base_time (row->life.e, gst_clock_get_time (clock));
  gst_object_unref (clock);
  fail_unless (gst_element_set_state (row->life.e, GST_STATE_PAUSED) != GST_STATE_CHANGE_FAILURE);
  row->paused = heap () - row->before;
  gst_element_set_state (row->life.e, GST_STATE_PLAYING);
  pad_open (row->sink);
  pad_open (row->rtcp);
}

static void
push (GstPad *pad, const guint8 *bytes, gsize size)
{
  GstBuffer *buffer = gst_buffer_new_memdup (bytes, size);

  fail_unless_equals_int (gst_pad_chain (pad, buffer), GST_FLOW_OK);
}

/* A second has passed once more: the session says something. */
static void
give_rtcp (const guint8 *bytes, gsize size, gboolean to_senders)
{
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    if (rows[i].sends == to_senders)
      push (rows[i].rtcp, bytes, size);
}

/* Returns how late it was woken at worst, us: what then comes at once needs more records. */
static gint64
one_call (void)
{
  gint64 late = 0;
  static const guint8 rr[] = { 0x80, 201, 0, 1, 0x70, 0x65, 0x65, 0x72 };
  const gint64 start = g_get_monotonic_time ();
  guint8 packet[PACKET] = { 0 }, feedback[1500];
  RccReporter reporter;
  gsize size;

  rcc_reporter_init (&reporter, RCC_FEEDBACK_CCFB, PEER, g_realloc);
  for (guint n = 0; n * GAP < CALL; n++) {
    const RccTime now = (RccTime) g_get_monotonic_time () * 1000;
    RccRtp rtp;

    rtp = (RccRtp) { .pt = 96, .marker = n % 4 == 3, .seq = (guint16) n, .ssrc = MEDIA,
      .timestamp = n / 4 * 3600 };
    rcc_rtp_build (packet, sizeof packet, &rtp, NULL, 0);
    for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
      push (rows[i].sink, packet, PACKET);
    rcc_reporter_packet (&reporter, &rtp, 0, now);
    if (n % 10 == 9) {
      size = rcc_reporter_compound (&reporter, 0, now, feedback, sizeof feedback);
      give_rtcp (feedback, size, TRUE);
      give_rtcp (rr, sizeof rr, FALSE);
    }
    g_usleep ((gulong) MAX (0, start + (n + 1) * GAP - g_get_monotonic_time ()));
    late = MAX (late, g_get_monotonic_time () - start - (n + 1) * GAP);
  }
  rcc_reporter_clear (&reporter);
  return late;
}

/* @n messages, each from another SSRC or all from one. */
static void
be_forged (Row *row, guint32 n, gboolean from_many)
{
  guint8 bytes[200];

  for (guint32 i = 1; i <= n; i++) {
    const guint32 ssrc = (from_many ? i : 1) * 2654435761u, ours = i % 2 ? MEDIA : ~ssrc;
    const RccReportBlock block = { .ssrc = ours, .highest_seq = i, .fraction = 99 };
    gsize size = rcc_rtcp_build_rr (bytes, sizeof bytes, ssrc, &block, 1);

    size += rcc_remb_build (bytes + size, sizeof bytes - size, ssrc, 9999, &ours, 1);
    push (row->rtcp, bytes, size);
  }
}

/* A sanitizer has a heap of its own. */
TEST_EACH (test_memory, heap () > 0)
{
  const gchar *many = g_getenv ("RCC_FORGED");
  const guint32 n = many ? (guint32) atoi (many) : FORGED_FEW;

  /* what is made once by whoever comes first */
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    open_row (&rows[i]);
    life_free (&rows[i].life);
  }
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    open_row (&rows[i]);
  for (guint again = 0; one_call () > LATE && again < 4; again++)
    for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
      life_free (&rows[i].life);
      open_row (&rows[i]);
    }
  g_print ("%-18s %10s %10s %10s\n", "kB of the heap", "PAUSED", "1 Mbit/s", "forged");
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    Row *row = &rows[i];
    gsize few, all;

    be_forged (row, n, FALSE);          /* what goes on beside in that time is not the SSRCs' */
    few = heap ();
    be_forged (row, n, TRUE);
    all = heap ();
    life_free (&row->life);
    /* after the forgery: 16 kB of nobody's go in this one's time or in another's */
    row->running = all - heap ();
    row->forged = all - few;
    g_print ("%-18s %10.1f %10.1f %+10.1f\n", row->name, row->paused / 1e3, row->running / 1e3,
        (gssize) row->forged / 1e3);
  }
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    const Row *row = &rows[i];

    fail_unless (row->paused <= row->most, "%s: %zu B", row->name, row->paused);
    fail_unless (row->running <= row->most, "%s: %zu B", row->name, row->running);
    fail_unless ((gssize) row->forged <= TIMERS, "%s: %zd B", row->name, (gssize) row->forged);
  }
}

SUITE (memory)
{
  tcase_set_timeout (tc, 120);
}
