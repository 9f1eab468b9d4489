/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/gstrtpccmuxqueue.h"

#include <gst/rtp/gstrtpbuffer.h>
#include <string.h>

#include "rtpcc/gstrtpccevent.h"
#include "rtpcc/gstrtpccutils.h"

#define BURST (5 * RCC_MSEC)
#define KEY_INTERVAL RCC_SEC    /* least, between requests at one pad */
#define RATE_SPAN RCC_SEC

const RccField gst_rtp_cc_mux_queue_fields[] = {
  RCC_FIELD (GstRtpCcMuxQueue, renumbered, "packets-renumbered", RCC_U64, ""),
  RCC_FIELD (GstRtpCcMuxQueue, way.rtt, "rtt-used", RCC_TIME, "ns"),
  RCC_FIELD (GstRtpCcMuxQueue, way.owd, "one-way-delay", RCC_TIME, "ns"),
  RCC_FIELD (GstRtpCcMuxQueue, paced, "paced", RCC_BOOL, ""),
  RCC_FIELD (GstRtpCcMuxQueue, pacer.bps, "paced-bitrate", RCC_U32, "bit/s"),
  RCC_FIELDS_END,
};

const RccField gst_rtp_cc_mux_class_fields[] = {
  RCC_FIELD (GstRtpCcMuxClass, malformed, "rtp-malformed", RCC_U64, ""),
  RCC_FIELD (GstRtpCcMuxClass, retransmissions, "retransmissions-in", RCC_U64,
      ""),
  RCC_FIELD (GstRtpCcMuxClass, key_requests, "key-requests", RCC_U64, ""),
  RCC_FIELD (GstRtpCcMuxClass, measured_bps, "bitrate-in", RCC_U32, "bit/s"),
  RCC_FIELDS_END,
};

void
gst_rtp_cc_mux_queue_init (GstRtpCcMuxQueue * q)
{
  const RccSbpnConfig config = rcc_sbpn_config ();

  memset (q, 0, sizeof *q);
  q->numbers = g_new (RccRenumber, 1);
  q->feedback = g_new (RccFeedback, 1);
  q->blocks = g_ptr_array_new_with_free_func (g_free);
  gst_rtp_cc_mux_queue_reset (q, &config, RCC_SBPN_WAY_ONE_WAY, 0);
}

void
gst_rtp_cc_mux_queue_clear (GstRtpCcMuxQueue * q)
{
  for (guint k = 0; k < GST_RTP_CC_MUX_PADS; k++)
    gst_rtp_cc_mux_queue_flush (q, k, TRUE);
  g_clear_pointer (&q->entries, g_free);
  g_clear_pointer (&q->blocks, g_ptr_array_unref);
  g_clear_pointer (&q->numbers, g_free);
  g_clear_pointer (&q->feedback, g_free);
}

/* One for the packet that arrives, before another falls for it. */
static guint32
capacity_for (guint32 max_packets)
{
  return max_packets > 0 && max_packets < GST_RTP_CC_MUX_ENTRIES
      ? max_packets + 1 : GST_RTP_CC_MUX_ENTRIES;
}

/* Returns what it held, with its reference. */
static GstBuffer *
release (GstRtpCcMuxQueue * q, GstRtpCcMuxPacket * packet)
{
  GstBuffer *buffer = packet->buffer;

  packet->next = q->free;
  q->free = packet;
  return buffer;
}

/* Entries refer to one another by number and may move; to packets they point. */
static void
add_packets (GstRtpCcMuxQueue * q, guint32 n)
{
  GstRtpCcMuxPacket *block = g_new (GstRtpCcMuxPacket, n);

  g_ptr_array_add (q->blocks, block);
  for (guint32 i = 0; i < n; i++)
    release (q, &block[i]);
}

