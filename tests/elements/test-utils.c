/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rig.h"

#include "rtpcc/adapter/encoders.h"
#include "rtpcc/adapter/scaler.h"
#include "rtpcc/common/utils.h"

typedef struct {
  uint32_t u32;
  uint64_t u64;
  int64_t i64;
  double d;
  RccTime time;
  bool b;
  const char *s;
} Numbers;

static const RccField fields[] = {
  RCC_FIELD (Numbers, u32, "a-u32", RCC_U32, "bit/s"),
  RCC_FIELD (Numbers, u64, "a-u64", RCC_U64, ""),
  RCC_FIELD (Numbers, i64, "an-i64", RCC_I64, ""),
  RCC_FIELD (Numbers, d, "a-double", RCC_DOUBLE, ""),
  RCC_FIELD (Numbers, time, "a-time", RCC_TIME, "ns"),
  RCC_FIELD (Numbers, b, "a-bool", RCC_BOOL, ""),
  RCC_FIELD (Numbers, s, "a-string", RCC_STRING, ""),
  RCC_FIELDS_END
};

TEST (test_stats)
{
  Numbers n = { G_MAXUINT, 1, G_MININT64, 0.25, RCC_NEVER, true, "why" };
  g_autoptr (GstStructure) s = gst_rtp_cc_stats_new ("application/x-test", fields, &n);
  guint u;
  guint64 u64, time;
  gint64 i64;
  gdouble d;
  gboolean b;

  assert_equals_string (gst_structure_get_name (s), "application/x-test");
  assert_equals_int (gst_structure_n_fields (s), 7);
  fail_unless (gst_structure_get (s, "a-u32", G_TYPE_UINT, &u, "a-u64",
          G_TYPE_UINT64, &u64, "an-i64", G_TYPE_INT64, &i64, "a-double",
          G_TYPE_DOUBLE, &d, "a-time", G_TYPE_UINT64, &time, "a-bool",
          G_TYPE_BOOLEAN, &b, NULL));
  fail_unless (u == G_MAXUINT && u64 == 1 && i64 == G_MININT64 && d == 0.25
      && time == GST_CLOCK_TIME_NONE && b);
  assert_equals_string (gst_structure_get_string (s, "a-string"), "why");

  n.u32 = 3;
  gst_rtp_cc_stats_add (s, fields, &n);
  assert_equals_int (gst_structure_n_fields (s), 7);
  fail_unless (gst_structure_get_uint (s, "a-u32", &u) && u == 3);
}

static const struct {
  const gchar *caps;
  guint8 id;
} extmaps[] = {
  {"application/x-rtp, extmap-3=(string)uri:x", 3},
  {"application/x-rtp, extmap-255=(string)uri:x", 255},
  {"application/x-rtp, extmap-9=(string)uri:x, extmap-2=(string)uri:x", 2},
  {"application/x-rtp, extmap-5=<(string)sendonly,(string)uri:x,(string)\"\">", 5},
  {"application/x-rtp, extmap-1=(string)uri:y, extmap-7=(string)uri:x", 7},
  {"application/x-rtp", 0},
  {"application/x-rtp, extmap-0=(string)uri:x", 0},
  {"application/x-rtp, extmap-256=(string)uri:x", 0},
  {"application/x-rtp, extmap-=(string)uri:x", 0},
  {"application/x-rtp, extmap-1a=(string)uri:x", 0},
  {"application/x-rtp, extmap--1=(string)uri:x", 0},
  {"application/x-rtp, extmap-4=(int)4", 0},
  {"application/x-rtp, extmap-4=<(string)uri:x>", 0},
  {"application/x-rtp, extmap-4=<1,2,3>", 0},
  {"ANY", 0},
  {"EMPTY", 0},
};

TEST_EACH (test_extension_id, G_N_ELEMENTS (extmaps))
{
  g_autoptr (GstCaps) caps = gst_caps_from_string (extmaps[__i__].caps);

  fail_unless (caps != NULL);
  fail_unless_equals_int (gst_rtp_cc_extension_id (caps, "uri:x"),
      extmaps[__i__].id);
}

/* A header of 12 + 4 + 8 bytes with the one-byte
 * elements 3 (abs-send-time) and 5 (two bytes), then a payload of 100 bytes. */
#define HEADER_SIZE 24
static const guint8 header[HEADER_SIZE] = {
  0x90, 96, 0, 7, 0, 0, 0, 1, 0xde, 0xad, 0xbe, 0xef,
  0xbe, 0xde, 0, 2, 0x32, 1, 2, 3, 0x51, 8, 9, 0
};

/* The packet in memories that end at each of @cuts (0 ends them). */
static GstBuffer *
packet_in (const gsize *cuts)
{
  guint8 bytes[HEADER_SIZE + 100] = { 0 };
  GstBuffer *buffer = gst_buffer_new ();
  gsize from = 0, to;

  memcpy (bytes, header, HEADER_SIZE);
  do {
    to = *cuts ? *cuts++ : sizeof bytes;
    gst_buffer_append_memory (buffer, gst_memory_new_wrapped (0,
            g_memdup2 (bytes + from, MAX (to - from, 1)), to - from, 0,
            to - from, NULL, NULL));
    from = to;
  } while (to < sizeof bytes);
  return buffer;
}

static void
free_wrapped (GstBuffer *buffer, GPtrArray *datas)
{
  gst_buffer_unref (buffer);
  g_ptr_array_unref (datas);
}

