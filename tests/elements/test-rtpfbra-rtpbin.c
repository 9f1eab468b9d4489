/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* rtpfbrafec and rtpfbrareceiver around two real rtpbins, with a linksim for the network
 * and XR as the only feedback per packet.  In real time, so it waits for what must come and
 * times nothing. */
#include "call-rig.h"
#include "core/fbra/state.h"

#define DELAY (20 * GST_MSECOND)        /* of the link, each way */
#define FEC_PT 122

typedef struct {
  GstElement *pipeline, *fec, *receiver, *link;
  gint states;                  /* atomic: those that were seen, as bits */
  GMutex lock;
  guint parity;                 /* packets of it that left rtpfbrafec */
  guint events, share, base;    /* the encoder's share of the target, bit/s */
  guint parity_at_base;         /* parity sent when the share became base */
  guint steps, unproved;        /* increases; those without parity since the last */
} Call;

/* --- what is watched ------------------------------------------------------ */

static void
on_state (GObject *fec, GParamSpec *pspec, gpointer data)
{
  gint state;

  g_object_get (fec, "state", &state, NULL);
  g_atomic_int_or (&((Call *) data)->states, 1u << state);
}

static void
take_packet (Call *call, GstBuffer *buffer)
{
  guint8 head[12];

  fail_unless_equals_int (gst_buffer_extract (buffer, 0, head, 12), 12);
  g_mutex_lock (&call->lock);
  if ((head[1] & 0x7f) == FEC_PT)
    call->parity++;
  g_mutex_unlock (&call->lock);
}

static GstPadProbeReturn
on_packets (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  if (info->type & GST_PAD_PROBE_TYPE_BUFFER) {
    take_packet (data, GST_PAD_PROBE_INFO_BUFFER (info));
  } else {
    GstBufferList *list = GST_PAD_PROBE_INFO_BUFFER_LIST (info);

    for (guint i = 0; i < gst_buffer_list_length (list); i++)
      take_packet (data, gst_buffer_list_get (list, i));
  }
  return GST_PAD_PROBE_OK;
}

/* With the lock.  What is within 3 % of what has passed is no step, as it says nothing new;
 * nor is it one to make room for parity and to take that back. */
static void
take_share (Call *call, guint share, gboolean probing)
{
  call->share = share;
  if (call->events++ > 0 && share <= call->base * 103 / 100
      && (share >= call->base || probing))
    return;
  if (call->events > 1 && share > call->base) {
    call->steps++;
    call->unproved += call->parity == call->parity_at_base;
  }
  call->base = share;
  call->parity_at_base = call->parity;
}

static GstPadProbeReturn
on_upstream (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  const GstStructure *s = gst_event_get_structure (GST_PAD_PROBE_INFO_EVENT (info));
  Call *call = data;
  guint target, parity;

  if (!s || !gst_structure_has_name (s, "GstRtpTargetBitrate"))
    return GST_PAD_PROBE_OK;
  fail_unless (gst_structure_get (s, "target-bitrate", G_TYPE_UINT, &target, "fec-bitrate",
          G_TYPE_UINT, &parity, NULL));
  g_mutex_lock (&call->lock);
  take_share (call, target - parity, parity > 0);
  g_mutex_unlock (&call->lock);
  return GST_PAD_PROBE_OK;
}

static guint
get (Call *call, const guint *member)
{
  guint value;

  g_mutex_lock (&call->lock);
  value = *member;
  g_mutex_unlock (&call->lock);
  return value;
}

/* --- the call ------------------------------------------------------------- */

static GstCaps *
give_caps (GstElement *rtpbin, guint session, guint pt, gpointer data)
{
  return gst_caps_new_simple ("application/x-rtp", "media", G_TYPE_STRING, "video",
      "clock-rate", G_TYPE_INT, 90000, "encoding-name", G_TYPE_STRING,
      pt == FEC_PT ? "ULPFEC" : "JPEG", "payload", G_TYPE_INT, (gint) pt, NULL);
}

