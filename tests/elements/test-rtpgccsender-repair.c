/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Parity that rtpgccsender makes: it repairs what left, padding and new numbers or not, and is
 * a part of the target.  And retransmissions of a real rtprtxsend, for a receiver that asks as
 * often as a browser: no storm, and no gap of our own.
 */
#include <gst/rtp/gstrtpbuffer.h>
#include <math.h>

#include "core/rng.h"
#include "sender-fixture.h"
#include "wire/ulpfec.h"

#define FROM_PROFILE GST_CLOCK_TIME_NONE
#define FEC_PT 122

typedef struct {
  GPtrArray *packets;           /* GstMapInfo, as they left */
  GPtrArray *buffers;
  guint hidden;                 /* that one is lost */
} Store;

static void
store_fill (Store *s, Fx *fx)
{
  GstBuffer *buffer;

  s->packets = g_ptr_array_new_with_free_func (g_free);
  s->buffers = g_ptr_array_new ();
  while ((buffer = gst_harness_try_pull (fx->h))) {
    GstMapInfo *info = g_new (GstMapInfo, 1);

    fail_unless (gst_buffer_map (buffer, info, GST_MAP_READ));
    g_ptr_array_add (s->packets, info);
    g_ptr_array_add (s->buffers, buffer);
  }
}

static void
store_clear (Store *s)
{
  for (guint i = 0; i < s->packets->len; i++) {
    gst_buffer_unmap (s->buffers->pdata[i], s->packets->pdata[i]);
    gst_buffer_unref (s->buffers->pdata[i]);
  }
  g_ptr_array_unref (s->packets);
  g_ptr_array_unref (s->buffers);
}

static RccBytes
find (void *user, guint32 ssrc, guint16 seq)
{
  const Store *s = user;

  for (guint i = 0; i < s->packets->len; i++) {
    const GstMapInfo *info = s->packets->pdata[i];

    if (i != s->hidden && rcc_be32 (info->data + 8) == ssrc
        && rcc_be16 (info->data + 2) == seq)
      return (RccBytes) {
      info->data, info->size};
  }
  return (RccBytes) {
  NULL, 0};
}

/* Every single loss below the parity that left as number @at; how many it protects. */
static guint
repairs_all (Store *s, guint at)
{
  const GstMapInfo *info = s->packets->pdata[at];
  const RccParitySource source = {.packet = find,.user = s };
  guint protected = 0;
  RccParity parity;

  fail_unless (rcc_ulpfec_parse ((RccBytes) { info->data + 12, info->size - 12}, SSRC,
          &parity));
  for (guint i = 0; i < s->packets->len; i++) {
    const GstMapInfo *was = s->packets->pdata[i];
    guint8 out[RCC_PARITY_PACKET_MAX];
    RccParityResult result;

    if (i == at || !rcc_parity_protects (&parity, SSRC, rcc_be16 (was->data + 2)))
      continue;
    s->hidden = i;
    result = rcc_parity_recover (&parity, &source, out, sizeof out);
    fail_unless_equals_int (result.verdict, RCC_PARITY_RECOVERED);
    fail_unless_equals_int (result.size, was->size);
    fail_unless (memcmp (out, was->data, was->size) == 0);
    protected++;
  }
  return protected;
}

/* @n frames of the video: one packet each, 33 ms apart, in small steps, as a probe's padding
 * leaves while nothing is queued. */
static void
frames (Fx *fx, guint n)
{
  while (n--) {
    fx_push (fx, 600);
    for (guint i = 0; i < 33; i += 3) {
      g_usleep (200);
      fx_run (fx, fx_now (fx) + 3 * GST_MSECOND);
    }
  }
}

