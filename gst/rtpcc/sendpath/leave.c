/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/sendpath/private.h"

#include "rtpcc/sendpath/buffer.h"
#include "rtpcc/sendpath/parity.h"
#include "rtpcc/sendpath/upstream.h"

/* --- order ---------------------------------------------------------------- */

static gboolean
is_passing (GstRtpCcSend * x)
{
  return atomic_load (&x->passing);
}

/* The driver's lock orders it, as everybody who asks holds it too; a full barrier would
 * cost as much as the lock. */
void
gst_rtp_cc_send_begin_passing (GstRtpCcSend * x, GstRtpCcSendPush * p)
{
  atomic_store_explicit (&x->passing, TRUE, memory_order_relaxed);
  if (x->funcs && x->funcs->before)
    p->n_before = x->funcs->before (x->element, p->before);
}

gboolean
gst_rtp_cc_send_is_clear (GstRtpCcSend * x)
{
  return rcc_send_is_empty (&x->path) && x->waiting->len == 0
      && !is_passing (x);
}

gboolean
gst_rtp_cc_send_all_inputs (GstRtpCcSend * x, gsize flag)
{
  gboolean any = FALSE;

  for (guint k = 0; k < RCC_SEND_PADS; k++) {
    if (x->inputs[k].pad && !G_STRUCT_MEMBER (gboolean, &x->inputs[k], flag))
      return FALSE;
    any |= x->inputs[k].pad != NULL;
  }
  return any;
}

GstEvent *
gst_rtp_cc_send_take_end (GstRtpCcSend * x)
{
  if (x->ended || !x->eos || x->waiting->len > 0
      || !rcc_send_is_empty (&x->path) || !gst_rtp_cc_send_all (x, eos))
    return NULL;
  x->ended = TRUE;
  rcc_send_end_probe (&x->path);        /* nothing follows, padding neither */
  rcc_send_protect_drop (&x->path);
  return g_steal_pointer (&x->eos);
}

/* An event which has nothing in front of it any more. */
static GstEvent *
take_event (GstRtpCcSend * x)
{
  for (guint i = 0; i < x->waiting->len; i++) {
    const GstRtpCcSendWaiting w =
        g_array_index (x->waiting, GstRtpCcSendWaiting, i);

    if (x->path.departed[w.class_index] < w.after)
      continue;
    g_array_remove_index (x->waiting, i);
    return w.event;
  }
  return NULL;
}

/* --- what leaves ---------------------------------------------------------- */

/* The first target was said in READY, when nobody upstream could listen: the first packet says it
 * again. */
void
gst_rtp_cc_send_note_news (GstRtpCcSend * x, const RccSendOut * out,
    RccUpdate * update)
{
  if (out->sent.size == 0)
    return;
  if (out->sent.probe)
    gst_rtp_cc_send_note_cluster (x, out->sent.probe);
  if (out->update.changed)
    *update = rcc_update_merge (*update, out->update);
  if (x->announced)
    return;
  x->announced = TRUE;
  update->changed |= RCC_TARGET;
  update->reason = "start";
}

void
gst_rtp_cc_send_note_backlog (GstRtpCcSendPush * p, RccTime now,
    RccUpdate * update)
{
  GstRtpCcSend *x = p->x;

  p->key_requests = rcc_send_key_requests (&x->path);
  if (G_LIKELY (!rcc_send_report_again (&x->path, now))
      || (update->changed & RCC_TARGET))
    return;
  update->changed |= RCC_TARGET;
  update->target_bps = x->path.target_bps;
  update->reason = "backlog";
}

void
gst_rtp_cc_send_note_times (GstRtpCcSend * x, GstBuffer * buffer)
{
  x->pts = GST_BUFFER_PTS (buffer);
  x->dts = GST_BUFFER_DTS (buffer);
}

static GstBuffer *
make_padding (GstRtpCcSend * x, RccTime now, RccSendOut * out)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL,
      rcc_send_pad_size (&x->path), NULL);
  GstMapInfo info;

  gst_buffer_map (buffer, &info, GST_MAP_WRITE);
  rcc_send_pad (&x->path, info.data, now, out);
  gst_buffer_unmap (buffer, &info);
  GST_BUFFER_PTS (buffer) = x->pts;
  GST_BUFFER_DTS (buffer) = x->dts;
  return buffer;
}

