/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/gstrtpccmuxorder.h"

#include "rtpcc/gstrtpccmuxcaps.h"
#include "rtpcc/gstrtpccutils.h"

typedef struct
{
  GstEvent *event;
  guint klass;
  guint64 after;                /* so many of its packets are to go first */
} Waiting;

void
gst_rtp_cc_mux_order_init (GstRtpCcMuxOrder * o, GstElement * element,
    GstPad * src, GstRtpCcMuxSent sent)
{
  memset (o, 0, sizeof *o);
  o->element = element;
  o->src = src;
  o->sent = sent;
  o->waiting = g_array_new (FALSE, FALSE, sizeof (Waiting));
  gst_rtp_cc_mux_queue_init (&o->queue);
}

void
gst_rtp_cc_mux_order_clear (GstRtpCcMuxOrder * o)
{
  for (guint i = 0; i < o->waiting->len; i++)
    gst_event_unref (g_array_index (o->waiting, Waiting, i).event);
  g_array_free (o->waiting, TRUE);
  gst_caps_replace (&o->caps, NULL);
  gst_rtp_cc_mux_queue_clear (&o->queue);
}

/* --- what the source pad has to say first ---------------------------------- */

static void
take_sticky (GstRtpCcMuxOrder * o, GstRtpCcMuxPassage * p)
{
  if (G_LIKELY (!o->need_start && !o->need_caps && !o->need_segment))
    return;
  if (o->need_start) {
    gchar *id = g_strdup_printf ("%s-%08x", GST_OBJECT_NAME (o->element),
        g_random_int ());
    GstEvent *event = gst_event_new_stream_start (id);

    gst_event_set_group_id (event, gst_util_group_id_next ());
    p->before[p->n_before++] = event;
    g_free (id);
  }
  if (o->need_caps && o->caps)
    p->before[p->n_before++] = gst_event_new_caps (o->caps);
  if (o->need_segment) {
    GstSegment segment;

    gst_segment_init (&segment, GST_FORMAT_TIME);
    p->before[p->n_before++] = gst_event_new_segment (&segment);
  }
  o->need_start = o->need_segment = FALSE;
  o->need_caps = o->need_caps && !o->caps;
}

void
gst_rtp_cc_mux_order_start_over (GstRtpCcMuxOrder * o)
{
  o->need_start = o->need_caps = o->need_segment = TRUE;
  o->ended = FALSE;
}

void
gst_rtp_cc_mux_order_renew_caps (GstRtpCcMuxOrder * o)
{
  GstCaps *all[GST_RTP_CC_MUX_PADS] = { NULL };
  gboolean contradicted;
  GstCaps *caps;

  for (guint k = 0; k < GST_RTP_CC_MUX_PADS; k++)
    all[k] = o->pads[k] ? o->pads[k]->caps : NULL;
  caps = gst_rtp_cc_mux_caps (all, GST_RTP_CC_MUX_PADS, &contradicted);
  if (!caps)
    return;                     /* what is known still holds for what is queued */
  if (contradicted)
    GST_WARNING_OBJECT (o->src, "the pads' caps give one header extension "
        "several numbers, or one number several extensions: it is left out; give "
        "it the same extmap-N at all payloaders");
  if (!o->caps || !gst_caps_is_equal (caps, o->caps)) {
    o->need_caps = TRUE;
    gst_caps_replace (&o->caps, caps);
    o->queue.transport.id = gst_rtp_cc_extension_id (caps, RCC_TWCC_URI);
  }
  gst_caps_unref (caps);
}

/* --- order ------------------------------------------------------------------ */

static gboolean
is_passing (GstRtpCcMuxOrder * o)
{
  return atomic_load (&o->passing);
}

/* The driver's lock orders it, as everybody who asks holds it too. */
static void
begin_passing (GstRtpCcMuxOrder * o, GstRtpCcMuxPassage * p)
{
  atomic_store_explicit (&o->passing, TRUE, memory_order_relaxed);
  take_sticky (o, p);
}

gboolean
gst_rtp_cc_mux_order_is_clear (GstRtpCcMuxOrder * o)
{
  return gst_rtp_cc_mux_queue_is_empty (&o->queue)
      && o->waiting->len == 0 && !is_passing (o);
}

gboolean
gst_rtp_cc_mux_order_all_ended (GstRtpCcMuxOrder * o)
{
  gboolean any = FALSE;

  for (guint k = 0; k < GST_RTP_CC_MUX_PADS; k++) {
    if (o->pads[k] && !o->pads[k]->eos)
      return FALSE;
    any |= o->pads[k] != NULL;
  }
  return any;
}

gboolean
gst_rtp_cc_mux_order_all_flushing (GstRtpCcMuxOrder * o)
{
  for (guint k = 0; k < GST_RTP_CC_MUX_PADS; k++)
    if (o->pads[k] && !o->pads[k]->flushing)
      return FALSE;
  return TRUE;
}

