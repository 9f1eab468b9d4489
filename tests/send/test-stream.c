/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <glib.h>
#include "send/path.h"

static RccSsrcs streams;

static void
note (RccSendStream *s, RccMedia media, guint32 size, guint32 timestamp, bool marker)
{
  static const guint8 header[12] = { 0x80, 96 };

  rcc_send_stream_note (s, &(RccSendPacket) { .rtp = true, .media = media, .size = size,
    .timestamp = timestamp, .marker = marker, .header = header, .header_size = 12 });
}

static void
the_one_used_longest_ago_makes_room (void)
{
  rcc_ssrcs_forget (&streams);
  g_assert_null (rcc_ssrcs_find (&streams, 1));
  for (guint32 i = 1; i <= RCC_SSRCS; i++)
    rcc_send_stream_get (&streams, i)->deltas = true;
  rcc_send_stream_get (&streams, 1);
  g_assert_false (rcc_send_stream_get (&streams, 100)->deltas);
  g_assert_null (rcc_ssrcs_find (&streams, 2));
  g_assert_nonnull (rcc_ssrcs_find (&streams, 1));
  g_assert_nonnull (rcc_ssrcs_find (&streams, 3));
}

/* Behind rtpfunnel nobody says what is what. */
static void
tells_audio_from_video (void)
{
  RccSendStream *s;

  rcc_ssrcs_forget (&streams);
  s = rcc_send_stream_get (&streams, 1);
  for (guint32 i = 0; i < 10; i++)
    note (s, RCC_MEDIA_UNKNOWN, 120, i * 960, i == 0);
  g_assert_true (rcc_send_stream_is_audio (s));
  s = rcc_send_stream_get (&streams, 2);       /* L16, 20 ms: large, but never video */
  for (guint32 i = 0; i < 10; i++)
    note (s, RCC_MEDIA_UNKNOWN, 1100, i * 960, i == 0);
  g_assert_false (rcc_send_stream_is_audio (s));
  g_assert_cmpint (s->media, ==, RCC_MEDIA_UNKNOWN);
  s = rcc_send_stream_get (&streams, 3);
  note (s, RCC_MEDIA_UNKNOWN, 1200, 3000, false);
  note (s, RCC_MEDIA_UNKNOWN, 700, 3000, true);
  g_assert_cmpint (s->media, ==, RCC_MEDIA_VIDEO);
  s = rcc_send_stream_get (&streams, 4);       /* frames of one packet each */
  note (s, RCC_MEDIA_UNKNOWN, 700, 3000, true);
  note (s, RCC_MEDIA_UNKNOWN, 700, 6000, true);
  g_assert_cmpint (s->media, ==, RCC_MEDIA_VIDEO);
  s = rcc_send_stream_get (&streams, 5);
  note (s, RCC_MEDIA_AUDIO, 1200, 3000, true);
  g_assert_true (rcc_send_stream_is_audio (s));
}

static void
padding_follows_the_last_frame (void)
{
  guint8 bytes[RCC_SEND_HEADER_MAX + RCC_SEND_PADDING_SIZE];
  RccSendStream *s;
  RccRtp rtp;

  rcc_ssrcs_forget (&streams);
  s = rcc_send_stream_get (&streams, 1);
  note (s, RCC_MEDIA_VIDEO, 100, 3000, true);
  g_assert_cmpuint (s->header_size, ==, 0);     /* speech would look alike */
  note (s, RCC_MEDIA_VIDEO, 1200, 6000, false);
  g_assert_cmpuint (s->header_size, ==, 0);
  note (s, RCC_MEDIA_VIDEO, 1200, 6000, true);
  g_assert_cmpuint (s->header_size, ==, 12);
  g_assert_cmpuint (rcc_send_stream_pad (s, 0x1234, bytes), ==, 12 + 255);
  g_assert_true (rcc_rtp_parse ((RccBytes) { bytes, 267 }, &rtp));
  g_assert_true (rtp.padding);
  g_assert_false (rtp.marker);
  g_assert_cmpuint (rtp.seq, ==, 0x1234);
  g_assert_cmpint (rcc_rtp_padding ((RccBytes) { bytes, 267 }, &rtp), ==, 255);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  rcc_ssrcs_init (&streams, sizeof (RccSendStream), g_realloc);
  g_test_add_func ("/stream/the-one-used-longest-ago-makes-room",
      the_one_used_longest_ago_makes_room);
  g_test_add_func ("/stream/tells-audio-from-video", tells_audio_from_video);
  g_test_add_func ("/stream/padding-follows-the-last-frame", padding_follows_the_last_frame);
  return g_test_run ();
}
