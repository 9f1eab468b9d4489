/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/gstrtpccfbrapath.h"

#include "rtpcc/gstrtpccevent.h"
#include "rtpcc/gstrtpccfecpad.h"
#include "rtpcc/gstrtpccpads.h"
#include "rtpcc/gstrtpccparity.h"
#include "rtpcc/gstrtpcctwcc.h"
#include "rtpcc/gstrtpccutils.h"

struct _GstRtpCcFbraPath
{
  GstElement *element;
  GstPad *sink, *src;
  GstRtpCcDriver *driver;
  GstRtpCcFecPad fec;

  /* driver's lock */
  GstRtpCcFbra *fbra;
  GstRtpCcParity parity;
  gboolean announced;           /* a packet has left since the start */
  guint header_size;            /* of the last packet */
  guint32 fec_ssrc;             /* where nobody says another one */
};

static GstRtpCcFbraPath *
path_of (GstPad * pad)
{
  return gst_pad_get_element_private (pad);
}

/* --- RTP ------------------------------------------------------------------ */

/* One buffer's or list's way through. */
typedef struct
{
  GstRtpCcFbraPath *path;
  GstBuffer *buffer;            /* or */
  GstBufferList *list;
  guint at;                     /* in the list */
  GstBuffer *parity;            /* that goes behind it, the first one */
  GstBufferList *more;          /* all of it, where it is more than one */
  gboolean apart;               /* ... to fec_src */
  gboolean taken;
} Passage;

static void
give_parity (Passage * p, GstBuffer * parity)
{
  if (p->list && !p->apart) {
    gst_buffer_list_insert (p->list, (gint)++ p->at, parity);
  } else if (!p->parity && !p->more) {
    p->parity = parity;
  } else {
    if (!p->more) {
      p->more = gst_buffer_list_new ();
      gst_buffer_list_add (p->more, g_steal_pointer (&p->parity));
    }
    gst_buffer_list_add (p->more, parity);
  }
}

static void
tell_sent (GstRtpCcFbraPath * path, const GstRtpCcParityPacket * sent,
    gboolean parity, RccTime now, RccUpdate * update)
{
  const RccUpdate u = gst_rtp_cc_fbra_sent (path->fbra, &sent->rtp, sent->twcc,
      sent->size, parity, now);

  if (u.changed)
    *update = rcc_update_merge (*update, u);
}

static void
depart (Passage * p, GstBuffer * buffer, RccTime now, RccUpdate * update)
{
  GstRtpCcFbraPath *path = p->path;
  GstRtpCcParityPacket sent;
  const gsize size = gst_buffer_get_size (buffer);
  GstBuffer *parity;

  if (!gst_rtp_cc_parity_packet (&path->parity, buffer, size, now, &sent))
    return;
  path->header_size = (guint) sent.rtp.header_size;
  tell_sent (path, &sent, FALSE, now, update);
  while (G_UNLIKELY ((parity =
              gst_rtp_cc_parity_next (&path->parity, &sent)) != NULL)) {
    tell_sent (path, &sent, TRUE, now, update);
    give_parity (p, parity);
  }
}

/* The first target was said in READY, when nobody upstream could listen: the first
 * packet says it again. */
static void
begin (Passage * p, RccUpdate * update)
{
  GstRtpCcFbraPath *path = p->path;
  const guint interval = gst_rtp_cc_fbra_interval (path->fbra);
  const guint depth = gst_rtp_cc_fbra_depth (path->fbra);

  p->taken = TRUE;
  p->apart = path->parity.own_stream;
  if (G_UNLIKELY (interval != path->parity.n || depth != path->parity.depth)) {
    gst_rtp_cc_parity_set_interval (&path->parity, interval, depth);
    if (interval > 0 && path->parity.fits < depth)
      GST_INFO_OBJECT (path->element,
          "%u packets to a parity packet: %u blocks "
          "fit between one another, not %u", interval, path->parity.fits,
          depth);
  }
  if (G_UNLIKELY (!path->announced)) {
    path->announced = TRUE;
    update->changed |= RCC_TARGET;
    update->why = "start";
  }
}

/* Then it is writable: what else has it as a part, such as another list, would hold a
 * reference.  gst_buffer_is_writable() takes the locks of all that it is part of. */