TEST (test_parity_repairs_what_left)
{
  g_autoptr (Fx) fx = fx_new (VIDEO_CAPS, "tuning", tuning (NO_TIMEOUT), "start-bitrate", 300000,
      NULL);
  guint parities = 0, protected = 0, paddings = 0;
  Store s;

  fx->seq = 65530;              /* numbers wrap on the way */
  frames (fx, 30);              /* padding has moved the numbers on */
  fail_unless (fx_stat (fx, "padding-packets-sent") > 0);
  fail_unless_equals_uint64 (fx_stat (fx, "fec-bitrate"), 0);
  g_object_set (fx->e, "protection", 4, NULL);
  fail_unless_equals_uint64 (fx_stat (fx, "fec-bitrate"), fx_stat (fx, "target-bitrate") / 5);
  frames (fx, 40);
  g_object_set (fx->e, "protection", 0, NULL);
  frames (fx, 10);
  store_fill (&s, fx);
  for (guint i = 0; i < s.packets->len; i++) {
    const GstMapInfo *info = s.packets->pdata[i];

    if (i > 0)
      fail_unless_equals_int (rcc_be16 (info->data + 2),
          (guint16) (rcc_be16 (((GstMapInfo *) s.packets->pdata[i - 1])->data + 2) + 1));
    paddings += info->data[0] >> 5 & 1;
    if ((info->data[1] & 0x7f) != FEC_PT)
      continue;
    parities++;
    protected += repairs_all (&s, i);
  }
  fail_unless_equals_int (parities, 10);
  fail_unless_equals_int (protected, 40);
  fail_unless_equals_uint64 (fx_stat (fx, "fec-packets-sent"), 10);
  fail_unless_equals_uint64 (fx_stat (fx, "padding-packets-sent"), paddings);
  store_clear (&s);
}

/* The encoder hears of it at once, and of a reset, which keeps the protection. */
/* Where the receiver repairs, what fills a probe is parity of what left before it. The target has
 * no share of it, as it has none of padding. */
TEST (test_probes_of_parity)
{
  g_autoptr (Fx) fx = fx_new (VIDEO_CAPS, "tuning", tuning (NO_TIMEOUT), "start-bitrate", 300000,
      "probe-protection", TRUE, NULL);
  guint parities = 0, protected = 0;
  Store s;

  fx->seq = 65530;              /* numbers wrap on the way */
  frames (fx, 40);
  fail_unless (fx_stat (fx, "probe-count") >= 1);
  fail_unless (fx_stat (fx, "fec-probe-packets-sent") >= 2);
  fail_unless_equals_uint64 (fx_stat (fx, "fec-bitrate"), 0);
  store_fill (&s, fx);
  for (guint i = 0; i < s.packets->len; i++) {
    const GstMapInfo *info = s.packets->pdata[i];

    fail_unless (rcc_be16 (info->data + 2) == (guint16) (65530 + i));
    if ((info->data[1] & 0x7f) != FEC_PT)
      continue;
    parities++;
    protected += repairs_all (&s, i);
  }
  fail_unless_equals_uint64 (fx_stat (fx, "fec-packets-sent"), parities);
  fail_unless_equals_uint64 (fx_stat (fx, "fec-probe-packets-sent"), parities);
  fail_unless (protected >= parities);
  store_clear (&s);
}

TEST (test_parity_is_of_the_target)
{
  g_autoptr (Fx) fx = fx_new (VIDEO_CAPS, "start-bitrate", 500000, NULL);
  guint target = 0, fec = 1;

  fx_push (fx, 600);
  newest_target (fx->h, &target, &fec);
  fail_unless_equals_int (target, 500000);
  fail_unless_equals_int (fec, 0);
  g_object_set (fx->e, "protection", 4, NULL);
  newest_target (fx->h, &target, &fec);
  fail_unless_equals_int (target, 500000);
  fail_unless_equals_int (fec, 100000);
  g_signal_emit_by_name (fx->e, "reset");
  fail_unless_equals_uint64 (fx_stat (fx, "fec-bitrate"), 100000);
  g_object_set (fx->e, "protection", 0, NULL);
  newest_target (fx->h, &target, &fec);
  fail_unless_equals_int (fec, 0);
}

/* --- retransmissions ------------------------------------------------------ */

#define RTX_SSRC 0x55667788u
#define OWD (50 * GST_MSECOND)
#define TIMES 10
#define KEY_FRAME 40000         /* B, one in a hundred at 30 a second */
#define KEY_BPS (KEY_FRAME * 8 * 30 / 100)      /* of the target */
#define MS GST_MSECOND

typedef struct {                /* a number that the receiver misses */
  guint16 seq;
  guint asked;
  GstClockTime next;            /* request, as it reaches the sender */
} Gap;

typedef struct {                /* of a packet that is on its way */
  GstClockTime arrives;
  guint16 seq;
  gboolean again;
} Flying;

