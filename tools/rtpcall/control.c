/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "control.h"
#include "peer.h"
#include "repair.h"

static GstElement *
add_limited (Call *call, GError **error, const char *factory)
{
  const CallOptions *o = call->options;
  GstElement *element = call_add (call, error, factory, NULL);

  if (element)
    g_object_set (element, "min-bitrate", o->min_bps, "start-bitrate", o->start_bps,
        "max-bitrate", o->max_bps, NULL);
  return element;
}

const char *
call_mux_rate_control (const CallOptions *options)
{
  if (options->element == CALL_NOTHING || options->element == CALL_PEER)
    return "none";                      /* a peer has a pacer of its own */
  return options->element == CALL_MUX ? "tfrc" : "external";
}

/* GCC's own pacing factor: what waits does so in the mux, in order of worth. */
const char *
call_mux_pacing_factor (const CallOptions *options)
{
  return !options->profile ? "1.0" : g_str_equal (options->profile, "default") ? "1.05" : "2.5";
}

static gboolean
add_controller (Call *call, GError **error)
{
  const CallOptions *o = call->options;
  gchar *tuning;

  switch (o->element) {
    case CALL_NOTHING:
      return TRUE;
    case CALL_MUX:
      g_object_set (call->mux, "min-bitrate", o->min_bps, "start-bitrate", o->start_bps,
          "max-bitrate", o->max_bps, NULL);
      return TRUE;
    case CALL_PEER:
      return call_add_peer (call, error);
    case CALL_FBRA_FEC:
      call->controller = add_limited (call, error, "rtpfbrafec");
      if (!call->controller)
        return FALSE;
      tuning = g_strconcat ("tuning,algorithm=", o->cc->name, NULL);
      gst_util_set_object_arg (G_OBJECT (call->controller), "tuning", tuning);
      g_free (tuning);
      if (o->variant)
        gst_util_set_object_arg (G_OBJECT (call->controller), "profile", o->variant);
      g_object_set (call->controller, "fec-payload-type", CALL_FEC_PT, "protect-ssrc",
          call->video_ssrc, "protection", o->fec_protection, "interleave", o->fec_interleave,
          NULL);
      break;
    case CALL_GCC_SENDER:
      call->controller = add_limited (call, error, "rtpgccsender");
      if (!call->controller)
        return FALSE;
      gst_util_set_object_arg (G_OBJECT (call->controller), "profile", o->profile);
      g_object_set (call->controller, "abs-send-time-id", CALL_ABS_SEND_TIME_ID,
          "fec-payload-type", CALL_FEC_PT, "protect-ssrc", call->video_ssrc, "probe-protection",
          o->probe_protection, NULL);
      if (o->parity)
        call->protector = call_protector_new (call->controller, o);
      break;
    case CALL_SENDER:
      call->controller = add_limited (call, error, "rtpccsender");
      if (!call->controller)
        return FALSE;
      gst_util_set_object_arg (G_OBJECT (call->controller), "controller", o->cc->name);
      g_object_set (call->controller, "abs-send-time-id", CALL_ABS_SEND_TIME_ID, NULL);
      break;
  }
  return call->controller != NULL;
}

/* Without a controller the rate stays what it is, until the breaker stops it. */
static gboolean
add_breaker (Call *call, GError **error)
{
  const char *model = call->options->breaker;

  if (!model)
    return TRUE;
  call->breaker = call_add (call, error, "rtpcircuitbreaker", "tcp-model", model, NULL);
  if (call->breaker && call->options->element == CALL_NOTHING)
    gst_util_set_object_arg (G_OBJECT (call->breaker), "tuning", "tuning,hold-below=0.0");
  return call->breaker != NULL;
}

/* RTCP that comes in goes the way of RTP: the mux judges by it what comes too late. */
static gboolean
link_in (Call *call, GError **error)
{
  GstElement *row[] = { call->mux, call->controller, call->breaker }, *last = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (row); i++) {
    if (!row[i])
      continue;
    if (last && (!call_link (error, last, "src", row[i], "sink")
            || !call_link (error, last, "rtcp_src", row[i], "rtcp_sink")))
      return FALSE;
    last = row[i];
  }
  if (call->peer)
    return call_peer_link (call, last, error);
  return call_link (error, last, "src", call->send_rtpbin, "send_rtp_sink_0")
      && call_link (error, last, "rtcp_src", call->send_rtpbin, "recv_rtcp_sink_0");
}

/* What goes out passes those that answer in it, or have to know when it left. A receiver of XR
 * asks for the round trip. */
static gboolean
link_out (Call *call, GError **error)
{
  const gboolean xr = call->options->feedback_name && call->options->feedback == CALL_XR;
  GstElement *answers = xr ? call->controller : NULL;
  GstElement *first = answers ? answers : call->breaker;

  call->rtcp_src = call->breaker ? call->breaker : answers;
  if (first && !call_bridge (call, call->send_rtpbin, "send_rtcp_src_0", first,
          "send_rtcp_sink", error))
    return FALSE;
  return !answers || !call->breaker
      || call_link (error, answers, "send_rtcp_src", call->breaker, "send_rtcp_sink");
}

gboolean
call_add_control (Call *call, GError **error)
{
  return add_controller (call, error) && add_breaker (call, error) && link_in (call, error)
      && link_out (call, error);
}

/* The session's incoming RTCP passes it as well: the sender's answers are for it. */
static gboolean
let_it_listen (Call *call, GError **error)
{
  gst_object_unref (gst_element_request_pad_simple (call->estimator, "recv_rtcp_sink"));
  return call_link (error, call->estimator, "recv_rtcp_src", call->recv_rtpbin,
      "recv_rtcp_sink_0");
}

gboolean
call_add_estimator (Call *call, GError **error)
{
  const CallOptions *o = call->options;

  if (!o->feedback_name || o->feedback == CALL_TWCC)
    return TRUE;
  if (o->feedback == CALL_XR)
    call->estimator = call_add (call, error, "rtpfbrareceiver", NULL);
  else
    call->estimator = add_limited (call, error, "rtpgccreceiver");
  if (!call->estimator)
    return FALSE;
  if (o->feedback != CALL_XR) {
    if (o->profile)
      gst_util_set_object_arg (G_OBJECT (call->estimator), "profile", o->profile);
    gst_util_set_object_arg (G_OBJECT (call->estimator), "feedback-format", o->feedback_name);
    g_object_set (call->estimator, "post-messages", TRUE, NULL);
  }
  return call_link (error, call->estimator, "src", call->recv_rtpbin, "recv_rtp_sink_0")
      && call_bridge (call, call->recv_rtpbin, "send_rtcp_src_0", call->estimator,
          "rtcp_sink", error)
      && (o->feedback != CALL_XR || let_it_listen (call, error));
}
