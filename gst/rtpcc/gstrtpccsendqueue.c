/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/gstrtpccsendqueue.h"

#include <gst/rtp/gstrtpbuffer.h>
#include <string.h>

#include "rtpcc/gstrtpccutils.h"

#define PADDING 255             /* RFC 3550 5.1: the count is one byte */
#define MEDIA_MIN 300           /* larger packets are no speech */
#define CLUSTER_SLACK (2 * GST_MSECOND) /* the session stamps a little later */

const RccField gst_rtp_cc_send_queue_fields[] = {
  RCC_FIELD (GstRtpCcSendQueue, packets, "packets-sent", RCC_U64, ""),
  RCC_FIELD (GstRtpCcSendQueue, bytes, "bytes-sent", RCC_U64, "B"),
  RCC_FIELD (GstRtpCcSendQueue, padding_packets, "padding-packets-sent",
      RCC_U64, ""),
  RCC_FIELD (GstRtpCcSendQueue, padding_bytes, "padding-bytes-sent", RCC_U64,
      "B"),
  RCC_FIELD (GstRtpCcSendQueue, dropped, "packets-dropped", RCC_U64, ""),
  RCC_FIELD (GstRtpCcSendQueue, malformed, "rtp-malformed", RCC_U64, ""),
  RCC_FIELD (GstRtpCcSendQueue, pacer.queued_packets, "queue-packets", RCC_U64,
      ""),
  RCC_FIELD (GstRtpCcSendQueue, pacer.queued_bytes, "queue-bytes", RCC_U64,
      "B"),
  RCC_FIELDS_END,
};

typedef struct
{
  GstMiniObject *object;
  guint32 size;                 /* of a buffer; 0: an event */
} Item;

void
gst_rtp_cc_send_queue_init (GstRtpCcSendQueue * q)
{
  memset (q, 0, sizeof *q);
  q->items = gst_queue_array_new_for_struct (sizeof (Item), 64);
  q->feedback = g_new (RccFeedback, 1);
  gst_rtp_cc_send_queue_forget (q);
  gst_rtp_cc_send_queue_reset (q, 0, RCC_MSEC, RCC_SEC, 0);
}

void
gst_rtp_cc_send_queue_clear (GstRtpCcSendQueue * q)
{
  Item *item;

  while ((item = gst_queue_array_pop_head_struct (q->items)))
    gst_mini_object_unref (item->object);
  g_clear_pointer (&q->items, gst_queue_array_free);
  g_clear_pointer (&q->feedback, g_free);
}

void
gst_rtp_cc_send_queue_reset (GstRtpCcSendQueue * q, guint32 bps, RccTime burst,
    RccTime max_queue, RccTime now)
{
  const guint64 bytes = q->pacer.queued_bytes, packets =
      q->pacer.queued_packets;

  rcc_pacer_init (&q->pacer, bps, burst, max_queue, now);
  q->pacer.queued_bytes = bytes;        /* what is queued stays queued */
  q->pacer.queued_packets = packets;
  rcc_feedback_init (q->feedback);
  for (guint i = 0; i < q->n_streams; i++)
    q->streams[i].clock_rate = 0;       /* to be told again */
  q->n_clusters = 0;
  q->transport.last = -1;
  q->transport.moves = FALSE;
  q->packets = q->bytes = q->padding_packets = q->padding_bytes = 0;
  q->dropped = q->malformed = 0;
}

void
gst_rtp_cc_send_queue_forget (GstRtpCcSendQueue * q)
{
  q->padded = -1;
  q->n_streams = 0;
  q->renumbers = q->protected = q->transport.session = FALSE;
  q->requests.n = 0;
  q->abs_id = q->transport.id = 0;
  q->clock_rate = 0;
  q->media = GST_RTP_CC_MEDIA_UNKNOWN;
}

gboolean
gst_rtp_cc_send_queue_is_empty (const GstRtpCcSendQueue * q)
{
  return gst_queue_array_is_empty (q->items);
}

