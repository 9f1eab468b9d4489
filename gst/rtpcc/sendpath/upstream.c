/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/sendpath/upstream.h"

#include "rtpcc/common/event.h"

#define EVENT_PACKETS 1500      /* of a TWCC event; a frame's feedback has fewer */

/* --- probe clusters ------------------------------------------------------- */

/* By which a session stamps, and which need not be the driver's. */
static GstClockTime
session_time (void)
{
  GstClock *clock = gst_system_clock_obtain ();
  const GstClockTime now = gst_clock_get_time (clock);

  gst_object_unref (clock);
  return now;
}

/* Feedback that comes as rtpsession's event speaks of send times only. */
void
gst_rtp_cc_send_note_cluster (GstRtpCcSend * x, guint32 id)
{
  rcc_send_clusters_sent (&x->clusters, id, session_time ());
}

/* --- transport-wide feedback ---------------------------------------------- */

#define PADDING 255             /* of a packet that has nothing else, as we send */

/* G_MAXUINT: it does not say. */
static guint
payload_type (const GstStructure * s)
{
  const GValue *value = gst_structure_get_value (s, "payload-type");

  if (value && G_VALUE_HOLDS_UCHAR (value))
    return g_value_get_uchar (value);
  return value && G_VALUE_HOLDS_UINT (value) ? g_value_get_uint (value)
      : G_MAXUINT;
}

static gboolean
parse_packet (const GstStructure * s, guint header, RccPacket * packet)
{
  GstClockTime local = GST_CLOCK_TIME_NONE, remote = GST_CLOCK_TIME_NONE;
  guint seqnum = 0, size = 0;
  gboolean lost = FALSE;

  if (!gst_structure_get (s, "seqnum", G_TYPE_UINT, &seqnum, "local-ts",
          G_TYPE_UINT64, &local, "remote-ts", G_TYPE_UINT64, &remote, "size",
          G_TYPE_UINT, &size, "lost", G_TYPE_BOOLEAN, &lost, NULL)
      || !GST_CLOCK_TIME_IS_VALID (local)
      || !(lost || GST_CLOCK_TIME_IS_VALID (remote)))
    return FALSE;
  *packet = (RccPacket) {
  .seq = seqnum,.size = header + (size > 0 ? size : PADDING),.sent =
        local,.arrived = lost ? RCC_NEVER : remote,};
  return TRUE;
}

/* The event as packets, up to EVENT_PACKETS, with @flags in those of payload type @pt. The event's
 * sizes are payload only: @header is added to each. Padding is left out of them, so a packet
 * without payload is counted as one of ours. What has no local time (the session has forgotten it)
 * is left out. 0: it is malformed. */
static gsize
parse_packets (GstEvent * event, guint header, guint pt, guint32 flags,
    RccPacket * packets)
{
  const GstStructure *s;
  gsize n = 0;

  for (guint i = 0; n < EVENT_PACKETS
      && (s = gst_rtp_cc_twcc_packet (event, i)); i++) {
    if (!parse_packet (s, header, &packets[n]))
      continue;
    if (payload_type (s) == pt)
      packets[n].flags = flags;
    n++;
  }
  return n;
}

/* Their send times as the driver's, which is at @now when the session's clock is at
 * @system; with their probe clusters.  What was sent before the driver's time began is
 * left out. */
static gsize
to_driver_time (GstRtpCcSend * x, RccPacket * packets, gsize n,
    GstClockTime system, GstClockTime now)
{
  gsize kept = 0;

  for (gsize i = 0; i < n; i++) {
    RccPacket p = packets[i];

    if (p.sent > system || system - p.sent > now)
      continue;
    p.probe = rcc_send_clusters_at (&x->clusters, p.sent);
    p.sent += now - system;
    if (p.flags & RCC_PACKET_PARITY)
      p.flags &= x->funcs->mark (x->element, p.sent, FALSE)
          | ~(guint32) RCC_PACKET_PARITY;
    packets[kept++] = p;
  }
  return kept;
}

