/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "control.h"
#include "rtx.h"
#include "rtpcc/bin/regular.h"

#define ABS_SEND_TIME "http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time"
#define TRANSPORT_WIDE_ID "5"
#define TRANSPORT_WIDE \
  "http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01"

/* What RTP, abs-send-time and a transport-wide number add to an Opus packet of 20 ms. */
#define AUDIO_HEADERS_BPS (24 * 8 * 50)

/* Of a video packet, the rest being headers; the adapter knows better later. */
#define PAYLOAD_PERCENT 95

/* x264 needs room for a key frame, at VGA 16 kbit however bad it looks. Where the VBV underflows
 * there, it codes nothing but skipped pictures from then on. As the adapter's. */
#define VBV_BUFFER_MS "200"

/* Often enough for the round-trip time and the loss; the RTCP bandwidth is 5 % of the
 * session's all the same. */
#define RTCP_MIN_INTERVAL (500 * GST_MSECOND)

gchar *
call_rtp_caps_fields (const CallOptions *options)
{
  return g_strconcat ("extmap-" G_STRINGIFY (CALL_ABS_SEND_TIME_ID) "=(string)" ABS_SEND_TIME,
      ",rtcp-fb-nack-pli=(boolean)true", options->rtx ? ",rtcp-fb-nack=(boolean)true" : "", options->feedback == CALL_TWCC
      ? ",extmap-" TRANSPORT_WIDE_ID "=(string)" TRANSPORT_WIDE : NULL, NULL);
}

GstCaps *
call_pt_map (GstElement *rtpbin, guint session, guint pt, gpointer user_data)
{
  Call *call = user_data;
  g_autofree char *fields = call_rtp_caps_fields (call->options);
  g_autofree char *text = NULL;

  if (pt == CALL_FEC_PT)
    text = g_strdup_printf ("application/x-rtp,media=video,encoding-name=ULPFEC,"
        "clock-rate=90000,payload=%u,%s", pt, fields);
  else if (pt == CALL_VIDEO_PT)
    text = g_strdup_printf ("application/x-rtp,media=video,encoding-name=H264,"
        "clock-rate=90000,payload=%u,%s", pt, fields);
  else if (pt == CALL_RTX_PT)
    text = g_strdup_printf ("application/x-rtp,media=video,encoding-name=RTX,clock-rate=90000,"
        "payload=%u,apt=(string)" G_STRINGIFY (CALL_VIDEO_PT) ",%s", pt, fields);
  else if (pt == CALL_AUDIO_PT)
    text = g_strdup_printf ("application/x-rtp,media=audio,encoding-name=OPUS,"
        "clock-rate=48000,payload=%u,%s", pt, fields);
  return text ? gst_caps_from_string (text) : NULL;
}

void
call_set_up_session (Call *call, GstElement *rtpbin)
{
  GObject *session = NULL;

  g_signal_emit_by_name (rtpbin, "get-internal-session", 0, &session);
  if (!session)
    return;
  g_object_set (session, "rtcp-min-interval", (guint64) RTCP_MIN_INTERVAL, "bandwidth",
      (gdouble) call->options->max_bps, NULL);
  gst_rtp_cc_bin_keep_regular (session);
  g_object_unref (session);
}

/* On the wire of RTP. */
static guint
audio_bps (const CallOptions *options)
{
  return options->no_audio ? 0 : CALL_AUDIO_BPS + AUDIO_HEADERS_BPS;
}

/* Without delay, and as a rule a key frame only when the receiver
 * asks for one: their bursts are what congestion control has to suffer from most. */
static GstElement *
add_encoder (Call *call, GError **error)
{
  const guint gop = call->options->gop;
  guint audio = audio_bps (call->options);
  guint start = MAX (call->options->start_bps, audio + 16000) - audio;
  guint fixed = call->options->video_bps;
  g_autofree char *kbps = g_strdup_printf ("%u", (fixed ? fixed
          : start * PAYLOAD_PERCENT / 100) / 1000);
  g_autofree char *frames = g_strdup_printf ("%u", gop ? gop : 100000);

  return call->encoder = call_add (call, error, "x264enc", "tune", "zerolatency",
      "speed-preset", "superfast", "threads", "1", "key-int-max", frames,
      "bitrate", kbps, "vbv-buf-capacity", VBV_BUFFER_MS, NULL);
}

/* The mux tells it what the audio leaves. */
static GstElement *
add_adapter (Call *call, GError **error)
{
  return call->adapter = call_add (call, error, "rtpbitrateadapter", NULL);
}

/* One session for all media, so that one controller sees everything that goes over
 * the link: they meet here.  The audio, of a rate that is known, takes no more of the
 * target than that.  Without a controller nothing says a rate. */