static GstRtpCcMedia
media_of (const GstStructure * s)
{
  const gchar *media = gst_structure_get_string (s, "media");

  if (!media)
    return GST_RTP_CC_MEDIA_UNKNOWN;
  return strcmp (media,
      "video") == 0 ? GST_RTP_CC_MEDIA_VIDEO : GST_RTP_CC_MEDIA_OTHER;
}

void
gst_rtp_cc_send_queue_caps (GstRtpCcSendQueue * q, const GstCaps * caps,
    guint8 abs_id)
{
  const GstStructure *s = gst_caps_get_structure (caps, 0);
  gint rate = 0;

  q->abs_id = gst_rtp_cc_extension_id (caps, RCC_ABS_SEND_TIME_URI);
  if (q->abs_id == 0)
    q->abs_id = abs_id;
  q->transport.id = gst_rtp_cc_extension_id (caps, RCC_TWCC_URI);
  gst_structure_get_int (s, "clock-rate", &rate);
  q->clock_rate = rate > 0 ? (guint32) rate : 0;
  q->media = media_of (s);
}

/* Known SSRCs are few; beyond the table the one used longest ago makes room. */
static GstRtpCcStream *
stream (GstRtpCcSendQueue * q, guint32 ssrc)
{
  guint oldest = 0;

  for (guint i = 0; i < q->n_streams; i++) {
    if (q->streams[i].ssrc == ssrc)
      return &q->streams[i];
    if (q->streams[i].used < q->streams[oldest].used)
      oldest = i;
  }
  if (q->n_streams < GST_RTP_CC_STREAMS)
    oldest = q->n_streams++;
  if (q->padded == (gint) oldest)
    q->padded = -1;
  q->streams[oldest] = (GstRtpCcStream) {
  .ssrc = ssrc};
  return &q->streams[oldest];
}

static void
withhold (GstRtpCcSendQueue * q, GstBuffer * buffer, RccTime now)
{
  GstRtpCcPacket packet;

  rcc_pacer_removed (&q->pacer, (guint32) MAX (gst_buffer_get_size (buffer),
          1));
  q->dropped++;
  if (!gst_rtp_cc_packet_map (buffer, &packet))
    return;
  packet.rtp.seq =
      rcc_insert_leaves (&stream (q, packet.rtp.ssrc)->padding, packet.rtp.seq);
  rcc_feedback_withheld (q->feedback, &packet.rtp, now);
  gst_rtp_cc_packet_unmap (&packet);
}

static void
drop_oldest (GstRtpCcSendQueue * q, RccTime now)
{
  const guint n = gst_queue_array_get_length (q->items);
  Item *item, dropped;

  for (guint i = 0; i < n; i++) {
    item = gst_queue_array_peek_nth_struct (q->items, i);
    if (item->size == 0)
      continue;
    gst_queue_array_drop_struct (q->items, i, &dropped);
    withhold (q, GST_BUFFER (dropped.object), now);
    gst_mini_object_unref (dropped.object);
    return;
  }
}

void
gst_rtp_cc_send_queue_push (GstRtpCcSendQueue * q, GstMiniObject * object,
    RccTime now)
{
  Item item = { object, 0 };

  if (GST_IS_BUFFER (object)) {
    item.size = (guint32) MAX (gst_buffer_get_size (GST_BUFFER (object)), 1);
    rcc_pacer_queued (&q->pacer, item.size);
  }
  gst_queue_array_push_tail_struct (q->items, &item);
  gst_rtp_cc_send_queue_trim (q, now);
}

void
gst_rtp_cc_send_queue_trim (GstRtpCcSendQueue * q, RccTime now)
{
  while (rcc_pacer_over (&q->pacer))
    drop_oldest (q, now);
}

GstMiniObject *
gst_rtp_cc_send_queue_flush (GstRtpCcSendQueue * q, RccTime now)
{
  Item *item;

  gst_rtp_cc_send_queue_end_probe (q);
  while ((item = gst_queue_array_pop_head_struct (q->items))) {
    GstMiniObject *object = item->object;

    if (GST_IS_EVENT (object))
      return object;
    withhold (q, GST_BUFFER (object), now);
    gst_mini_object_unref (object);
  }
  return NULL;
}

void
gst_rtp_cc_send_queue_end_probe (GstRtpCcSendQueue * q)
{
  q->pacer.probe_id = 0;
}