static void
prepare_bin (GstElement *pipeline, const gchar *name)
{
  g_autoptr (GstElement) rtpbin = gst_bin_get_by_name (GST_BIN (pipeline), name);

  g_signal_connect (rtpbin, "request-pt-map", G_CALLBACK (give_caps), NULL);
  g_signal_connect (rtpbin, "pad-added", G_CALLBACK (on_stream), pipeline);
  hurry (rtpbin);
}

static void
watch (Call *call, GstPadProbeType type, const gchar *name, GstPadProbeCallback callback)
{
  g_autoptr (GstPad) pad = gst_element_get_static_pad (call->fec, name);

  gst_pad_add_probe (pad, type, callback, call, NULL);
}

/* MJPEG of about 250 kbit/s over 1 Mbit/s; @controller stands behind rtpfbrafec, and the RTCP
 * that comes in runs through @heard as well. */
static Call *
call_start (const gchar *settings, const gchar *controller, const gchar *heard)
{
  Call *call = g_new0 (Call, 1);
  gchar *line = g_strdup_printf ("videotestsrc is-live=true pattern=ball "
      "! video/x-raw,format=I420,width=160,height=120,framerate=30/1 ! jpegenc quality=40 "
      "! rtpjpegpay mtu=400 ! rtpfbrafec name=fec %s %s ! tx.send_rtp_sink_0 "
      "linksim name=link rtpfbrareceiver name=receiver "
      "rtpbin name=tx rtp-profile=avpf rtpbin name=rx rtp-profile=avpf "
      "tx.send_rtp_src_0 ! link.sink link.src ! receiver.sink "
      "receiver.src ! rx.recv_rtp_sink_0 "
      "tx.send_rtcp_src_0 ! fec.send_rtcp_sink fec.send_rtcp_src ! link.fwd_sink_0 "
      "link.fwd_src_0 ! receiver.recv_rtcp_sink receiver.recv_rtcp_src "
      "! rx.recv_rtcp_sink_0 "
      "rx.send_rtcp_src_0 ! receiver.rtcp_sink receiver.rtcp_src ! link.rev_sink_0 "
      "link.rev_src_0 ! fec.rtcp_sink fec.rtcp_src %s ! tx.recv_rtcp_sink_0",
      settings, controller, heard);

  call->pipeline = parse_call (line);
  g_mutex_init (&call->lock);
  call->fec = gst_bin_get_by_name (GST_BIN (call->pipeline), "fec");
  call->receiver = gst_bin_get_by_name (GST_BIN (call->pipeline), "receiver");
  call->link = gst_bin_get_by_name (GST_BIN (call->pipeline), "link");
  g_object_set (call->link, "bandwidth", (guint64) 1000000, "delay",
      (guint64) DELAY, NULL);
  g_signal_connect (call->fec, "notify::state", G_CALLBACK (on_state), call);
  watch (call, GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_BUFFER_LIST, "src",
      on_packets);
  watch (call, GST_PAD_PROBE_TYPE_EVENT_UPSTREAM, "sink", on_upstream);
  prepare_bin (call->pipeline, "tx");
  prepare_bin (call->pipeline, "rx");
  play_call (call->pipeline);
  return call;
}

static gboolean
seen (Call *call, RccFbraState state)
{
  return (g_atomic_int_get (&call->states) & 1 << state) != 0;
}

static void
call_end (Call *call)
{
  fail_unless_equals_uint64 (stat_of (call->receiver, "rtcp-truncated"), 0);
  gst_object_unref (call->fec);
  gst_object_unref (call->receiver);
  gst_object_unref (call->link);
  end_call (call->pipeline);
  g_mutex_clear (&call->lock);
  g_free (call);
}

/* --- the tests ------------------------------------------------------------ */

#define OWN "start-bitrate=150000 max-bitrate=900000 tuning=tuning,owd-floor=500000000"