/* The end, if it is time for it. */
static GstEvent *
take_end (GstRtpCcMuxOrder * o)
{
  if (o->ended || !gst_rtp_cc_mux_order_all_ended (o)
      || !gst_rtp_cc_mux_queue_is_empty (&o->queue)
      || o->waiting->len > 0)
    return NULL;
  o->ended = TRUE;
  return gst_event_new_eos ();
}

/* An event whose pad has nothing in front of it any more. */
static GstEvent *
take_event (GstRtpCcMuxOrder * o)
{
  for (guint i = 0; i < o->waiting->len; i++) {
    const Waiting w = g_array_index (o->waiting, Waiting, i);

    if (o->queue.classes[w.klass].departed < w.after)
      continue;
    g_array_remove_index (o->waiting, i);
    return w.event;
  }
  return NULL;
}

static void
tell_sent (GstRtpCcMuxOrder * o, const GstRtpCcMuxExit * exit, RccTime now,
    RccUpdate * update)
{
  RccUpdate u;

  if (exit->sent.size == 0)
    return;
  u = o->sent (o->element, &exit->sent, now);
  if (G_UNLIKELY (u.changed))
    *update = rcc_update_merge (*update, u);
}

/* --- arrivals ---------------------------------------------------------------- */

static gboolean
may_come (GstRtpCcMuxPassage * p)
{
  p->taken = TRUE;
  p->refused = p->pad->klass >= GST_RTP_CC_MUX_PADS || p->pad->flushing;
  return !p->refused;
}

/* Then it is writable: what else has it as a part would hold a reference. */
static gboolean
is_ours_alone (GstBuffer * buffer)
{
  return GST_MINI_OBJECT_REFCOUNT_VALUE (buffer) == 1;
}

RccUpdate
gst_rtp_cc_mux_order_arrive (RccSender * sender, RccTime now,
    gpointer user_data)
{
  GstRtpCcMuxPassage *p = user_data;
  GstRtpCcMuxOrder *o = p->order;
  GstBuffer *buffer = GST_BUFFER_CAST (p->object);
  RccUpdate update = { 0 };
  GstRtpCcMuxExit exit;
  gboolean clear, empty;

  if (!may_come (p))
    return update;
  clear = gst_rtp_cc_mux_order_is_clear (o);
  empty = gst_rtp_cc_mux_queue_is_empty (&o->queue);
  switch (gst_rtp_cc_mux_queue_arrive (&o->queue, p->pad->klass, buffer,
          clear, now, &exit)) {
    case GST_RTP_CC_MUX_PASSED:
      begin_passing (o, p);
      if (gst_rtp_cc_mux_exit_writes (&exit)) {
        buffer = gst_buffer_make_writable (buffer);
        gst_rtp_cc_mux_exit_write (&exit, buffer);
        p->object = GST_MINI_OBJECT_CAST (buffer);
      }
      tell_sent (o, &exit, now, &update);
      break;
    case GST_RTP_CC_MUX_QUEUED:
      p->wake = empty;
      p->object = NULL;
      break;
    case GST_RTP_CC_MUX_DROPPED:
      gst_clear_mini_object (&p->object);
      break;
  }
  p->asks = gst_rtp_cc_mux_queue_asks (&o->queue);
  return update;
}

/* What leaves at once stays in the list; the rest is taken out. */
RccUpdate
gst_rtp_cc_mux_order_arrive_list (RccSender * sender, RccTime now,
    gpointer user_data)
{
  GstRtpCcMuxPassage *p = user_data;
  GstRtpCcMuxOrder *o = p->order;
  GstBufferList *list = GST_BUFFER_LIST (p->object);
  const guint n = gst_buffer_list_length (list);
  RccUpdate update = { 0 };
  gboolean clear, empty;
  guint stays = 0;

  if (!may_come (p))
    return update;
  clear = gst_rtp_cc_mux_order_is_clear (o);
  empty = gst_rtp_cc_mux_queue_is_empty (&o->queue);
  for (guint i = 0; i < n; i++) {
    GstBuffer *buffer = gst_buffer_list_get (list, stays);
    GstRtpCcMuxVerdict verdict;
    GstRtpCcMuxExit exit;

    verdict = gst_rtp_cc_mux_queue_arrive (&o->queue, p->pad->klass, buffer,
        clear && gst_rtp_cc_mux_queue_is_empty (&o->queue), now, &exit);
    if (verdict != GST_RTP_CC_MUX_PASSED) {
      if (verdict == GST_RTP_CC_MUX_QUEUED)
        gst_buffer_ref (buffer);
      list = gst_buffer_list_make_writable (list);
      gst_buffer_list_remove (list, stays, 1);
      continue;
    }
    if (gst_rtp_cc_mux_exit_writes (&exit)) {
      list = gst_buffer_list_make_writable (list);
      buffer = gst_buffer_list_get (list, stays);
      if (!is_ours_alone (buffer))
        buffer = gst_buffer_list_get_writable (list, stays);
      gst_rtp_cc_mux_exit_write (&exit, buffer);
    }
    tell_sent (o, &exit, now, &update);
    stays++;
  }
  p->wake = empty && !gst_rtp_cc_mux_queue_is_empty (&o->queue);
  if (stays > 0)
    begin_passing (o, p);
  else
    gst_clear_buffer_list (&list);
  p->object = (GstMiniObject *) list;
  p->asks = gst_rtp_cc_mux_queue_asks (&o->queue);
  return update;
}