static gboolean
is_ours_alone (GstBuffer * buffer)
{
  return GST_MINI_OBJECT_REFCOUNT_VALUE (buffer) == 1;
}

static RccUpdate
pass_buffer (RccSender * sender, RccTime now, gpointer user_data)
{
  Passage *p = user_data;
  RccUpdate update = { 0 };

  begin (p, &update);
  if (gst_rtp_cc_parity_writes (&p->path->parity) && !is_ours_alone (p->buffer))
    p->buffer = gst_buffer_make_writable (p->buffer);
  depart (p, p->buffer, now, &update);
  return update;
}

static RccUpdate
pass_list (RccSender * sender, RccTime now, gpointer user_data)
{
  Passage *p = user_data;
  GstRtpCcParity *parity = &p->path->parity;
  RccUpdate update = { 0 };

  begin (p, &update);
  if (parity->n > 0 || gst_rtp_cc_parity_writes (parity))
    p->list = gst_buffer_list_make_writable (p->list);
  for (p->at = 0; p->at < gst_buffer_list_length (p->list); p->at++) {
    GstBuffer *buffer = gst_buffer_list_get (p->list, p->at);

    if (gst_rtp_cc_parity_writes (parity) && !is_ours_alone (buffer))
      buffer = gst_buffer_list_get_writable (p->list, p->at);
    depart (p, buffer, now, &update);
  }
  return update;
}

/* @flow is that of what it follows. */
static GstFlowReturn
push_parity (Passage * p, GstFlowReturn flow)
{
  GstPad *pad = p->path->src;

  if (G_LIKELY (!p->parity && !p->more))
    return flow;
  if (p->apart)
    return gst_rtp_cc_fec_pad_push (&p->path->fec, p->path->sink, p->parity,
        p->more, flow);
  if (flow != GST_FLOW_OK) {
    gst_clear_buffer (&p->parity);
    gst_clear_buffer_list (&p->more);
    return flow;
  }
  return p->more ? gst_pad_push_list (pad, p->more)
      : gst_pad_push (pad, p->parity);
}

static GstFlowReturn
chain (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  GstRtpCcFbraPath *path = path_of (pad);
  Passage p = {.path = path,.buffer = buffer };

  gst_rtp_cc_driver_call (path->driver, pass_buffer, &p);
  if (G_UNLIKELY (!p.taken)) {  /* the driver is stopped */
    gst_buffer_unref (buffer);
    return GST_FLOW_FLUSHING;
  }
  return push_parity (&p, gst_pad_push (path->src, p.buffer));
}

static GstFlowReturn
chain_list (GstPad * pad, GstObject * parent, GstBufferList * list)
{
  GstRtpCcFbraPath *path = path_of (pad);
  Passage p = {.path = path,.list = list };

  gst_rtp_cc_driver_call (path->driver, pass_list, &p);
  if (G_UNLIKELY (!p.taken)) {
    gst_buffer_list_unref (list);
    return GST_FLOW_FLUSHING;
  }
  return push_parity (&p, gst_pad_push_list (path->src, p.list));
}

static void
check_payload_type (GstRtpCcFbraPath * path, const GstCaps * caps)
{
  const guint fec = path->parity.config.pt;
  gint media = -1;

  gst_structure_get_int (gst_caps_get_structure (caps, 0), "payload", &media);
  if (media == (gint) fec)
    GST_ELEMENT_WARNING (path->element, STREAM, FORMAT,
        ("The media has payload type %u, too: set another fec-payload-type, "
            "until then it is sent without parity.", fec), (NULL));
}

static gboolean
sink_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  GstRtpCcFbraPath *path = path_of (pad);
  GstCaps *caps;

  switch (GST_EVENT_TYPE (event)) {
    case GST_EVENT_CAPS:
      gst_event_parse_caps (event, &caps);
      gst_rtp_cc_driver_lock (path->driver);
      gst_rtp_cc_parity_caps (&path->parity, caps);
      gst_rtp_cc_driver_unlock (path->driver);
      check_payload_type (path, caps);
      break;
    case GST_EVENT_EOS:
    case GST_EVENT_FLUSH_STOP:
      gst_rtp_cc_driver_lock (path->driver);
      gst_rtp_cc_parity_flush (&path->parity);
      gst_rtp_cc_driver_unlock (path->driver);
      break;
    default:
      break;
  }
  gst_rtp_cc_fec_pad_event (&path->fec, pad, event);
  return gst_pad_event_default (pad, parent, event);
}