static gboolean
add_mux (Call *call, GError **error)
{
  const CallOptions *o = call->options;

  call->mux = call_add (call, error, "rtpsbpnmux", "mode", o->scheduler, "rate-control",
      call_mux_rate_control (o), "pacing-factor", call_mux_pacing_factor (o), NULL);
  if (!call->mux || o->no_audio)
    return call->mux != NULL;
  gst_object_unref (gst_element_request_pad_simple (call->mux, CALL_AUDIO_PAD));
  gst_child_proxy_set (GST_CHILD_PROXY (call->mux), CALL_AUDIO_PAD "::max-bitrate",
      audio_bps (o), NULL);
  return TRUE;
}

static gboolean
add_video (Call *call, GstElement *source, GError **error)
{
  g_autofree char *fields = call_rtp_caps_fields (call->options);
  GstElement *queue, *encoder, *adapter = NULL, *rtx = NULL, *pay, *filter;

  /* An encoder that cannot keep up drops pictures, as in any live call. */
  queue = call->intake = call_add (call, error, "queue", "max-size-buffers", "2", "leaky",
      "downstream", NULL);
  encoder = add_encoder (call, error);
  if (!call->options->video_bps && !(adapter = add_adapter (call, error)))
    return FALSE;
  pay = call_add (call, error, "rtph264pay", "config-interval", "-1", "aggregate-mode",
      "zero-latency", "mtu", "1200", "pt", G_STRINGIFY (CALL_VIDEO_PT), NULL);
  filter = call_filter (call, error, "application/x-rtp,%s", fields);
  if (pay)
    g_object_set (pay, "ssrc", call->video_ssrc, NULL);
  call->video_pay = pay;
  if (call->options->rtx && !(rtx = call_add_rtx_sender (call, error)))
    return FALSE;
  return queue && encoder && pay && filter
      && call_chain (error, source, queue, encoder, NULL)
      && (!adapter || call_chain (error, encoder, adapter, NULL))
      && call_chain (error, adapter ? adapter : encoder, pay, filter, NULL)
      && (!rtx || call_chain (error, filter, rtx, NULL))
      && call_link (error, rtx ? rtx : filter, "src", call->mux, CALL_VIDEO_PAD);
}

static gboolean
add_audio (Call *call, GstElement *source, GError **error)
{
  g_autofree char *fields = call_rtp_caps_fields (call->options);
  GstElement *queue, *encoder, *pay, *filter;

  queue = call_add (call, error, "queue", "max-size-time", "200000000", "leaky",
      "downstream", NULL);
  encoder = call_add (call, error, "opusenc", "bitrate", G_STRINGIFY (CALL_AUDIO_BPS), NULL);
  pay = call_add (call, error, "rtpopuspay", "pt", G_STRINGIFY (CALL_AUDIO_PT), NULL);
  filter = call_filter (call, error, "application/x-rtp,%s", fields);
  call->audio_pay = pay;
  return queue && encoder && pay && filter
      && call_chain (error, source, queue, encoder, pay, filter, NULL)
      && call_link (error, filter, "src", call->mux, CALL_AUDIO_PAD);
}

/* The picture as it was taken, for PSNR: with the receiver in the same process. */
static GstElement *
add_reference (Call *call, GstElement *source, GError **error)
{
  g_autofree char *depth = g_strdup_printf ("%d", 6 * call->options->fps);
  GstElement *stamp = call_add (call, error, "framestamp", NULL);
  GstElement *tee = call_add (call, error, "tee", NULL);
  GstElement *queue = call_add (call, error, "queue", NULL);

  call->psnr = call_add (call, error, "psnr", "mode", "live", "max-size-buffers", depth,
      NULL);
  if (!stamp || !tee || !queue || !call->psnr
      || !call_chain (error, source, stamp, tee, queue, NULL)
      || !call_link (error, queue, "src", call->psnr, "ref_sink"))
    return NULL;
  return tee;
}

gboolean
call_add_sender (Call *call, GError **error)
{
  gboolean with_audio = !call->options->no_audio;
  GstElement *video = NULL, *audio = NULL, *stamp = NULL;

  /* Random (RFC 3550 8.1): who starts again is another source. 0 is that of none. */
  call->video_ssrc = (guint32) g_random_int_range (1, G_MAXINT32);
  if (!call_add_source (call, &video, with_audio ? &audio : NULL, error)
      || (call->options->mode == CALL_BOTH
          && !(video = add_reference (call, video, error)))
      || (call->options->stamp && !(stamp = call_add (call, error, "framestamp", NULL)))
      || (stamp && !call_chain (error, video, stamp, NULL)))
    return FALSE;
  video = stamp ? stamp : video;
  call->send_rtpbin = call_add (call, error, "rtpbin", "rtp-profile", "avpf", NULL);
  if (!call->send_rtpbin || !add_mux (call, error) || !add_video (call, video, error)
      || (with_audio && !add_audio (call, audio, error)) || !call_add_control (call, error))
    return FALSE;
  g_signal_connect (call->send_rtpbin, "request-pt-map", G_CALLBACK (call_pt_map), call);
  call_set_up_session (call, call->send_rtpbin);
  return TRUE;
}
