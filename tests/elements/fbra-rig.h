/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * fbra-rig.h - an rtpfbrafec on a GstTestClock, a path behind it, and a receiver that
 * reports by RFC 8888 and repairs with our own decoder
 */
#ifndef FBRA_RIG_H
#define FBRA_RIG_H

#include <gst/rtp/gstrtpbuffer.h>

#include "rig.h"
#include "wire/ccfb.h"
#include "wire/flexfec.h"
#include "wire/ulpfec.h"

#define SSRC 0x11223344u
#define FEC_PT 122
#define PROBING "probe-for", 1, "feedback-interval", 10 * GST_SECOND
#define VIDEO_CAPS "application/x-rtp,media=(string)video,clock-rate=(int)90000," \
    "encoding-name=(string)H264,payload=(int)96"

typedef struct {
  GstHarness *h, *rtcp, *fec;   /* fec: NULL, parity goes among the media */
  GstElement *e;
  GstTestClock *clock;
  guint16 seq;                  /* of the next packet pushed */
  GPtrArray *left;              /* GstBuffers, in order; parity of fec_src at its place */
  GArray *sent;                 /* when */
  guint reported;               /* of them */
} Rig;

#define rig_stat(rig, name) stat_of ((rig)->e, name)
#define rig_uint(rig, property) uint_of ((rig)->e, property)
#define rig_is(rig, state) g_str_equal (nick_of ((rig)->e, "state"), state)
#define rig_wait(rig, span) \
  clock_run ((rig)->clock, time_of ((rig)->clock) + (span), NULL, NULL)

static G_GNUC_UNUSED gboolean
rig_is_parity (GstBuffer *buffer)
{
  guint8 head[12];

  return gst_buffer_extract (buffer, 0, head, 12) == 12 && (head[1] & 0x7f) == FEC_PT;
}

static void
rig_keep (Rig *rig, GstBuffer *buffer)
{
  const GstClockTime now = time_of (rig->clock);

  g_ptr_array_add (rig->left, buffer);
  g_array_append_val (rig->sent, now);
}

/* What has left since; parity behind what it follows. */
static void
rig_collect (Rig *rig)
{
  GstBuffer *buffer;

  while ((buffer = gst_harness_try_pull (rig->h)))
    rig_keep (rig, buffer);
  while (rig->fec && (buffer = gst_harness_try_pull (rig->fec)))
    rig_keep (rig, buffer);
}

/* In PLAYING, its clock at 1000 s; @apart: with fec_src requested. */
static Rig *
rig_new_apart (const gchar *caps, gboolean apart, const gchar *first_property, ...)
{
  Rig *rig = g_new0 (Rig, 1);

  rig->left = g_ptr_array_new_with_free_func ((GDestroyNotify) gst_buffer_unref);
  rig->sent = g_array_new (FALSE, FALSE, sizeof (GstClockTime));
  rig->e = element_new ("rtpfbrafec");
  set_properties (rig->e, first_property);
  if (apart)
    rig->fec = gst_harness_new_with_element (rig->e, NULL, "fec_src");
  rig->h = rtp_harness (rig->e, "sink", &rig->clock);
  gst_element_set_state (rig->e, GST_STATE_PLAYING);
  gst_harness_set_src_caps_str (rig->h, caps);
  rig->rtcp = rtcp_harness (rig->e, "rtcp_sink", "rtcp_src");
  return rig;
}

#define rig_new(caps, ...) rig_new_apart (caps, FALSE, __VA_ARGS__)
#define rig_new_fec(caps, ...) rig_new_apart (caps, TRUE, __VA_ARGS__)

static void
rig_free (Rig *rig)
{
  gst_harness_teardown (rig->rtcp);
  if (rig->fec)
    gst_harness_teardown (rig->fec);
  gst_harness_teardown (rig->h);
  gst_object_unref (rig->clock);
  gst_object_unref (rig->e);
  g_ptr_array_unref (rig->left);
  g_array_unref (rig->sent);
  g_free (rig);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Rig, rig_free)

static G_GNUC_UNUSED GstBuffer *
rig_packet (guint32 ssrc, guint16 seq, guint32 timestamp, gboolean marker, guint size)
{
  GstBuffer *buffer = rtp_packet (ssrc, seq, timestamp, marker, size);

  GST_BUFFER_PTS (buffer) = GST_BUFFER_DTS (buffer) = seq * GST_MSECOND;
  return buffer;
}