void
gst_rtp_cc_send_trim_queue (GstRtpCcSend * x, RccTime now)
{
  RccSendOut out;

  while (G_UNLIKELY (rcc_send_overflow (&x->path, now, &out)))
    gst_buffer_unref (out.handle);
}

void
gst_rtp_cc_send_finish (GstRtpCcSend * x, GstBuffer * buffer,
    const RccSendOut * out, RccTime now)
{
  if (rcc_send_out_writes (out))
    gst_rtp_cc_send_buffer_write (buffer, out);
  if (out->cut)
    gst_buffer_set_size (buffer, out->size);
  if (out->shown)
    gst_rtp_cc_send_parity_show (x, buffer, NULL, now);
}

static GstBuffer *
let_leave (GstRtpCcSend * x, const RccSendOut * out, RccTime now)
{
  GstBuffer *buffer = out->handle;

  gst_rtp_cc_send_note_times (x, buffer);
  if (rcc_send_out_writes (out))
    buffer = gst_buffer_make_writable (buffer);
  gst_rtp_cc_send_finish (x, buffer, out, now);
  return buffer;
}

/* A packet that is ready to be pushed, or NULL and when to ask again. */
static GstBuffer *
next_packet (GstRtpCcSendPush * p, RccTime now, RccUpdate * update)
{
  GstRtpCcSend *x = p->x;
  GstBuffer *buffer = NULL;
  RccSendOut out;

  while (!buffer) {
    switch (rcc_send_next (&x->path, now, &p->when, &out)) {
      case RCC_SEND_PACKET:
        buffer = let_leave (x, &out, now);
        break;
      case RCC_SEND_PADDING:
        buffer = make_padding (x, now, &out);
        break;
      case RCC_SEND_PARITY:
        buffer = gst_rtp_cc_send_parity_make (x, now, &out);
        p->tail.apart = gst_rtp_cc_send_parity_is_apart (x);
        break;
      case RCC_SEND_DROPPED:
        gst_buffer_unref (out.handle);
        break;
      case RCC_SEND_WAIT:
        return NULL;
    }
  }
  gst_rtp_cc_send_note_departure (x, &out, update);
  return buffer;
}

guint
gst_rtp_cc_send_follow (GstRtpCcSendPush * p, GstBufferList ** list, guint at,
    RccTime now, RccUpdate * update)
{
  GstRtpCcSend *x = p->x;
  guint inserted = 0;
  GstBuffer *parity;
  RccSendOut out;

  p->tail.apart = gst_rtp_cc_send_parity_is_apart (x);
  while (rcc_send_parity_passes (&x->path, now)) {
    if (!(parity = gst_rtp_cc_send_parity_make (x, now, &out)))
      continue;
    gst_rtp_cc_send_note_departure (x, &out, update);
    if (!list || p->tail.apart) {
      gst_rtp_cc_send_tail_add (&p->tail, parity);
      continue;
    }
    *list = gst_buffer_list_make_writable (*list);
    gst_buffer_list_insert (*list, (gint) (at + inserted++), parity);
  }
  return inserted;
}

RccUpdate
gst_rtp_cc_send_next (GstRtpCcSendPush * p, RccTime now)
{
  GstRtpCcSend *x = p->x;
  RccUpdate update = { 0 };

  p->taken = TRUE;
  if (G_UNLIKELY (is_passing (x))) {
    atomic_store (&x->blocked, TRUE);
    if (is_passing (x))
      return update;            /* who passes wakes the task afterwards */
    atomic_store (&x->blocked, FALSE);
  }
  if (x->waiting->len > 0)
    p->object = (GstMiniObject *) take_event (x);
  if (!p->object)
    p->object = (GstMiniObject *) next_packet (p, now, &update);
  if (!p->object && x->waiting->len > 0)        /* those before it were dropped */
    p->object = (GstMiniObject *) take_event (x);
  if (!p->object)
    p->object = (GstMiniObject *) gst_rtp_cc_send_take_end (x);
  if (p->object)
    gst_rtp_cc_send_begin_passing (x, p);
  gst_rtp_cc_send_note_backlog (p, now, &update);
  return update;
}