static void
note_cluster (GstRtpCcSendQueue * q, guint32 id)
{
  const GstClockTime now = gst_util_get_timestamp ();
  guint i = (q->n_clusters + GST_RTP_CC_CLUSTERS - 1) % GST_RTP_CC_CLUSTERS;

  if (q->n_clusters == 0 || q->clusters[i].id != id) {
    i = q->n_clusters++ % GST_RTP_CC_CLUSTERS;
    q->clusters[i].id = id;
    q->clusters[i].first = now;
  }
  q->clusters[i].last = now;
}

guint32
gst_rtp_cc_send_queue_cluster (const GstRtpCcSendQueue * q, GstClockTime sent)
{
  for (guint i = 0; i < MIN (q->n_clusters, GST_RTP_CC_CLUSTERS); i++)
    if (sent >= q->clusters[i].first
        && sent <= q->clusters[i].last + CLUSTER_SLACK)
      return q->clusters[i].id;
  return 0;
}

void
gst_rtp_cc_send_queue_session_numbers (GstRtpCcSendQueue * q)
{
  if (q->transport.session)
    return;
  q->transport.session = TRUE;
  rcc_feedback_forget_transport (q->feedback);
}

/* Whether the stream carries video: what the caps say, else (behind rtpfunnel) what no
 * audio payload format sends: two large packets of one timestamp, or two in a row that
 * both have the marker, which ends a frame of video but begins a talkspurt
 * (RFC 3551 4.1). */
static gboolean
is_video (const GstRtpCcSendQueue * q, const GstRtpCcStream * s,
    const RccRtp * rtp, gsize size)
{
  if (q->media != GST_RTP_CC_MEDIA_UNKNOWN)
    return q->media == GST_RTP_CC_MEDIA_VIDEO && size >= MEDIA_MIN;
  if (!s->large || size < MEDIA_MIN)
    return FALSE;
  return rtp->timestamp == s->timestamp || (rtp->marker && s->frame_ended);
}

/* The last packet of a frame is what padding may follow: in the middle of a frame
 * it would spoil it for depayloaders that take packets as they come. */
static void
remember (GstRtpCcSendQueue * q, GstRtpCcStream * s, const guint8 * data,
    const RccRtp * rtp, gsize size, GstBuffer * buffer)
{
  s->used = q->packets;
  if (q->clock_rate != s->clock_rate) {
    s->clock_rate = q->clock_rate;
    rcc_feedback_clock_rate (q->feedback, rtp->ssrc, q->clock_rate);
  }
  if (!s->started || (gint16) (rtp->seq - s->last_seq) > 0)
    s->last_seq = rtp->seq;
  s->started = TRUE;
  if (!s->video)
    s->video = is_video (q, s, rtp, size);
  s->large = size >= MEDIA_MIN;
  s->timestamp = rtp->timestamp;
  s->frame_ended = rtp->marker;
  if (!s->video)
    return;
  q->padded = (gint) (s - q->streams);
  if (!rtp->marker)
    return;
  s->header_size = (guint) rtp->header_size;
  if (s->header_size > GST_RTP_CC_HEADER_MAX)
    return;
  memcpy (s->header, data, rtp->header_size);
  s->pts = GST_BUFFER_PTS (buffer);
  s->dts = GST_BUFFER_DTS (buffer);
}

/* Where in the packet the send time stands; 0: nowhere. */
static gsize
find_send_time (const GstRtpCcSendQueue * q, const guint8 * data,
    const RccRtp * rtp)
{
  RccBytes value;

  if (q->abs_id && rcc_rtp_ext (rtp, q->abs_id, &value)
      && value.size == RCC_ABS_SEND_TIME_SIZE)
    return (gsize) (value.data - data);
  return 0;
}

static void
depart (GstRtpCcSendQueue * q, const RccRtp * rtp, gsize size, gboolean padding,
    RccTime now, RccPacket * sent)
{
  sent->size = (guint32) size;
  sent->ssrc = rtp->ssrc;
  sent->timestamp = rtp->timestamp;
  sent->sent = now;
  sent->arrived = RCC_NEVER;
  sent->probe = rcc_pacer_sent (&q->pacer, (guint32) size, padding, now);
  if (sent->probe)
    note_cluster (q, sent->probe);
  rcc_feedback_sent (q->feedback, rtp,
      gst_rtp_cc_transport_number (&q->transport, rtp), (guint32) size,
      sent->probe, now);
  q->packets++;
  q->bytes += size;
}

