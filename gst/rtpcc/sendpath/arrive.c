/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/sendpath/private.h"

#include "rtpcc/sendpath/buffer.h"

static void
grow (GstRtpCcSend * x, guint capacity)
{
  RccSend *s = &x->path;

  rcc_send_grow (s, g_renew (RccSbpnEntry, s->entries, capacity),
      g_renew (RccSendSlot, s->slots, capacity), capacity);
}

static void
make_room (GstRtpCcSend * x)
{
  RccSend *s = &x->path;

  if (G_UNLIKELY (rcc_send_is_full (s))
      && s->capacity < GST_RTP_CC_SEND_ENTRIES)
    grow (x, 2 * s->capacity);
}

static gboolean
may_come (GstRtpCcSendPush * p)
{
  p->taken = TRUE;
  p->refused = !p->x->inputs[p->k].pad || p->x->inputs[p->k].flushing;
  return !p->refused;
}

/* Then it is writable: what else has it as a part, such as another list, would hold a
 * reference.  gst_buffer_is_writable() takes the locks of all that it is part of. */
static gboolean
is_ours_alone (GstBuffer * buffer)
{
  return GST_MINI_OBJECT_REFCOUNT_VALUE (buffer) == 1;
}

/* Whether packets that leave have something written into them. */
static gboolean
writes (const GstRtpCcSend * x, guint k)
{
  return x->path.writes || x->inputs[k].abs_id != 0 || x->finder.id != 0;
}

typedef enum
{ PASSED, QUEUED, DROPPED } Outcome;

static void
adjust (GstRtpCcSend * x)
{
  if (x->funcs && x->funcs->adjust)
    x->funcs->adjust (x->element);
}

/* @buffer comes to input @k.  PASSED: it is to be pushed; QUEUED: the queue has taken a
 * reference of the caller's.  *@rest: what is still to be written into it before. */
static Outcome
admit_buffer (GstRtpCcSend * x, guint k, GstBuffer * buffer, gboolean clear,
    RccTime now, RccSendOut * rest, RccUpdate * update)
{
  const gboolean write = writes (x, k) && is_ours_alone (buffer);
  const gsize size = gst_buffer_get_size (buffer);
  GstRtpCcSendBuffer b;
  RccSendVerdict verdict;

  make_room (x);
  gst_rtp_cc_send_buffer_open (&b, x, k, buffer, size, write, now);
  verdict = rcc_send_put (&x->path, clear, now, rest);
  x->last_ssrc = b.packet->ssrc;
  if (verdict != RCC_SEND_PACKET) {
    gst_rtp_cc_send_buffer_close (&b, NULL);
    return verdict == RCC_SEND_DROPPED ? DROPPED : QUEUED;
  }
  if (b.packet->rtp)
    x->header_size = b.packet->header_size;
  gst_rtp_cc_send_note_times (x, buffer);
  gst_rtp_cc_send_note_departure (x, rest, update);
  if (gst_rtp_cc_send_buffer_close (&b, rest)) {
    rest->renumbered = rest->shown = FALSE;
    rest->send_time_at = rest->transport_at = rest->osn_at = 0;
  }
  return PASSED;
}

RccUpdate
gst_rtp_cc_send_arrive (GstRtpCcSendPush * p, RccTime now)
{
  GstRtpCcSend *x = p->x;
  GstBuffer *buffer = GST_BUFFER_CAST (p->object);
  RccUpdate update = { 0 };
  RccSendOut rest;
  gboolean empty;

  if (!may_come (p))
    return update;
  adjust (x);
  empty = rcc_send_is_empty (&x->path);
  switch (admit_buffer (x, p->k, buffer, gst_rtp_cc_send_is_clear (x), now,
          &rest, &update)) {
    case PASSED:
      gst_rtp_cc_send_begin_passing (x, p);
      if (G_UNLIKELY (rcc_send_out_writes (&rest))) {
        buffer = gst_buffer_make_writable (buffer);
        gst_rtp_cc_send_finish (x, buffer, &rest, now);
        p->object = GST_MINI_OBJECT_CAST (buffer);
      }
      if (G_UNLIKELY (rcc_send_parity_due (&x->path)))
        gst_rtp_cc_send_follow (p, NULL, 0, now, &update);
      p->wake = x->path.pacer.probe_id != 0 || rcc_send_parity_due (&x->path);
      break;
    case QUEUED:
      p->wake = empty;
      p->object = NULL;
      break;
    case DROPPED:
      gst_clear_mini_object (&p->object);
      break;
  }
  gst_rtp_cc_send_trim (x, now);
  gst_rtp_cc_send_note_backlog (p, now, &update);
  return update;
}