/* gst_memory_new_wrapped() above has no notify, so that the bytes can still be
 * read after a copy-on-write. */
static GPtrArray *
datas_of (GstBuffer *buffer)
{
  GPtrArray *datas = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < gst_buffer_n_memory (buffer); i++) {
    GstMapInfo info;
    GstMemory *memory = gst_buffer_peek_memory (buffer, i);

    fail_unless (gst_memory_map (memory, &info, GST_MAP_READ));
    g_ptr_array_add (datas, info.data);
    gst_memory_unmap (memory, &info);
  }
  return datas;
}

static const gsize layouts[][4] = {
  {0}, {HEADER_SIZE, 0}, {12, 0}, {1, 0}, {12, 16, HEADER_SIZE, 0}, {20, 60, 0}
};

TEST_EACH (test_packet_map, G_N_ELEMENTS (layouts))
{
  GstBuffer *buffer = packet_in (layouts[__i__]);
  GPtrArray *datas = datas_of (buffer);
  GstRtpCcPacket packet;
  RccBytes value;

  fail_unless (gst_rtp_cc_packet_map (buffer, &packet));
  assert_equals_int (packet.rtp.header_size, HEADER_SIZE);
  assert_equals_int (packet.rtp.seq, 7);
  assert_equals_int (packet.rtp.ssrc, 0xdeadbeef);
  fail_unless (packet.bytes.size >= HEADER_SIZE);
  /* No more is mapped, and so perhaps copied, than it takes. */
  if (layouts[__i__][0] >= HEADER_SIZE)
    assert_equals_int (packet.bytes.size, layouts[__i__][0]);
  fail_unless (rcc_rtp_ext (&packet.rtp, 5, &value) && value.size == 2
      && value.data[0] == 8);
  gst_rtp_cc_packet_unmap (&packet);
  free_wrapped (buffer, datas);
}

TEST (test_packet_map_refuses)
{
  guint8 bytes[HEADER_SIZE];
  GstRtpCcPacket packet;
  GstBuffer *buffer = gst_buffer_new ();
  gsize i;

  fail_if (gst_rtp_cc_packet_map (buffer, &packet));
  gst_buffer_unref (buffer);
  for (i = 1; i < HEADER_SIZE; i++) {
    buffer = gst_buffer_new_memdup (header, i);
    fail_if (gst_rtp_cc_packet_map (buffer, &packet), "%u bytes", (guint) i);
    gst_buffer_append (buffer, gst_buffer_new ());
    fail_if (gst_rtp_cc_packet_map (buffer, &packet));
    gst_buffer_unref (buffer);
  }
  memcpy (bytes, header, HEADER_SIZE);
  bytes[0] = 0x50;              /* version 1 */
  buffer = gst_buffer_append (gst_buffer_new_memdup (bytes, HEADER_SIZE),
      gst_buffer_new_allocate (NULL, 10, NULL));
  fail_if (gst_rtp_cc_packet_map (buffer, &packet));
  gst_buffer_unref (buffer);
}

/* Behind a funnel of two there is no telling whose rate to set. */
TEST (test_encoder_behind_a_funnel)
{
  GstElement *bin = gst_bin_new (NULL), *found;
  GstElement *encoder = gst_element_factory_make ("opusenc", NULL);
  GstElement *funnel = gst_element_factory_make ("funnel", NULL);
  GstElement *last = gst_element_factory_make ("identity", NULL);
  GstPad *sink = gst_element_get_static_pad (last, "sink"), *second;

  fail_unless (gst_rtp_cc_encoder_find (sink) == NULL);
  gst_bin_add_many (GST_BIN (bin), encoder, funnel, last, NULL);
  fail_unless (gst_element_link_many (encoder, funnel, last, NULL));
  found = gst_rtp_cc_encoder_find (sink);
  fail_unless (found == encoder);
  gst_object_unref (found);

  second = gst_element_request_pad_simple (funnel, "sink_%u");
  fail_unless (gst_rtp_cc_encoder_find (sink) == NULL);
  gst_object_unref (second);
  gst_object_unref (sink);
  gst_object_unref (bin);
}

TEST (test_scale_step)
{
  gdouble bits;
  guint i;

  assert_equals_int (gst_rtp_cc_scale_step (0, 0.1, 0.1), 0);
  assert_equals_int (gst_rtp_cc_scale_step (0, 0.099, 0.1), 1);
  assert_equals_int (gst_rtp_cc_scale_step (0, 0., 0.1), 4);
  assert_equals_int (gst_rtp_cc_scale_step (4, 1., 0.1), 0);
  /* 9/16 of the pixels: 1.78 times the bits. */
  assert_equals_int (gst_rtp_cc_scale_step (0, 0.0563, 0.1), 1);
  assert_equals_int (gst_rtp_cc_scale_step (0, 0.0562, 0.1), 2);
  /* Back up only with a margin. */
  assert_equals_int (gst_rtp_cc_scale_step (1, 0.139, 0.1), 1);
  assert_equals_int (gst_rtp_cc_scale_step (1, 0.141, 0.1), 0);
  /* Whatever the rate, a step once taken is kept. */
  for (bits = 0.0005; bits < 0.3; bits *= 1.01) {
    for (i = 0; i < GST_RTP_CC_SCALE_STEPS; i++) {
      guint step = gst_rtp_cc_scale_step (i, bits, 0.1);

      fail_unless_equals_int (gst_rtp_cc_scale_step (step, bits, 0.1), step);
    }
  }
}

TEST_MAIN (utils);