static void
grow (GstRtpCcMuxQueue * q, guint32 capacity)
{
  const guint32 before = q->sbpn.queue.capacity;

  if (capacity <= before)
    return;
  q->entries = g_renew (RccSbpnEntry, q->entries, capacity);
  add_packets (q, capacity - before);
  rcc_sbpn_grow (&q->sbpn, q->entries, capacity);
}

void
gst_rtp_cc_mux_queue_reset (GstRtpCcMuxQueue * q, const RccSbpnConfig * config,
    RccSbpnWayKind way, RccTime now)
{
  const guint32 capacity = capacity_for (config->max_packets);

  q->entries = g_renew (RccSbpnEntry, q->entries, capacity);
  q->free = NULL;
  g_ptr_array_set_size (q->blocks, 0);
  add_packets (q, capacity);
  rcc_sbpn_init (&q->sbpn, config, q->entries, capacity);
  rcc_sbpn_way_init (&q->way, way);
  rcc_pacer_init (&q->pacer, 0, BURST, RCC_NEVER, now);
  rcc_renumber_init (q->numbers);
  rcc_feedback_init (q->feedback);
  q->paced = FALSE;
  q->transport.session = q->transport.moves = FALSE;
  q->transport.last = -1;
  q->asks = 0;
  q->header_size = RCC_RTP_HEADER_MIN;
  q->renumbered = 0;
  memset (q->classes, 0, sizeof q->classes);
}

/* --- what goes ------------------------------------------------------------ */

static void
want_key (GstRtpCcMuxQueue * q, guint k, RccTime now)
{
  GstRtpCcMuxClass *c = &q->classes[k];
  const RccTime interval =
      q->way.rtt == RCC_NEVER ? KEY_INTERVAL : MAX (q->way.rtt, KEY_INTERVAL);

  if (!c->needs_key || (c->key_asked != RCC_NEVER
          && now - c->key_asked < interval))
    return;
  c->key_asked = now;
  c->key_requests++;
  c->needs_key = c->deltas;     /* else nothing would tell that it came */
  q->asks |= 1u << k;
}

static void
note_drop (GstRtpCcMuxQueue * q, const RccSbpnOut * out, RccTime now)
{
  const guint k = out->packet.klass;
  GstRtpCcMuxClass *c = &q->classes[k];

  c->departed++;
  rcc_pacer_removed (&q->pacer, MAX (out->packet.size, 1));
  if (out->breaks_frame && c->config.video && (c->deltas || c->config.inter))
    c->needs_key = TRUE;
  want_key (q, k, now);
}

static void
drop (GstRtpCcMuxQueue * q, const RccSbpnOut * out, RccTime now)
{
  note_drop (q, out, now);
  gst_buffer_unref (release (q, out->packet.handle));
}

static void
measure_life (GstRtpCcMuxQueue * q)
{
  q->way.life = 0;
  for (guint k = 0; k < GST_RTP_CC_MUX_PADS; k++)
    if (rcc_sbpn_class (&q->sbpn, k)->open)
      q->way.life = MAX (q->way.life, q->classes[k].config.expiry);
}

void
gst_rtp_cc_mux_queue_flush (GstRtpCcMuxQueue * q, guint k, gboolean close)
{
  RccSbpnOut out;

  while (rcc_sbpn_flush (&q->sbpn, k, &out)) {
    q->classes[k].departed++;
    rcc_pacer_removed (&q->pacer, MAX (out.packet.size, 1));
    gst_buffer_unref (release (q, out.packet.handle));
  }
  q->classes[k].needs_key = FALSE;
  q->asks &= ~(1u << k);
  if (!close)
    return;
  rcc_sbpn_close_class (&q->sbpn, k);
  rcc_renumber_disown (q->numbers, k);
  measure_life (q);
}

/* What is asked of the scheduler next is asked for packets that leave @now. */
static void
look_ahead (GstRtpCcMuxQueue * q, RccTime now)
{
  rcc_sbpn_travel (&q->sbpn, rcc_sbpn_way_travel (&q->way, now));
}