typedef struct {
  Fx *fx;
  GstHarness *rtx;              /* the real one, in front of the sender */
  GstClockTime busy;            /* the link, until then */
  guint looked;                 /* at fx->out.left */
  guint16 highest, last;
  gboolean any;
  GArray *flying, *gaps;
  guint lost, again, left_out, recovered;
} Storm;

static guint
link_bps (const Storm *s)
{
  const GstClockTime t = fx_now (s->fx) - 1000 * GST_SECOND;

  return t % (18 * GST_SECOND) < 5 * GST_SECOND || t % (18 * GST_SECOND) >= 12 * GST_SECOND
      ? 1000000 : 500000;
}

static void
push_frame (Storm *s, guint size, guint32 timestamp)
{
  while (size > 0) {
    const guint part = MIN (size, 1200);

    fail_unless_equals_int (gst_harness_push (s->rtx, rtp_packet (SSRC, s->fx->seq++,
                timestamp, part == size, MAX (part, 40))), GST_FLOW_OK);
    fail_unless_equals_int (fx_push_buffer (s->fx, gst_harness_pull (s->rtx)), GST_FLOW_OK);
    size -= part;
  }
}

/* The machine sleeps until @until, and only then sees that it is late. */
static void
wake_late (Fx *fx, GstClockTime until)
{
  GstClockID id;

  gst_test_clock_set_time (fx->clock, until);
  for (;;) {
    gboolean due;

    fx_settle (fx);
    if (!gst_test_clock_peek_next_pending_id (fx->clock, &id))
      break;
    due = gst_clock_id_get_time (id) <= until;
    gst_clock_id_unref (id);
    if (!due)
      break;
    gst_clock_id_unref (gst_test_clock_process_next_clock_id (fx->clock));
  }
}

/* Drop-tail, 300 ms. */
static void
carry (Storm *s, const Left *l, gboolean again, guint16 seq)
{
  const GstClockTime from = MAX (s->busy, l->at);
  Flying f = {.seq = seq,.again = again };

  s->again += again;
  if (!again) {
    s->left_out += s->any ? (guint16) (l->seq - s->last - 1) : 0;
    s->last = l->seq;
    s->any = TRUE;
  }
  if (from - l->at > 300 * MS) {
    s->lost++;
    return;
  }
  s->busy = from + gst_util_uint64_scale (8 * l->size, GST_SECOND, link_bps (s));
  f.arrives = s->busy + OWD;
  g_array_append_val (s->flying, f);
}

static void
look (Storm *s)
{
  GstBuffer *buffer;

  while ((buffer = gst_harness_try_pull (s->fx->h))) {
    const Left l = g_array_index (s->fx->out.left, Left, s->looked++);
    const gboolean again = l.ssrc == RTX_SSRC;
    guint8 osn[2] = { 0 };

    if (again)
      gst_buffer_extract (buffer, 12, osn, 2);
    carry (s, &l, again, again ? rcc_be16 (osn) : l.seq);
    gst_buffer_unref (buffer);
  }
}

static void
come (Storm *s, const Flying *f)
{
  if (!f->again && (gint16) (f->seq - s->highest) > 0) {
    for (guint16 seq = (guint16) (s->highest + 1); seq != f->seq; seq++) {
      const Gap gap = { seq, 0, f->arrives + OWD };

      g_array_append_val (s->gaps, gap);
    }
    s->highest = f->seq;
  }
  for (guint i = 0; f->again && i < s->gaps->len; i++)
    if (g_array_index (s->gaps, Gap, i).seq == f->seq) {
      g_array_remove_index (s->gaps, i);
      s->recovered++;
      return;
    }
}

/* A request reaches the sender: what it lets through is for rtprtxsend, which answers in a
 * thread of its own. */
static void
request (Storm *s, guint16 seq)
{
  const guint64 heard = fx_stat (s->fx, "nacks-heard");
  GstEvent *event;
  GstBuffer *buffer;

  gst_harness_push_upstream_event (s->fx->h,
      gst_event_new_custom (GST_EVENT_CUSTOM_UPSTREAM,
          gst_structure_new ("GstRTPRetransmissionRequest", "seqnum", G_TYPE_UINT, seq, "ssrc",
              G_TYPE_UINT, SSRC, "payload-type", G_TYPE_UINT, 96, NULL)));
  while ((event = gst_harness_try_pull_upstream_event (s->fx->h))) {
    if (gst_event_has_name (event, "GstRTPRetransmissionRequest"))
      gst_harness_push_upstream_event (s->rtx, event);
    else
      gst_event_unref (event);
  }
  if (fx_stat (s->fx, "nacks-heard") == heard)
    return;
  buffer = gst_harness_pull (s->rtx);
  fail_unless (buffer != NULL, "rtprtxsend does not know what the sender asked for");
  fail_unless (GST_BUFFER_FLAG_IS_SET (buffer, GST_RTP_BUFFER_FLAG_RETRANSMISSION));
  fail_unless_equals_int (fx_push_buffer (s->fx, buffer), GST_FLOW_OK);
}