/* What XR says makes it probe, and take what has passed; the parity crosses two rtpbins. */
TEST (test_probes)
{
  Call *call = call_start (OWN, "", "");

  await (call->pipeline, seen (call, RCC_FBRA_PROBE));
  await (call->pipeline, seen (call, RCC_FBRA_UP));
  await (call->pipeline, get (call, &call->share) > 150000);
  fail_unless (get (call, &call->parity) > 0);
  fail_unless (stat_of (call->fec, "probes-passed") > 0);
  fail_unless_equals_uint64 (stat_of (call->fec, "probes-without-parity"), 0);
  fail_unless (stat_of (call->receiver, "reported-received") > 0);
  call_end (call);
}

/* DLRR in the SRs that go by: both ends know the round trip, no less than it is. */
TEST (test_round_trip)
{
  Call *call = call_start (OWN, "", "");

  await (call->pipeline, stat_of (call->receiver, "rtt") < 5 * DELAY);
  fail_unless (stat_of (call->receiver, "rtt") >= 2 * DELAY - GST_MSECOND);
  await (call->pipeline, stat_of (call->fec, "rtt-min") < 5 * DELAY);
  fail_unless (stat_of (call->fec, "rtt-min") >= 2 * DELAY - GST_MSECOND);
  call_end (call);
}

/* Loss RLE: what the link drops is what makes it go down. */
TEST (test_losses)
{
  Call *call = call_start (OWN, "", "");
  guint64 lost;

  await (call->pipeline, seen (call, RCC_FBRA_UP));
  lost = stat_of (call->receiver, "reported-lost");
  g_atomic_int_set (&call->states, 0);
  g_object_set (call->link, "loss", 0.3, NULL);
  await (call->pipeline, stat_of (call->receiver, "reported-lost") > lost);
  await (call->pipeline, seen (call, RCC_FBRA_DOWN));
  await (call->pipeline, stat_of (call->fec, "losses") > 0);
  await (call->pipeline, stat_of (call->fec, "undershoots") > 0);
  await (call->pipeline, stat_of (call->receiver, "feedback-early") > 0);
  call_end (call);
}

/* Discard RLE: the path is suddenly longer than max-delay. */
TEST (test_discards)
{
  Call *call = call_start (OWN, "", "");

  await (call->pipeline, seen (call, RCC_FBRA_UP));
  g_atomic_int_set (&call->states, 0);
  g_object_set (call->link, "delay", (guint64) 800 * GST_MSECOND, NULL);
  await (call->pipeline, stat_of (call->receiver, "packets-late") > 0);
  await (call->pipeline, stat_of (call->receiver, "reported-late") > 0);
  await (call->pipeline, seen (call, RCC_FBRA_DOWN));
  await (call->pipeline, stat_of (call->fec, "discards") > 0);
  call_end (call);
}

/* GCC decides, by the same XR; none of its increases reaches the encoder before parity has
 * been sent for it, and its decreases do. */
TEST (test_external)
{
  Call *call = call_start ("probe-for=external", "! rtpgccsender name=cc tuning=tuning,probe-interval=0 "
      "start-bitrate=150000 max-bitrate=900000", "! cc.rtcp_sink cc.rtcp_src");
  GstElement *cc = gst_bin_get_by_name (GST_BIN (call->pipeline), "cc");

  await (call->pipeline, get (call, &call->events) > 0);
  await (call->pipeline, seen (call, RCC_FBRA_PROBE));
  await (call->pipeline, get (call, &call->steps) >= 2);
  fail_unless (stat_of (cc, "feedback-count") > 0);
  fail_unless (stat_of (cc, "probe-count") == 0);
  fail_unless (get (call, &call->parity) > 0);
  await (call->pipeline, stat_of (call->fec, "probes-passed") >= 2);
  g_object_set (cc, "max-bitrate", 100000, NULL);
  await (call->pipeline, get (call, &call->share) <= 100000);
  fail_unless_equals_int (get (call, &call->unproved), 0);
  gst_object_unref (cc);
  call_end (call);
}

SUITE (rtpfbra_rtpbin)
{
  allow_loops ();
  tcase_set_timeout (tc, 60);
}