/* A packet of the video that is its own frame. */
static G_GNUC_UNUSED void
rig_push (Rig *rig, guint size)
{
  const guint16 seq = rig->seq++;

  fail_unless_equals_int (gst_harness_push (rig->h, rig_packet (SSRC, seq, 3000u * seq,
              TRUE, size)), GST_FLOW_OK);
  rig_collect (rig);
}

/* A controller downstream that wants more: parity until somebody reports, of the rate
 * that the smallest interval says. */
static G_GNUC_UNUSED void
want_more (Rig *rig)
{
  push_target (rig->h, 1000000);
  push_target (rig->h, 9000000);
  fail_unless (rig_is (rig, "probe"));
}

/* --- the receiver --------------------------------------------------------- */

typedef struct {
  guint16 base;
  guint n;
  RccCcfbReport reports[512];
} RigBlock;

static void
rig_block_add (RigBlock *block, guint16 seq, gboolean received, RccTime before)
{
  if (block->n == 0)
    block->base = seq;
  fail_unless ((guint16) (seq - block->base) < G_N_ELEMENTS (block->reports));
  block->n = MAX (block->n, (guint) (guint16) (seq - block->base) + 1);
  block->reports[(guint16) (seq - block->base)] = (RccCcfbReport) {
    received, RCC_ECN_NOT_ECT, before};
}

/* On what has left since the report before, up to @end, @delay after it left; the last
 * @lost of it did not arrive. */
static void
rig_report_until (Rig *rig, guint end, RccTime delay, guint lost)
{
  const RccTime made = time_of (rig->clock) + GST_SECOND;
  static RigBlock media, fec;
  guint8 data[4096];
  guint32 fec_ssrc = 0;
  gsize size = rcc_ccfb_begin (data, sizeof data, 1);

  media.n = fec.n = 0;
  for (guint i = rig->reported; i < end; i++) {
    const GstClockTime sent = g_array_index (rig->sent, GstClockTime, i);
    guint8 head[12];

    gst_buffer_extract (rig->left->pdata[i], 0, head, 12);
    if (rcc_be32 (head + 8) != SSRC)
      fec_ssrc = rcc_be32 (head + 8);
    /* the receiver's clock is a second ahead */
    rig_block_add (fec_ssrc == rcc_be32 (head + 8) ? &fec : &media, rcc_be16 (head + 2),
        i + lost < end, made - (sent + GST_SECOND + delay));
  }
  rig->reported = end;
  if (media.n)
    size = rcc_ccfb_add (data, sizeof data, size, SSRC, media.base, media.reports,
        media.n);
  if (fec.n)
    size = rcc_ccfb_add (data, sizeof data, size, fec_ssrc, fec.base, fec.reports, fec.n);
  size = rcc_ccfb_end (data, sizeof data, size,
      (guint32) gst_util_uint64_scale (made, 65536, GST_SECOND));
  fail_unless (size > 0);
  push_rtcp (rig->rtcp, data, size);
}

/* On all of it. */
static G_GNUC_UNUSED void
rig_report (Rig *rig, RccTime delay, guint lost)
{
  rig_report_until (rig, rig->left->len, delay, lost);
}

/* 240 kbit/s for 100 ms, and a report 50 ms after the last packet. */
static G_GNUC_UNUSED void
rig_round (Rig *rig, guint lost)
{
  for (guint i = 0; i < 5; i++) {
    rig_wait (rig, 20 * GST_MSECOND);
    rig_push (rig, 600);
  }
  rig_report (rig, 0, lost);
}

/* Rounds without loss until @state. */
static G_GNUC_UNUSED void
rig_rounds_until (Rig *rig, const gchar *state)
{
  for (guint i = 0; i < 100; i++) {
    rig_round (rig, 0);
    if (rig_is (rig, state))
      return;
  }
  fail ("never %s", state);
}

/* --- repair --------------------------------------------------------------- */

typedef struct {
  GPtrArray *packets;           /* GstMapInfo of all that left, all mapped */
  guint lost;                   /* index */
} RigStore;

static inline RccBytes
rig_find (void *user, uint32_t ssrc, uint16_t seq)
{
  const RigStore *store = user;

  for (guint i = 0; i < store->packets->len; i++) {
    const GstMapInfo *info = store->packets->pdata[i];

    if (i != store->lost && rcc_be16 (info->data + 2) == seq
        && rcc_be32 (info->data + 8) == ssrc)
      return (RccBytes) { info->data, info->size };
  }
  return (RccBytes) { NULL, 0 };
}

#endif