static void
receive (Storm *s)
{
  const GstClockTime now = fx_now (s->fx);

  while (s->flying->len > 0 && g_array_index (s->flying, Flying, 0).arrives <= now) {
    const Flying f = g_array_index (s->flying, Flying, 0);

    g_array_remove_index (s->flying, 0);
    come (s, &f);
  }
  for (guint i = 0; i < s->gaps->len; i++) {
    Gap *gap = &g_array_index (s->gaps, Gap, i);

    if (gap->asked == TIMES || gap->next > now)
      continue;
    gap->asked++;
    gap->next = now + 20 * MS;
    request (s, gap->seq);
  }
}

static Storm *
storm_new (void)
{
  Storm *s = g_new0 (Storm, 1);
  GstStructure *ssrcs = gst_structure_new ("application/x-rtp-ssrc-map", "287454020",
      G_TYPE_UINT, RTX_SSRC, NULL);

  s->fx = fx_new (VIDEO_CAPS, "start-bitrate", 900000, NULL);
  s->rtx = gst_harness_new ("rtprtxsend");
  gst_util_set_object_arg (G_OBJECT (s->rtx->element), "payload-type-map",
      "application/x-rtp-pt-map,96=(uint)99");
  g_object_set (s->rtx->element, "ssrc-map", ssrcs, "max-size-packets", 1000, NULL);
  gst_structure_free (ssrcs);
  gst_harness_set_src_caps_str (s->rtx, VIDEO_CAPS ",payload=96,ssrc=(uint)287454020");
  s->flying = g_array_new (FALSE, FALSE, sizeof (Flying));
  s->gaps = g_array_new (FALSE, FALSE, sizeof (Gap));
  s->busy = fx_now (s->fx);
  s->highest = 65529;
  s->fx->seq = 65530;
  return s;
}

static void
storm_free (Storm *s)
{
  gst_harness_teardown (s->rtx);
  fx_free (s->fx);
  g_array_unref (s->flying);
  g_array_unref (s->gaps);
  g_free (s);
}

/* 1 Mbit/s, 500 kbit/s, 1 Mbit/s, twice; key frames of 40 kB; each gap is asked for ten times; the
 * machine is 10 ms late on average.  The receiver's estimate follows the link 400 ms later. */
TEST (test_no_storm)
{
  Storm *s = storm_new ();
  RccRng rng;

  rcc_rng_init (&rng, 1, 2);
  for (guint frame = 0; frame < 1000; frame++) {
    const GstClockTime due = 1000 * GST_SECOND + (frame + 1) * 33 * MS;

    if (frame % 545 == 165 || frame % 545 == 376)
      fx_remb (s->fx, link_bps (s) * 9 / 10);
    push_frame (s, frame % 100 == 0 ? KEY_FRAME : (fx_target (s->fx) - KEY_BPS) / 8 / 30,
        3000 * frame);
    while (fx_now (s->fx) < due) {
      const GstClockTime late = (GstClockTime) (-log (1 - rcc_rng_uniform (&rng)) * 10 * MS);

      wake_late (s->fx, fx_now (s->fx) + 5 * MS + late);
      look (s);
      receive (s);
    }
  }
  GST_INFO ("%u lost, %u sent again, %u recovered", s->lost, s->again, s->recovered);
  fail_unless (s->lost >= 10, "%u", s->lost);
  fail_unless (s->again <= 2 * s->lost, "%u lost, %u sent again", s->lost, s->again);
  fail_unless (s->recovered >= s->lost / 2, "%u lost, %u recovered", s->lost, s->recovered);
  fail_unless_equals_int (s->left_out, 0);
  fail_unless_equals_uint64 (fx_stat (s->fx, "packets-dropped"), 0);
  storm_free (s);
}

TEST_MAIN (rtpgccsender_repair);
