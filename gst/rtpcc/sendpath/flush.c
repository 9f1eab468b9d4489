/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/sendpath/private.h"

#include "send/protect.h"

/* As queue does: a flush takes data, and of the sticky events only those that it is
 * about. */
static void
drop_events (GstRtpCcSend * x, guint class_index)
{
  for (guint i = x->waiting->len; i-- > 0;) {
    const GstRtpCcSendWaiting w =
        g_array_index (x->waiting, GstRtpCcSendWaiting, i);

    if (class_index != RCC_SBPN_ALL && w.class_index != class_index)
      continue;
    if (GST_EVENT_IS_STICKY (w.event)
        && GST_EVENT_TYPE (w.event) != GST_EVENT_SEGMENT)
      gst_pad_store_sticky_event (x->src, w.event);
    gst_event_unref (w.event);
    g_array_remove_index (x->waiting, i);
  }
}

void
gst_rtp_cc_send_flush_input (GstRtpCcSend * x, guint k)
{
  const guint class_index = x->path.config.scheduled ? k : RCC_SBPN_ALL;
  RccSendOut out;

  drop_events (x, class_index);
  rcc_send_protect_drop (&x->path);
  while (rcc_send_flush (&x->path, class_index, &out))
    gst_buffer_unref (out.handle);
}

void
gst_rtp_cc_send_begin_flush (GstRtpCcSend * x, guint k, GstEvent * event)
{
  gboolean all;

  gst_rtp_cc_driver_lock (x->driver);
  x->inputs[k].flushing = TRUE;
  gst_rtp_cc_send_flush_input (x, k);
  all = gst_rtp_cc_send_all (x, flushing) && !x->flushed;
  x->flushed |= all;
  gst_rtp_cc_driver_unlock (x->driver);
  if (!all) {
    gst_event_unref (event);
    gst_rtp_cc_wakeup_wake (x->wakeup);
    return;
  }
  gst_rtp_cc_send_stop_task (x);
  gst_pad_push_event (x->src, event);
  gst_pad_pause_task (x->src);
}

void
gst_rtp_cc_send_start_over (GstRtpCcSend * x, gboolean stream)
{
  if (x->funcs && x->funcs->again)
    x->funcs->again (x->element, stream);
}

/* A pad's flush is over: whether downstream's is with it. */
gboolean
gst_rtp_cc_send_flush_ended (GstRtpCcSend * x)
{
  const gboolean downstream = x->flushed;

  if (downstream || x->ended)
    gst_rtp_cc_send_start_over (x, x->ended);
  x->flushed = x->ended = FALSE;
  gst_clear_event (&x->eos);
  return downstream;
}

void
gst_rtp_cc_send_flush_downstream (GstRtpCcSend * x, GstEvent * event)
{
  gst_pad_push_event (x->src, event ? event : gst_event_new_flush_stop (TRUE));
  if (gst_pad_is_active (x->src))
    gst_rtp_cc_send_start_task (x);
}

void
gst_rtp_cc_send_end_flush (GstRtpCcSend * x, guint k, GstEvent * event)
{
  gboolean first;

  gst_rtp_cc_driver_lock (x->driver);
  gst_rtp_cc_send_flush_input (x, k);
  x->inputs[k].flushing = x->inputs[k].eos = FALSE;
  first = gst_rtp_cc_send_flush_ended (x);
  gst_rtp_cc_driver_unlock (x->driver);
  if (first)
    gst_rtp_cc_send_flush_downstream (x, event);
  else
    gst_event_unref (event);
}
