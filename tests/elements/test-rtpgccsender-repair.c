/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Parity that rtpgccsender makes: it repairs what left, padding and new numbers or not, and is
 * a part of the target.
 */
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

GST_START_TEST (test_parity_repairs_what_left)
{
  Fx *fx = fx_new (VIDEO_CAPS, "probe-interval", FROM_PROFILE, "start-bitrate", 300000, NULL);
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
  fx_free (fx);
}

GST_END_TEST;

/* What upstream is told of the target. */
static void
told (Fx *fx, guint *target, guint *fec)
{
  GstEvent *event;

  while ((event = gst_harness_try_pull_upstream_event (fx->h))) {
    if (gst_event_has_name (event, "GstRtpTargetBitrate")) {
      gst_structure_get_uint (gst_event_get_structure (event), "target-bitrate", target);
      gst_structure_get_uint (gst_event_get_structure (event), "fec-bitrate", fec);
    }
    gst_event_unref (event);
  }
}

/* The encoder hears of it at once, and of a reset, which keeps the protection. */
GST_START_TEST (test_parity_is_of_the_target)
{
  Fx *fx = fx_new (VIDEO_CAPS, "start-bitrate", 500000, NULL);
  guint target = 0, fec = 1;

  fx_push (fx, 600);
  told (fx, &target, &fec);
  fail_unless_equals_int (target, 500000);
  fail_unless_equals_int (fec, 0);
  g_object_set (fx->e, "protection", 4, NULL);
  told (fx, &target, &fec);
  fail_unless_equals_int (target, 500000);
  fail_unless_equals_int (fec, 100000);
  g_signal_emit_by_name (fx->e, "reset");
  fail_unless_equals_uint64 (fx_stat (fx, "fec-bitrate"), 100000);
  g_object_set (fx->e, "protection", 0, NULL);
  told (fx, &target, &fec);
  fail_unless_equals_int (fec, 0);
  fx_free (fx);
}

GST_END_TEST;

static Suite *
rtpgccsender_repair_suite (void)
{
  Suite *s = suite_create ("rtpgccsender-repair");
  TCase *tc = tcase_create ("all");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_parity_repairs_what_left);
  tcase_add_test (tc, test_parity_is_of_the_target);
  return s;
}

GST_CHECK_MAIN (rtpgccsender_repair);
