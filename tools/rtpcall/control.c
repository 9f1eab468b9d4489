/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "control.h"

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
  if (options->cc == CALL_NO_CC)
    return "none";
  return options->cc == CALL_TFRC ? "tfrc" : "external";
}

/* GCC's own pacing factor: what waits does so in the mux, in order of worth. */
const char *
call_mux_pacing_factor (const CallOptions *options)
{
  return options->cc == CALL_GCC && g_str_equal (options->profile, "default") ? "1.05" : "1.0";
}

/* Incoming RTCP passes the mux, which judges by it what comes too late, then the controller,
 * and goes on to the breaker or the session. */
gboolean
call_add_controller (Call *call, GError **error)
{
  const CallOptions *o = call->options;
  GstElement *behind = call->breaker ? call->breaker : call->send_rtpbin;
  const char *pad = call->breaker ? "rtcp_sink" : "recv_rtcp_sink_0";

  switch (o->cc) {
    case CALL_NO_CC:
      break;
    case CALL_TFRC:
      g_object_set (call->mux, "min-bitrate", o->min_bps, "start-bitrate", o->start_bps,
          "max-bitrate", o->max_bps, NULL);
      break;
    case CALL_FBRA:
      call->controller = add_limited (call, error, "rtpfbrafec");
      if (!call->controller)
        return FALSE;
      g_object_set (call->controller, "fec-payload-type", CALL_FEC_PT, "protect-ssrc",
          CALL_VIDEO_SSRC, NULL);
      break;
    case CALL_GCC:
      call->controller = add_limited (call, error, "rtpgccsender");
      if (!call->controller)
        return FALSE;
      gst_util_set_object_arg (G_OBJECT (call->controller), "profile", o->profile);
      g_object_set (call->controller, "abs-send-time-id", CALL_ABS_SEND_TIME_ID, NULL);
      break;
  }
  if (!call->controller)
    return call_link (error, call->mux, "rtcp_src", behind, pad);
  return call_link (error, call->mux, "rtcp_src", call->controller, "rtcp_sink")
      && call_link (error, call->controller, "rtcp_src", behind, pad);
}

gboolean
call_add_estimator (Call *call, GError **error)
{
  const CallOptions *o = call->options;

  if (o->cc == CALL_NO_CC || o->feedback == CALL_TWCC)
    return TRUE;
  call->estimator = add_limited (call, error, "rtpgccreceiver");
  if (!call->estimator)
    return FALSE;
  if (o->profile)
    gst_util_set_object_arg (G_OBJECT (call->estimator), "profile", o->profile);
  gst_util_set_object_arg (G_OBJECT (call->estimator), "feedback-format", o->feedback_name);
  g_object_set (call->estimator, "post-messages", TRUE, NULL);
  return call_link (error, call->estimator, "src", call->recv_rtpbin, "recv_rtp_sink_0")
      && call_bridge (call, call->recv_rtpbin, "send_rtcp_src_0", call->estimator,
          "rtcp_sink", error);
}