/* Its numbers are the session's, whatever packets carry here.  The compound that brought
 * it has gone through already, with nothing to judge then: that it is over is said now. */
static RccUpdate
take_packets (GstRtpCcSend * x, GstEvent * event, RccPacket * packets,
    RccTime now)
{
  RccSend *path = &x->path;
  const gboolean marked = path->parity && x->funcs && x->funcs->mark;
  const RccRtcp over = { 0 };
  RccUpdate update;
  gsize n = parse_packets (event, x->header_size,
      marked ? path->parity->config.pt : G_MAXUINT,
      marked ? RCC_PACKET_PARITY : 0, packets);

  if (n > 0 && !path->transport.session) {
    path->transport.session = TRUE;
    rcc_feedback_forget_transport (path->feedback);
  }
  n = to_driver_time (x, packets, n, session_time (), now);
  if (n == 0)
    return rcc_nothing ();
  update = rcc_tell (&path->sender, on_feedback, packets, n, now);
  return rcc_update_merge (update, rcc_tell (&path->sender, on_rtcp, &over,
          now));
}

static void
take_twcc (GstRtpCcSend * x, GstEvent * event)
{
  RccPacket *packets = g_new (RccPacket, EVENT_PACKETS);
  RccUpdate update;
  RccTime now;

  if (gst_rtp_cc_driver_enter (x->driver, &now)) {
    update = take_packets (x, event, packets, now);
    gst_rtp_cc_driver_leave (x->driver, &update);
  }
  g_free (packets);
}

/* --- requests for retransmissions ----------------------------------------- */

/* Of a request that another of us, further downstream, has let through. */
#define DECIDED "rtpcc-decided"

static void
say_spurious (GstRtpCcSend * x)
{
  GST_ELEMENT_WARNING (x->element, RESOURCE, SETTINGS,
      ("The receiver asks for packets that are not lost. Where it is GStreamer, "
          "set rtx-next-seqnum=false on its rtpjitterbuffer."),
      ("Its reports tell of half as many losses at most as it sends requests."));
}

/* Whether it is to be passed on; then @seq is the number upstream. */
static gboolean
hear_request (GstRtpCcSend * x, guint ssrc, guint * seq, gboolean decided)
{
  const RccTime now = gst_rtp_cc_driver_lock (x->driver);
  const gboolean known = x->path.rtx.spurious;
  gboolean heard, first;
  guint16 former;

  heard = now != GST_CLOCK_TIME_NONE
      && rcc_send_request (&x->path, ssrc, *seq, decided, now, &former);
  first = !known && x->path.rtx.spurious;
  gst_rtp_cc_driver_unlock (x->driver);
  if (heard)
    *seq = former;
  if (first)
    say_spurious (x);
  return heard;
}

static GstEvent *
take_request (GstRtpCcSend * x, GstEvent * event)
{
  const GstStructure *s = gst_event_get_structure (event);
  guint ssrc, seq;

  if (!gst_structure_get_uint (s, "ssrc", &ssrc)
      || !gst_structure_get_uint (s, "seqnum", &seq))
    return event;
  if (!hear_request (x, ssrc, &seq, gst_structure_has_field (s, DECIDED))) {
    gst_event_unref (event);
    return NULL;
  }
  event = gst_event_make_writable (event);
  gst_structure_set (gst_event_writable_structure (event), "seqnum",
      G_TYPE_UINT, seq, DECIDED, G_TYPE_BOOLEAN, TRUE, NULL);
  return event;
}

GstEvent *
gst_rtp_cc_send_upstream (GstRtpCcSend * x, GstEvent * event)
{
  if (GST_EVENT_TYPE (event) != GST_EVENT_CUSTOM_UPSTREAM)
    return event;
  if (gst_event_has_name (event, "RTPTWCCPackets"))
    take_twcc (x, event);
  else if (gst_event_has_name (event, "GstRTPRetransmissionRequest"))
    return take_request (x, event);
  return event;
}