/* --- feedback ------------------------------------------------------------- */

#define EVENT_PACKETS 1500      /* 60 kB; a frame's feedback has fewer */

typedef struct
{
  GstRtpCcFbraPath *path;
  GstEvent *event;
  GstClockTime told;            /* now, by the session's clock */
  RccPacket *packets;
} Twcc;

/* Its numbers are the session's, whatever packets carry here, and so is the clock, the
 * system's; it tells parity by its payload type. */
static RccUpdate
hear_twcc (RccSender * sender, RccTime now, gpointer user_data)
{
  Twcc *t = user_data;
  GstRtpCcFbraPath *path = t->path;
  const gsize n = gst_rtp_cc_twcc_parse_marked (t->event, path->header_size,
      path->parity.config.pt, RCC_FATE_PARITY, t->packets, EVENT_PACKETS);

  if (n == 0)
    return (RccUpdate) {
    0};
  for (gsize i = 0; i < n; i++)
    t->packets[i].sent = now - MIN (now, t->told - MIN (t->told,
            t->packets[i].sent));
  if (!path->parity.transport.session) {
    path->parity.transport.session = TRUE;
    rcc_feedback_forget_transport (&path->fbra->feedback);
  }
  return gst_rtp_cc_fbra_arrivals (path->fbra, t->packets, n, now);
}

static void
take_twcc (GstRtpCcFbraPath * path, GstEvent * event)
{
  Twcc t = { path, event, gst_util_get_timestamp (),
    g_new (RccPacket, EVENT_PACKETS)
  };

  gst_rtp_cc_driver_call (path->driver, hear_twcc, &t);
  g_free (t.packets);
}

typedef struct
{
  GstRtpCcFbraPath *path;
  guint bps;
} Wish;

static RccUpdate
hear_target (RccSender * sender, RccTime now, gpointer user_data)
{
  const Wish *w = user_data;

  return gst_rtp_cc_fbra_target (w->path->fbra, w->bps, now);
}

/* The controller downstream; what is for one SSRC is the merger's alone. */
static void
take_target (GstRtpCcFbraPath * path, GstEvent * event)
{
  Wish w = {.path = path };
  GstRtpCcTarget target;

  if (!gst_rtp_cc_event_parse (event, &target) || target.ssrc != 0
      || target.target_bps == GST_RTP_CC_UNBOUND)
    return;
  w.bps = target.target_bps;
  gst_rtp_cc_driver_call (path->driver, hear_target, &w);
}

void
gst_rtp_cc_fbra_path_hear (GstRtpCcFbraPath * path, GstEvent * event)
{
  if (gst_rtp_cc_event_is (event))
    take_target (path, event);
  else if (GST_EVENT_TYPE (event) == GST_EVENT_CUSTOM_UPSTREAM
      && gst_event_has_name (event, GST_RTP_CC_TWCC_EVENT))
    take_twcc (path, event);
}

GstEvent *
gst_rtp_cc_fbra_path_request (GstRtpCcFbraPath * path, GstEvent * event)
{
  const GstStructure *s = gst_event_get_structure (event);
  guint ssrc, seq;
  guint16 former;
  gboolean known;

  if (GST_EVENT_TYPE (event) != GST_EVENT_CUSTOM_UPSTREAM
      || !gst_event_has_name (event, "GstRTPRetransmissionRequest")
      || !gst_structure_get_uint (s, "ssrc", &ssrc)
      || !gst_structure_get_uint (s, "seqnum", &seq))
    return event;
  gst_rtp_cc_driver_lock (path->driver);
  known = gst_rtp_cc_parity_request (&path->parity, ssrc, (guint16) seq,
      &former);
  gst_rtp_cc_driver_unlock (path->driver);
  if (!known) {
    gst_event_unref (event);
    return NULL;
  }
  if (former != seq) {
    event = gst_event_make_writable (event);
    gst_structure_set (gst_event_writable_structure (event), "seqnum",
        G_TYPE_UINT, (guint) former, NULL);
  }
  return event;
}