void
gst_rtp_cc_mux_queue_adjust (GstRtpCcMuxQueue * q, const RccSbpnConfig * config,
    RccSbpnWayKind way, RccTime now)
{
  RccSbpnOut out;

  grow (q, capacity_for (config->max_packets));
  q->way.kind = way;
  look_ahead (q, now);
  rcc_sbpn_adjust (&q->sbpn, config);
  while (rcc_sbpn_overflow (&q->sbpn, now, &out))
    drop (q, &out, now);
}

void
gst_rtp_cc_mux_queue_open (GstRtpCcMuxQueue * q, guint k,
    const GstRtpCcMuxConfig * config)
{
  if (!rcc_sbpn_class (&q->sbpn, k)->open) {
    q->classes[k] = (GstRtpCcMuxClass) {
    .key_asked = RCC_NEVER};
    rcc_window_init (&q->classes[k].rate, RATE_SPAN);
  }
  q->classes[k].config = *config;
  rcc_sbpn_set_class (&q->sbpn, k, &config->klass);
  measure_life (q);
}

void
gst_rtp_cc_mux_queue_rate (GstRtpCcMuxQueue * q, guint32 bps, RccTime now)
{
  q->paced = bps != GST_RTP_CC_UNBOUND;
  rcc_pacer_set_rate (&q->pacer, q->paced ? bps : 0, now);
}

void
gst_rtp_cc_mux_queue_rtt (GstRtpCcMuxQueue * q, RccTime rtt, RccTime now)
{
  q->way.rtt = rtt;
  look_ahead (q, now);
}

gboolean
gst_rtp_cc_mux_queue_is_empty (const GstRtpCcMuxQueue * q)
{
  return q->sbpn.queue.total.queued.packets == 0;
}

/* --- what leaves ---------------------------------------------------------- */

/* RFC 4588: the payload of a retransmission begins with the packet's number, which the
 * receiver knows as it left. */
static void
renumber_retransmission (GstRtpCcMuxQueue * q, GstBuffer * buffer, gsize header,
    GstRtpCcMuxExit * exit)
{
  guint8 number[2];

  if (gst_buffer_extract (buffer, header, number, 2) == 2
      && rcc_renumber_answer (q->numbers, rcc_be16 (number), &exit->osn)
      && exit->osn != rcc_be16 (number))
    exit->osn_offset = header;
}

/* The first packet of a key frame that leaves mends what was broken. */
static void
note_key (GstRtpCcMuxQueue * q, guint k, const GstRtpCcMuxPacket * packet,
    RccTime now)
{
  GstRtpCcMuxClass *c = &q->classes[k];

  if (G_LIKELY (!c->needs_key))
    return;
  if (c->deltas && !packet->delta && !packet->again)
    c->needs_key = FALSE;
  else
    want_key (q, k, now);
}

static void
depart (GstRtpCcMuxQueue * q, guint k, const GstRtpCcMuxPacket * packet,
    guint32 size, RccTime now, GstRtpCcMuxExit * exit)
{
  RccRtp rtp;

  q->classes[k].departed++;
  *exit = (GstRtpCcMuxExit) {
  .klass = k};
  if (q->paced)
    rcc_pacer_sent (&q->pacer, MAX (size, 1), FALSE, now);
  else
    rcc_pacer_removed (&q->pacer, MAX (size, 1));
  if (!packet->rtp)
    return;
  exit->seq = rcc_renumber_depart (q->numbers, packet->ssrc, packet->seq, k);
  exit->renumber = exit->seq != packet->seq;
  q->renumbered += exit->renumber;
  q->header_size = packet->header_size;
  exit->sent = (RccPacket) {
  .size = size,.ssrc = packet->ssrc,.timestamp = packet->timestamp,.sent =
        now,.arrived = RCC_NEVER,};
  rtp = (RccRtp) {
  .pt = packet->pt,.marker = packet->marker,.seq = exit->seq,.timestamp =
        packet->timestamp,.ssrc = packet->ssrc,.header_size =
        packet->header_size};
  rcc_feedback_sent (q->feedback, &rtp,
      q->transport.session ? -1 : packet->transport, size, 0, now);
  if (G_UNLIKELY (packet->again))
    renumber_retransmission (q, packet->buffer, packet->header_size, exit);
  note_key (q, k, packet, now);
}

