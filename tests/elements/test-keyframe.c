/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Where a key frame begins in RTP payloads (RFC 6184, 7741, 7798, 9628, AV1's).
 */
#include "rig.h"
#include "rtpcc/bin/keyframe.h"

typedef struct
{
  const gchar *codec;
  gboolean is_key;
  guint size;
  guint8 payload[12];
} Case;

static const Case cases[] = {
  {"H264", TRUE, 2, {0x65, 0x88}},              /* an IDR slice */
  {"H264", TRUE, 2, {0x67, 0x42}},              /* parameters */
  {"H264", FALSE, 2, {0x41, 0x9a}},             /* another slice */
  {"H264", TRUE, 3, {0x7c, 0x85, 0x88}},        /* the first fragment of an IDR slice */
  {"H264", FALSE, 3, {0x7c, 0x05, 0x88}},       /* a later one */
  {"H264", FALSE, 3, {0x7c, 0x81, 0x88}},
  {"H264", FALSE, 1, {0x7c}},
  {"H264", TRUE, 9, {0x78, 0, 1, 0x09, 0, 2, 0x65, 0x88, 0}},   /* a delimiter and an IDR slice */
  {"H264", FALSE, 7, {0x78, 0, 1, 0x09, 0, 1, 0x41}},
  {"H264", FALSE, 5, {0x78, 0, 0, 0x05, 0x65}},                 /* a unit of no bytes */
  {"H264", FALSE, 6, {0x78, 0xff, 0xff, 0x41, 0x65, 0x65}},     /* longer than the packet */
  {"H264", FALSE, 1, {0x78}},
  {"H265", TRUE, 3, {19 << 1, 1, 0xaf}},        /* IDR_W_RADL */
  {"H265", TRUE, 3, {33 << 1, 1, 1}},
  {"H265", FALSE, 3, {1 << 1, 1, 0xd0}},        /* TRAIL_R */
  {"H265", FALSE, 3, {22 << 1, 1, 0xd0}},       /* reserved, behind the last */
  {"H265", TRUE, 4, {49 << 1, 1, 0x80 | 20, 0}},
  {"H265", FALSE, 4, {49 << 1, 1, 20, 0}},
  {"H265", FALSE, 2, {49 << 1, 1}},
  {"H265", TRUE, 10, {48 << 1, 1, 0, 2, 35 << 1, 1, 0, 2, 19 << 1, 1}},
  {"H265", FALSE, 10, {48 << 1, 1, 0, 2, 35 << 1, 1, 0, 2, 1 << 1, 1}},
  {"H265", FALSE, 2, {48 << 1, 1}},
  {"VP8", TRUE, 2, {0x10, 0x00}},
  {"VP8", FALSE, 2, {0x10, 0x01}},
  {"VP8", FALSE, 2, {0x00, 0x00}},              /* not its beginning */
  {"VP8", FALSE, 2, {0x11, 0x00}},              /* another partition */
  {"VP8", TRUE, 7, {0x90, 0xf0, 0x81, 0x01, 1, 1, 0x00}},       /* a long picture id, TL0, TID */
  {"VP8", FALSE, 7, {0x90, 0xf0, 0x81, 0x00, 0, 0, 0x01}},
  {"VP8", TRUE, 4, {0x90, 0x80, 0x01, 0x00}},                   /* a short one */
  {"VP8", TRUE, 4, {0x90, 0x40, 0x01, 0x00}},                   /* TL0 alone */
  {"VP8", TRUE, 4, {0x90, 0x20, 0x01, 0x00}},                   /* TID alone */
  {"VP8", TRUE, 4, {0x90, 0x10, 0x01, 0x00}},                   /* the key's index alone */
  {"VP8", FALSE, 2, {0x90, 0x80}},              /* ends before it */
  {"VP8", FALSE, 1, {0x90}},
  {"VP8", FALSE, 1, {0x10}},
  {"VP9", TRUE, 2, {0x08, 0}},
  {"VP9", FALSE, 2, {0x48, 0}},                 /* predicted */
  {"VP9", FALSE, 2, {0x00, 0}},                 /* not its beginning */
  {"AV1", TRUE, 2, {0x18, 0}},
  {"AV1", FALSE, 2, {0x10, 0}},
  {"h264", TRUE, 1, {0x65}},                    /* names have no case (RFC 4855 3) */
  {"H264", FALSE, 0, {0}},                      /* padding alone */
};

TEST (test_key_frames)
{
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    const Case *c = &cases[i];
    GstBuffer *buffer = rtp_packet (1, 1, 1, TRUE, 12 + c->size);

    gst_buffer_fill (buffer, 12, c->payload, c->size);
    fail_unless_equals_int (gst_rtp_cc_bin_begins_key_frame (gst_rtp_cc_bin_is_key_of (c->codec),
            buffer), c->is_key);
    gst_buffer_unref (buffer);
  }
}

TEST (test_nobody_knows)
{
  GstBuffer *stray = gst_buffer_new_allocate (NULL, 3, NULL);

  gst_buffer_memset (stray, 0, 0x65, 3);
  fail_if (gst_rtp_cc_bin_begins_key_frame (gst_rtp_cc_bin_is_key_of ("H264"), stray));
  fail_if (gst_rtp_cc_bin_is_key_of ("OPUS"));
  fail_if (gst_rtp_cc_bin_is_key_of (NULL));
  gst_buffer_unref (stray);
}

TEST_MAIN (keyframe);