RccUpdate
gst_rtp_cc_mux_order_arrive_event (RccSender * sender, RccTime now,
    gpointer user_data)
{
  GstRtpCcMuxPassage *p = user_data;
  GstRtpCcMuxOrder *o = p->order;
  Waiting w = {.event = GST_EVENT (p->object) };

  if (!may_come (p))
    return (RccUpdate) {
    0};
  if (gst_rtp_cc_mux_order_is_clear (o)) {
    begin_passing (o, p);
    return (RccUpdate) {
    0};
  }
  w.klass = p->pad->klass;
  w.after = o->queue.classes[w.klass].arrived;
  p->wake = o->queue.classes[w.klass].departed >= w.after;
  g_array_append_val (o->waiting, w);
  p->object = NULL;
  return (RccUpdate) {
  0};
}

RccUpdate
gst_rtp_cc_mux_order_arrive_end (RccSender * sender, RccTime now,
    gpointer user_data)
{
  GstRtpCcMuxPassage *p = user_data;
  GstRtpCcMuxOrder *o = p->order;

  if (!may_come (p))
    return (RccUpdate) {
    0};
  p->pad->eos = TRUE;
  p->wake = !gst_rtp_cc_mux_order_is_clear (o);
  if (!p->wake && (p->object = (GstMiniObject *) take_end (o)))
    begin_passing (o, p);
  return (RccUpdate) {
  0};
}

/* The task asks what may leave. */
RccUpdate
gst_rtp_cc_mux_order_leave (RccSender * sender, RccTime now, gpointer user_data)
{
  GstRtpCcMuxPassage *p = user_data;
  GstRtpCcMuxOrder *o = p->order;
  RccUpdate update = { 0 };
  GstRtpCcMuxExit exit;

  p->taken = TRUE;
  if (G_UNLIKELY (is_passing (o))) {
    atomic_store (&o->blocked, TRUE);
    if (is_passing (o))
      return update;            /* who passes wakes the task afterwards */
    atomic_store (&o->blocked, FALSE);
  }
  if (o->waiting->len > 0)
    p->object = (GstMiniObject *) take_event (o);
  if (!p->object) {
    p->object = (GstMiniObject *) gst_rtp_cc_mux_queue_pop (&o->queue, now,
        &p->when, &exit);
    if (p->object)
      tell_sent (o, &exit, now, &update);
  }
  if (!p->object && o->waiting->len > 0)        /* those before it were dropped */
    p->object = (GstMiniObject *) take_event (o);
  if (!p->object)
    p->object = (GstMiniObject *) take_end (o);
  if (p->object)
    begin_passing (o, p);
  p->asks = gst_rtp_cc_mux_queue_asks (&o->queue);
  return update;
}

/* --- flushing --------------------------------------------------------------- */

/* Of the events only data's go with the data. */
static void
drop_events (GstRtpCcMuxOrder * o, guint k)
{
  for (guint i = o->waiting->len; i-- > 0;) {
    const Waiting w = g_array_index (o->waiting, Waiting, i);

    if (w.klass != k)
      continue;
    if (GST_EVENT_IS_STICKY (w.event) && !o->need_start)
      gst_pad_store_sticky_event (o->src, w.event);
    gst_event_unref (w.event);
    g_array_remove_index (o->waiting, i);
  }
}

void
gst_rtp_cc_mux_order_flush (GstRtpCcMuxOrder * o, guint k, gboolean close)
{
  drop_events (o, k);
  gst_rtp_cc_mux_queue_flush (&o->queue, k, close);
}

gboolean
gst_rtp_cc_mux_order_any_pad (GstRtpCcMuxOrder * o)
{
  for (guint k = 0; k < GST_RTP_CC_MUX_PADS; k++)
    if (o->pads[k])
      return TRUE;
  return FALSE;
}

gboolean
gst_rtp_cc_mux_order_end_flush (GstRtpCcMuxOrder * o)
{
  const gboolean downstream = o->flushed;

  o->flushed = FALSE;
  if (o->ended)
    gst_rtp_cc_mux_order_start_over (o);
  o->need_segment |= downstream;
  return downstream;
}