void
gst_rtp_cc_mux_exit_write (const GstRtpCcMuxExit * exit, GstBuffer * buffer)
{
  GstMapInfo info;
  guint8 osn[2];

  if (exit->renumber && gst_buffer_n_memory (buffer) > 0
      && gst_buffer_map_range (buffer, 0,
          gst_buffer_peek_memory (buffer, 0)->size >= 4 ? 1 : -1, &info,
          GST_MAP_READWRITE)) {
    rcc_put16 (info.data + 2, exit->seq);
    gst_buffer_unmap (buffer, &info);
  }
  if (exit->osn_offset) {
    rcc_put16 (osn, exit->osn);
    gst_buffer_fill (buffer, exit->osn_offset, osn, sizeof osn);
  }
}

/* --- what comes ----------------------------------------------------------- */

static RccTime
expiry_of (const GstRtpCcMuxQueue * q, const GstRtpCcMuxClass * c,
    gboolean again, RccTime now)
{
  RccTime life = c->config.expiry;

  if (life == GST_CLOCK_TIME_NONE)
    return RCC_NEVER;
  /* who asks for a packet again has missed it for a round trip */
  if (again && q->way.rtt != RCC_NEVER)
    life -= MIN (life, q->way.rtt);
  return now > RCC_NEVER - life ? RCC_NEVER : now + life;
}

static void
note (GstRtpCcMuxQueue * q, GstBuffer * buffer, GstRtpCcMuxPacket * packet)
{
  const guint flags = GST_BUFFER_FLAGS (buffer);
  GstRtpCcPacket mapped;

  *packet = (GstRtpCcMuxPacket) {
  .buffer = buffer,.transport = -1,.rtp =
        gst_rtp_cc_packet_map (buffer, &mapped),.delta =
        (flags & GST_BUFFER_FLAG_DELTA_UNIT) != 0,.again =
        (flags & GST_RTP_BUFFER_FLAG_RETRANSMISSION) != 0,};
  if (!packet->rtp)
    return;
  packet->ssrc = mapped.rtp.ssrc;
  packet->timestamp = mapped.rtp.timestamp;
  packet->seq = mapped.rtp.seq;
  packet->pt = mapped.rtp.pt;
  packet->marker = mapped.rtp.marker;
  packet->header_size = (guint16) MIN (mapped.rtp.header_size, G_MAXUINT16);
  packet->transport = gst_rtp_cc_transport_number (&q->transport, &mapped.rtp);
  gst_rtp_cc_packet_unmap (&mapped);
}

/* A packet's frame is its SSRC and timestamp; a retransmission mends one that is
 * gone. */
static RccSbpnPacket
describe (GstRtpCcMuxQueue * q, guint k, GstRtpCcMuxPacket * packet,
    RccTime now)
{
  GstRtpCcMuxClass *c = &q->classes[k];
  RccSbpnPacket p = {
    .handle = packet,.klass = k,
    .size = (guint32) gst_buffer_get_size (packet->buffer),
    .expiry = expiry_of (q, c, packet->again, now),
    .keep = GST_BUFFER_FLAG_IS_SET (packet->buffer,
        GST_BUFFER_FLAG_NON_DROPPABLE),
  };

  if (packet->rtp && !packet->again)
    p.frame = MAX ((guint64) packet->ssrc << 32 | packet->timestamp, 1);
  c->arrived++;
  c->malformed += !packet->rtp;
  c->retransmissions += packet->again;
  c->deltas |= packet->delta;
  rcc_window_add (&c->rate, p.size, now);
  return p;
}