/* --- the object ----------------------------------------------------------- */

void
gst_rtp_cc_fbra_path_begin (GstRtpCcFbraPath * path,
    const GstRtpCcFbraSettings * s)
{
  const GstRtpCcParityConfig config = {
    .pt = (guint8) s->pt,.flexfec =
        s->format == GST_RTP_FBRA_FLEXFEC,.at_marker =
        s->close_at_marker,.ssrc = s->protect_ssrc,.fec_ssrc =
        s->fec_ssrc ? s->fec_ssrc : path->fec_ssrc
  };

  gst_rtp_cc_parity_configure (&path->parity, &config);
  gst_rtp_cc_fec_pad_configure (&path->fec, config.pt, config.fec_ssrc,
      config.flexfec);
  path->announced = FALSE;
}

static void
forget_locked (GstRtpCcFbraPath * path)
{
  const gboolean own_stream = path->parity.own_stream;

  gst_rtp_cc_parity_clear (&path->parity);
  path->parity.own_stream = own_stream;
  path->parity.seq = (guint16) g_random_int ();
}

void
gst_rtp_cc_fbra_path_forget (GstRtpCcFbraPath * path)
{
  gst_rtp_cc_fec_pad_reset (&path->fec);
  gst_rtp_cc_driver_lock (path->driver);
  forget_locked (path);
  gst_rtp_cc_driver_unlock (path->driver);
}

static void
set_own_stream (GstRtpCcFbraPath * path, gboolean own_stream)
{
  gst_rtp_cc_driver_lock (path->driver);
  gst_rtp_cc_parity_set_own_stream (&path->parity, own_stream);
  gst_rtp_cc_driver_unlock (path->driver);
}

GstPad *
gst_rtp_cc_fbra_path_request_pad (GstRtpCcFbraPath * path,
    GstPadTemplate * templ)
{
  GstPad *pad = gst_rtp_cc_fec_pad_request (&path->fec, templ);

  if (pad)
    set_own_stream (path, TRUE);
  return pad;
}

void
gst_rtp_cc_fbra_path_release_pad (GstRtpCcFbraPath * path, GstPad * pad)
{
  set_own_stream (path, FALSE);
  gst_rtp_cc_fec_pad_release (&path->fec, pad);
}

gboolean
gst_rtp_cc_fbra_path_has_pad (GstRtpCcFbraPath * path)
{
  gboolean own_stream;

  gst_rtp_cc_driver_lock (path->driver);
  own_stream = path->parity.own_stream;
  gst_rtp_cc_driver_unlock (path->driver);
  return own_stream;
}

void
gst_rtp_cc_fbra_path_stats (GstRtpCcFbraPath * path, GstStructure * stats)
{
  gst_rtp_cc_stats_add (stats, gst_rtp_cc_parity_fields, &path->parity);
}

GstRtpCcFbraPath *
gst_rtp_cc_fbra_path_new (GstElement * element, GstPad * sink, GstPad * src,
    GstRtpCcDriver * driver, GstRtpCcFbra * fbra)
{
  GstRtpCcFbraPath *path = g_new0 (GstRtpCcFbraPath, 1);

  path->element = element;
  path->sink = sink;
  path->src = src;
  path->driver = driver;
  path->fbra = fbra;
  path->fec_ssrc = (guint32) g_random_int_range (1, G_MAXINT32);
  gst_rtp_cc_fec_pad_init (&path->fec, element);
  forget_locked (path);
  gst_pad_set_element_private (sink, path);
  gst_pad_set_chain_function (sink, GST_DEBUG_FUNCPTR (chain));
  gst_pad_set_chain_list_function (sink, GST_DEBUG_FUNCPTR (chain_list));
  gst_pad_set_event_function (sink, GST_DEBUG_FUNCPTR (sink_event));
  gst_rtp_cc_add_pad_pair (element, sink, src);
  return path;
}

void
gst_rtp_cc_fbra_path_free (GstRtpCcFbraPath * path)
{
  gst_rtp_cc_parity_clear (&path->parity);
  g_free (path);
}