/* One buffer of a list; TRUE: it stays there, to be pushed. */
static gboolean
admit_item (GstRtpCcSendPush * p, GstBufferList ** list, guint i,
    gboolean clear, RccTime now, RccUpdate * update)
{
  GstRtpCcSend *x = p->x;
  GstBuffer *buffer = gst_buffer_list_get (*list, i);
  RccSendOut rest;
  Outcome outcome;

  if (writes (x, p->k) && !is_ours_alone (buffer)) {
    *list = gst_buffer_list_make_writable (*list);
    buffer = gst_buffer_list_get_writable (*list, i);
  }
  outcome = admit_buffer (x, p->k, buffer, clear, now, &rest, update);
  if (outcome == PASSED) {
    if (G_UNLIKELY (rcc_send_out_writes (&rest))) {
      *list = gst_buffer_list_make_writable (*list);
      gst_rtp_cc_send_finish (x, gst_buffer_list_get_writable (*list, i), &rest,
          now);
    }
    return TRUE;
  }
  if (outcome == QUEUED)
    gst_buffer_ref (buffer);
  *list = gst_buffer_list_make_writable (*list);
  gst_buffer_list_remove (*list, i, 1);
  return FALSE;
}

/* What leaves at once stays in the list; the rest is taken out. */
RccUpdate
gst_rtp_cc_send_arrive_list (GstRtpCcSendPush * p, RccTime now)
{
  GstRtpCcSend *x = p->x;
  GstBufferList *list = GST_BUFFER_LIST (p->object);
  const guint n = gst_buffer_list_length (list);
  RccUpdate update = { 0 };
  gboolean clear, empty;
  guint stays = 0;

  if (!may_come (p))
    return update;
  adjust (x);
  clear = gst_rtp_cc_send_is_clear (x);
  empty = rcc_send_is_empty (&x->path);
  if (writes (x, p->k))
    list = gst_buffer_list_make_writable (list);
  for (guint i = 0; i < n; i++) {
    if (admit_item (p, &list, stays, clear && rcc_send_is_empty (&x->path), now,
            &update)) {
      stays++;
      if (G_UNLIKELY (rcc_send_parity_due (&x->path)))
        stays += gst_rtp_cc_send_follow (p, &list, stays, now, &update);
    }
    gst_rtp_cc_send_trim (x, now);
  }
  p->wake = (empty && !rcc_send_is_empty (&x->path))
      || x->path.pacer.probe_id != 0;
  if (stays > 0)
    gst_rtp_cc_send_begin_passing (x, p);
  else
    gst_clear_buffer_list (&list);
  p->object = (GstMiniObject *) list;
  gst_rtp_cc_send_note_backlog (p, now, &update);
  return update;
}

RccUpdate
gst_rtp_cc_send_arrive_event (GstRtpCcSendPush * p, RccTime now)
{
  GstRtpCcSend *x = p->x;
  GstRtpCcSendWaiting w = {.event = GST_EVENT (p->object) };

  if (!may_come (p))
    return rcc_nothing ();
  if (gst_rtp_cc_send_is_clear (x)) {
    gst_rtp_cc_send_begin_passing (x, p);
    return rcc_nothing ();
  }
  w.class_index = rcc_send_class (&x->path, x->last_ssrc, p->k);
  w.after = x->path.arrived[w.class_index];
  p->wake = x->path.departed[w.class_index] >= w.after;
  g_array_append_val (x->waiting, w);
  p->object = NULL;
  return rcc_nothing ();
}

RccUpdate
gst_rtp_cc_send_arrive_end (GstRtpCcSendPush * p, RccTime now)
{
  GstRtpCcSend *x = p->x;

  if (!may_come (p))
    return rcc_nothing ();
  x->inputs[p->k].eos = TRUE;
  gst_clear_event (&x->eos);
  x->eos = GST_EVENT (g_steal_pointer (&p->object));
  if (gst_rtp_cc_send_is_clear (x)
      && (p->object = (GstMiniObject *) gst_rtp_cc_send_take_end (x)))
    gst_rtp_cc_send_begin_passing (x, p);
  p->wake = !p->object && rcc_send_is_empty (&x->path); /* else it comes by anyway */
  return rcc_nothing ();
}