static void
write_header (guint8 * data, guint16 seq, gsize send_time, RccTime now)
{
  rcc_put16 (data + 2, seq);
  if (send_time)
    rcc_put24 (data + send_time, rcc_abs_send_time (now));
}

/* The same where others hold the memory: it is copied. */
static void
write_shared (GstBuffer * buffer, gboolean first_memory, guint16 seq,
    gsize send_time, RccTime now)
{
  GstMapInfo info;

  if (!gst_buffer_map_range (buffer, 0, first_memory ? 1 : -1, &info,
          GST_MAP_READWRITE))
    return;
  write_header (info.data, seq, send_time, now);
  gst_buffer_unmap (buffer, &info);
}

gboolean
gst_rtp_cc_send_queue_request (GstRtpCcSendQueue * q, guint32 ssrc, guint16 seq,
    guint16 * original)
{
  *original = seq;
  for (guint i = 0; i < q->n_streams; i++)
    if (q->streams[i].ssrc == ssrc)
      return rcc_insert_request (&q->streams[i].padding, &q->requests, seq,
          original);
  return TRUE;
}

/* RFC 4588: the payload of a retransmission begins with the packet's number, which
 * the receiver knows as it left. */
static void
renumber_retransmission (const GstRtpCcSendQueue * q, GstBuffer * buffer,
    gsize header)
{
  guint8 number[2];
  guint16 left;

  if (!GST_BUFFER_FLAG_IS_SET (buffer, GST_RTP_BUFFER_FLAG_RETRANSMISSION)
      || gst_buffer_extract (buffer, header, number, 2) != 2
      || !rcc_insert_answer (&q->requests, rcc_be16 (number), &left))
    return;
  rcc_put16 (number, left);
  gst_buffer_fill (buffer, header, number, 2);
}

gboolean
gst_rtp_cc_send_queue_writes (const GstRtpCcSendQueue * q)
{
  return q->abs_id != 0 || q->renumbers;
}

void
gst_rtp_cc_send_queue_depart (GstRtpCcSendQueue * q, GstBuffer * buffer,
    gsize size, RccTime now, RccPacket * sent)
{
  gboolean first_memory, change;
  GstRtpCcPacket packet;
  GstRtpCcStream *s;
  gsize send_time, header;
  guint16 seq;

  *sent = (RccPacket) {
  0};
  if (!gst_rtp_cc_packet_map_full (buffer, gst_rtp_cc_send_queue_writes (q),
          &packet)) {
    q->malformed++;
    rcc_pacer_sent (&q->pacer, (guint32) MAX (size, 1), FALSE, now);
    return;
  }
  s = stream (q, packet.rtp.ssrc);
  seq = rcc_insert_leaves (&s->padding, packet.rtp.seq);
  send_time = find_send_time (q, packet.bytes.data, &packet.rtp);
  change = send_time || seq != packet.rtp.seq;
  packet.rtp.seq = seq;
  header = packet.rtp.header_size;
  remember (q, s, packet.bytes.data, &packet.rtp, size, buffer);
  depart (q, &packet.rtp, size, FALSE, now, sent);
  if (change && (packet.info.flags & GST_MAP_WRITE)) {
    write_header (packet.info.data, seq, send_time, now);
    change = FALSE;
  }
  first_memory = packet.bytes.size < size;
  gst_rtp_cc_packet_unmap (&packet);
  if (change)
    write_shared (buffer, first_memory, seq, send_time, now);
  if (q->renumbers)
    renumber_retransmission (q, buffer, header);
  q->protected |=
      GST_BUFFER_FLAG_IS_SET (buffer, GST_RTP_BUFFER_FLAG_REDUNDANT);
}