/* The pacer knows of a packet while it is queued. */
static gboolean
may_leave (GstRtpCcMuxQueue * q, RccTime now, RccTime * when)
{
  return !q->paced || rcc_pacer_next (&q->pacer, now, when) == RCC_PACER_MEDIA;
}

static GstRtpCcMuxVerdict
admit (GstRtpCcMuxQueue * q, const RccSbpnPacket * p, gboolean alone,
    RccTime now, GstRtpCcMuxExit * exit)
{
  gboolean here = TRUE;
  RccSbpnOut out;
  RccTime when;

  if (!rcc_sbpn_put (&q->sbpn, p, now)) {
    q->classes[p->klass].departed++;
    return GST_RTP_CC_MUX_DROPPED;
  }
  rcc_pacer_queued (&q->pacer, MAX (p->size, 1));
  while (rcc_sbpn_overflow (&q->sbpn, now, &out)) {
    if (out.packet.handle != p->handle) {
      drop (q, &out, now);
    } else {
      note_drop (q, &out, now);
      here = FALSE;
    }
  }
  if (!here)
    return GST_RTP_CC_MUX_DROPPED;
  if (!alone || !may_leave (q, now, &when))
    return GST_RTP_CC_MUX_QUEUED;
  if (rcc_sbpn_next (&q->sbpn, now, &out) == RCC_SBPN_DROP) {
    note_drop (q, &out, now);
    return GST_RTP_CC_MUX_DROPPED;
  }
  depart (q, p->klass, p->handle, p->size, now, exit);
  return GST_RTP_CC_MUX_PASSED;
}

GstRtpCcMuxVerdict
gst_rtp_cc_mux_queue_arrive (GstRtpCcMuxQueue * q, guint k, GstBuffer * buffer,
    gboolean alone, RccTime now, GstRtpCcMuxExit * exit)
{
  GstRtpCcMuxPacket *packet = q->free;  /* one is, as one entry is */
  GstRtpCcMuxVerdict verdict;
  RccSbpnPacket p;

  q->free = packet->next;
  note (q, buffer, packet);
  p = describe (q, k, packet, now);
  look_ahead (q, now);
  verdict = admit (q, &p, alone, now, exit);
  if (verdict != GST_RTP_CC_MUX_QUEUED)
    release (q, packet);
  return verdict;
}

GstBuffer *
gst_rtp_cc_mux_queue_pop (GstRtpCcMuxQueue * q, RccTime now, RccTime * when,
    GstRtpCcMuxExit * exit)
{
  RccSbpnVerdict verdict;
  RccSbpnOut out;
  GstBuffer *buffer;

  *when = RCC_NEVER;
  if (gst_rtp_cc_mux_queue_is_empty (q) || !may_leave (q, now, when))
    return NULL;
  look_ahead (q, now);
  while ((verdict = rcc_sbpn_next (&q->sbpn, now, &out)) == RCC_SBPN_DROP)
    drop (q, &out, now);
  if (verdict == RCC_SBPN_EMPTY)
    return NULL;
  depart (q, out.packet.klass, out.packet.handle, out.packet.size, now, exit);
  buffer = release (q, out.packet.handle);
  if (gst_rtp_cc_mux_exit_writes (exit)) {
    buffer = gst_buffer_make_writable (buffer);
    gst_rtp_cc_mux_exit_write (exit, buffer);
  }
  return buffer;
}

guint32
gst_rtp_cc_mux_queue_asks (GstRtpCcMuxQueue * q)
{
  const guint32 asks = q->asks;

  q->asks = 0;
  return asks;
}

guint
gst_rtp_cc_mux_queue_measure (GstRtpCcMuxQueue * q, guint k, RccTime now)
{
  GstRtpCcMuxClass *c = &q->classes[k];

  c->measured_bps = rcc_window_bps (&c->rate, now);
  return c->measured_bps;
}
