/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/sendpath/private.h"

#include "rtpcc/common/utils.h"

#define ENTRIES 16              /* at first; doubled when they do not do */

/* --- the source pad ------------------------------------------------------- */

static void
reset_order (GstRtpCcSend * x)
{
  gst_rtp_cc_driver_lock (x->driver);
  gst_rtp_cc_send_start_over (x, TRUE);
  x->ended = x->flushed = FALSE;
  gst_clear_event (&x->eos);
  gst_rtp_cc_driver_unlock (x->driver);
  atomic_store (&x->passing, FALSE);
}

static void
flush_all (GstRtpCcSend * x)
{
  gst_rtp_cc_driver_lock (x->driver);
  for (guint k = 0; k < RCC_SEND_PADS; k++)
    if (x->inputs[k].pad)
      gst_rtp_cc_send_flush_input (x, k);
  rcc_send_forget (&x->path);
  gst_rtp_cc_driver_unlock (x->driver);
}

static gboolean
src_activate_mode (GstPad * pad, GstObject * parent, GstPadMode mode,
    gboolean active)
{
  GstRtpCcSend *x = gst_pad_get_element_private (pad);
  gboolean stopped;

  if (mode != GST_PAD_MODE_PUSH)
    return FALSE;
  if (active) {
    reset_order (x);
    gst_rtp_cc_send_start_task (x);
    return TRUE;
  }
  gst_rtp_cc_send_stop_task (x);
  stopped = gst_pad_stop_task (pad);
  flush_all (x);
  return stopped;
}

/* As queue does: what may be held back is room, not a delay that everybody has. */
static gboolean
src_query (GstPad * pad, GstObject * parent, GstQuery * query)
{
  GstRtpCcSend *x = gst_pad_get_element_private (pad);
  GstClockTime min, max;
  gboolean live;

  if (!gst_pad_query_default (pad, parent, query))
    return FALSE;
  if (GST_QUERY_TYPE (query) != GST_QUERY_LATENCY)
    return TRUE;
  gst_query_parse_latency (query, &live, &min, &max);
  GST_OBJECT_LOCK (x->element);
  if (GST_CLOCK_TIME_IS_VALID (max))
    max = x->max_latency < GST_CLOCK_TIME_NONE - max ? max + x->max_latency
        : GST_CLOCK_TIME_NONE;
  GST_OBJECT_UNLOCK (x->element);
  gst_query_set_latency (query, live, min, max);
  return TRUE;
}

/* --- the object ----------------------------------------------------------- */

GstRtpCcSend *
gst_rtp_cc_send_new (GstElement * element, GstPad * src,
    const GstRtpCcSendFuncs * funcs)
{
  const RccSendConfig config = rcc_send_config ();
  GstRtpCcSend *x = g_new0 (GstRtpCcSend, 1);
  RccFeedback *feedback = g_new (RccFeedback, 1);

  x->element = element;
  x->src = src;
  x->funcs = funcs;
  x->wakeup = gst_rtp_cc_wakeup_new ();
  x->waiting = g_array_new (FALSE, FALSE, sizeof (GstRtpCcSendWaiting));
  x->flow = GST_FLOW_FLUSHING;
  x->header_size = RCC_RTP_HEADER_MIN;
  rcc_feedback_init (feedback, g_realloc);
  rcc_sendtime_finder_init (&x->finder, &rcc_sendtime_sent);
  rcc_send_init (&x->path, &config, g_new (RccSbpnEntry, ENTRIES),
      g_new (RccSendSlot, ENTRIES), ENTRIES, feedback, 0);
  gst_pad_set_element_private (src, x);
  gst_pad_set_query_function (src, GST_DEBUG_FUNCPTR (src_query));
  gst_pad_set_activatemode_function (src,
      GST_DEBUG_FUNCPTR (src_activate_mode));
  return x;
}

void
gst_rtp_cc_send_free (GstRtpCcSend * x)
{
  RccSendOut out;

  while (rcc_send_flush (&x->path, RCC_SBPN_ALL, &out))
    gst_buffer_unref (out.handle);
  for (guint i = 0; i < x->waiting->len; i++)
    gst_event_unref (g_array_index (x->waiting, GstRtpCcSendWaiting, i).event);
  g_array_free (x->waiting, TRUE);
  gst_clear_event (&x->eos);
  g_free (x->path.entries);
  g_free (x->path.slots);
  rcc_send_clear (&x->path);
  rcc_feedback_clear (x->path.feedback);
  g_free (x->path.feedback);
  gst_rtp_cc_wakeup_free (x->wakeup);
  g_free (x);
}

void
gst_rtp_cc_send_begin (GstRtpCcSend * x, const RccSendConfig * config,
    RccSender * controller, RccTime now)
{
  rcc_send_restart (&x->path, config, now);
  rcc_send_attach (&x->path, controller);
  x->announced = FALSE;
  x->clusters.n = 0;
}

void
gst_rtp_cc_send_set_abs_send_time_id (GstRtpCcSend * x, guint id)
{
  gst_rtp_cc_driver_lock (x->driver);
  x->default_abs_id = (guint8) id;
  gst_rtp_cc_driver_unlock (x->driver);
}

void
gst_rtp_cc_send_set_max_latency (GstRtpCcSend * x, GstClockTime max_latency)
{
  GST_OBJECT_LOCK (x->element);
  x->max_latency = max_latency;
  GST_OBJECT_UNLOCK (x->element);
}

void
gst_rtp_cc_send_stats (GstRtpCcSend * x, GstStructure * stats)
{
  gst_rtp_cc_stats_add (stats, rcc_reports_fields, &x->path.feedback->reports);
  gst_rtp_cc_stats_add (stats, rcc_feedback_fields, x->path.feedback);
  gst_rtp_cc_stats_add (stats, rcc_send_fields, &x->path);
  gst_rtp_cc_stats_add (stats, rcc_rtx_fields, &x->path.rtx);
  if (x->path.parity)
    gst_rtp_cc_stats_add (stats, rcc_send_parity_fields, x->path.parity);
  gst_structure_set (stats, "queue-time", G_TYPE_UINT64,
      rcc_pacer_queue_time (&x->path.pacer), "abs-send-time-id", G_TYPE_UINT,
      (guint) (x->inputs[0].abs_id ? x->inputs[0].abs_id : x->finder.id), NULL);
}