guint
gst_rtp_cc_send_queue_header_size (const GstRtpCcSendQueue * q)
{
  const guint size = q->padded >= 0 ? q->streams[q->padded].header_size : 0;

  return MAX (size, RCC_RTP_HEADER_MIN);
}

/* Numbers that somebody before us has given to the transport-wide extension cannot
 * be made up here, and parity speaks of the numbers that it saw. */
static gboolean
can_pad (const GstRtpCcSendQueue * q)
{
  return q->padded >= 0 && !q->protected && (!q->transport.moves
      || q->transport.session)
      && q->streams[q->padded].header_size <= GST_RTP_CC_HEADER_MAX;
}

/* An RTP packet of nothing but padding on the SSRC of the video, with the timestamp
 * and extensions of its last packet and a sequence number of its own: what follows is
 * renumbered (RFC 3550 5.1 allows it; libwebrtc's receivers know it). */
static GstMiniObject *
make_padding (GstRtpCcSendQueue * q, RccTime now, RccPacket * sent)
{
  GstRtpCcStream *s = &q->streams[q->padded];
  const gsize size = s->header_size + PADDING;
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, size, NULL);
  gsize send_time;
  GstMapInfo info;
  RccRtp rtp;

  gst_buffer_map (buffer, &info, GST_MAP_WRITE);
  memcpy (info.data, s->header, s->header_size);
  memset (info.data + s->header_size, 0, PADDING - 1);
  info.data[size - 1] = PADDING;
  info.data[0] |= 0x20;         /* P */
  info.data[1] &= 0x7f;         /* no marker */
  rcc_put16 (info.data + 2, ++s->last_seq);
  rcc_insert_put (&s->padding, s->last_seq);
  q->renumbers = TRUE;
  rcc_rtp_parse ((RccBytes) {
      info.data, info.size}, &rtp);
  if ((send_time = find_send_time (q, info.data, &rtp)))
    rcc_put24 (info.data + send_time, rcc_abs_send_time (now));
  depart (q, &rtp, size, TRUE, now, sent);
  gst_buffer_unmap (buffer, &info);
  GST_BUFFER_PTS (buffer) = s->pts;
  GST_BUFFER_DTS (buffer) = s->dts;
  q->padding_packets++;
  q->padding_bytes += size;
  return GST_MINI_OBJECT (buffer);
}

GstMiniObject *
gst_rtp_cc_send_queue_pop (GstRtpCcSendQueue * q, RccTime now, RccTime * when,
    RccPacket * sent)
{
  Item *head = gst_queue_array_peek_head_struct (q->items);
  GstMiniObject *object;

  *sent = (RccPacket) {
  0};
  *when = now;
  if (head && head->size == 0) {
    object = head->object;
    gst_queue_array_pop_head_struct (q->items);
    return object;
  }
  switch (rcc_pacer_next (&q->pacer, now, when)) {
    case RCC_PACER_MEDIA:
      object = head->object;
      gst_queue_array_pop_head_struct (q->items);
      if (gst_rtp_cc_send_queue_writes (q))
        object =
            GST_MINI_OBJECT (gst_buffer_make_writable (GST_BUFFER (object)));
      gst_rtp_cc_send_queue_depart (q, GST_BUFFER (object),
          gst_buffer_get_size (GST_BUFFER (object)), now, sent);
      return object;
    case RCC_PACER_PADDING:
      *when = RCC_NEVER;
      if (!can_pad (q))
        gst_rtp_cc_send_queue_end_probe (q);
      else if (q->streams[q->padded].frame_ended)
        return make_padding (q, now, sent);
      return NULL;              /* the frame's next packet goes on with it */
    case RCC_PACER_WAIT:
      break;
  }
  return NULL;
}

gboolean
gst_rtp_cc_send_queue_may_pass (GstRtpCcSendQueue * q, gsize size, RccTime now)
{
  RccTime when;

  /* counted in and out again by rcc_pacer_sent() */
  rcc_pacer_queued (&q->pacer, (guint32) MAX (size, 1));
  if (rcc_pacer_next (&q->pacer, now, &when) == RCC_PACER_MEDIA)
    return TRUE;
  rcc_pacer_removed (&q->pacer, (guint32) MAX (size, 1));
  return FALSE;
}
