/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "repair.h"

#include <math.h>
#include <string.h>

#include "core/fbra/protection-choice.h"
#include "wire/ulpfec.h"

#define D_MAX (400 * GST_MSECOND)       /* what takes longer is of no use to a call */
#define SETTLES (3 * GST_SECOND)
/* How long the decoder can look back: the jitter buffer's longest wait, and a block. */
#define STORAGE_TIME (2 * GST_SECOND)

gboolean
call_may_have_parity (const CallOptions *o)
{
  return o->parity || call_has_parity (o);
}

gboolean
call_has_parity (const CallOptions *o)
{
  return o->cc->parity || (o->element == CALL_FBRA_FEC && (o->fec_protection > 0
          || o->mode == CALL_RECEIVE));
}

/* --- the decoder ---------------------------------------------------------- */

/* The session's parity is for the decoder, which finds it in the storage; behind the demuxer
 * nobody waits for it. */
static void
on_element (GstBin *rtpbin, GstBin *bin, GstElement *element, gpointer data)
{
  GstElementFactory *factory = gst_element_get_factory (element);

  if (factory && !strcmp (GST_OBJECT_NAME (factory), "rtpptdemux"))
    gst_util_set_object_arg (G_OBJECT (element), "ignored-payload-types",
        "<" G_STRINGIFY (CALL_FEC_PT) ">");
}

static GstElement *
on_decoder_wanted (GstElement *rtpbin, guint session, guint ssrc, guint pt, gpointer data)
{
  GstElement *decoder = pt == CALL_VIDEO_PT ? gst_element_factory_make ("rtpulpfecdec", NULL)
      : NULL;
  GstElement *storage = NULL;
  GObject *packets = NULL;

  if (!decoder)
    return NULL;
  g_signal_emit_by_name (rtpbin, "get-storage", session, &storage);
  g_signal_emit_by_name (rtpbin, "get-internal-storage", session, &packets);
  g_object_set (storage, "size-time", (guint64) STORAGE_TIME, NULL);
  g_object_set (decoder, "pt", CALL_FEC_PT, "storage", packets, NULL);
  g_object_unref (storage);
  g_object_unref (packets);
  return decoder;
}

void
call_add_repair (Call *call)
{
  g_object_set (call->recv_rtpbin, "do-lost", TRUE, NULL);
  g_signal_connect (call->recv_rtpbin, "deep-element-added", G_CALLBACK (on_element), NULL);
  g_signal_connect (call->recv_rtpbin, "request-fec-decoder-full",
      G_CALLBACK (on_decoder_wanted), NULL);
}

/* --- GCC's ---------------------------------------------------------------- */

struct _CallProtector {
  GstElement *element;
  RccProtectionChoice choice;
};

CallProtector *
call_protector_new (GstElement *element, const CallOptions *o)
{
  CallProtector *p = g_new0 (CallProtector, 1);
  RccProtectionChoiceConfig config = rcc_protection_choice_config ();

  config.latency = (RccTime) o->latency_most_ms * GST_MSECOND;
  p->element = element;
  rcc_protection_choice_init (&p->choice, &config);
  return p;
}

void
call_protector_free (CallProtector *p)
{
  g_free (p);
}

guint
call_protector_hear (CallProtector *p, double loss, double rtt_ms, GstClockTime now)
{
  const guint before = p->choice.every;
  const RccTime rtt = isnan (rtt_ms) ? RCC_NEVER : (RccTime) (rtt_ms * GST_MSECOND);
  const guint every = isnan (loss) ? before : rcc_protection_choose (&p->choice, loss, rtt, now);

  if (every != before)
    g_object_set (p->element, "protection", every, NULL);
  return every;
}

/* --- what came of it ------------------------------------------------------ */

enum { MEDIA = 1, ARRIVED = 2, LATE = 4, COVERED = 8 };

typedef struct {
  guint32 timestamp;
  guint16 first, last;                  /* sequence numbers */
  guint packets, decoded;
  GstClockTime sent;
} Frame;

struct _CallRepair {
  GMutex lock;
  FILE *log;                            /* NULL: both ends are here, and settle what came of it */
  RccFecMetrics metrics;
  guint32 ssrc;                         /* of the video */
  GQueue frames;                        /* not settled, oldest first */
  GHashTable *by_timestamp;             /* the same */
  struct {
    guint8 flags;
    guint16 size;
    GstClockTime sent;
  } packets[1 << 16];                   /* by sequence number, of the newest with it */
};

const char call_repair_header[] = "clock,place,kind,number,timestamp,size,covers";

CallRepair *
call_repair_new (FILE *log)
{
  CallRepair *r = g_new0 (CallRepair, 1);

  r->log = log;
  g_mutex_init (&r->lock);
  rcc_fecmetrics_init (&r->metrics);
  r->by_timestamp = g_hash_table_new (NULL, NULL);
  return r;
}

gboolean
call_repair_close (CallRepair *r)
{
  gboolean good;

  g_mutex_lock (&r->lock);
  good = !r->log || !ferror (r->log);
  good = (!r->log || !fclose (r->log)) && good;
  r->log = NULL;
  g_mutex_unlock (&r->lock);
  return good;
}

void
call_repair_free (CallRepair *r)
{
  call_repair_close (r);
  g_queue_clear_full (&r->frames, g_free);
  g_hash_table_unref (r->by_timestamp);
  g_mutex_clear (&r->lock);
  g_free (r);
}

static gboolean
is_gone (const CallRepair *r, guint16 seq)
{
  return (r->packets[seq].flags & (ARRIVED | LATE)) != ARRIVED;
}

/* Nothing more is expected of @frame.  Between its numbers may be one of parity's. */
static void
settle (CallRepair *r, Frame *frame)
{
  const guint16 end = (guint16) (frame->last + 1);
  guint lost = 0, repaired;
  gboolean covered = FALSE;

  for (guint16 seq = frame->first; seq != end; seq++)
    if ((r->packets[seq].flags & MEDIA) && is_gone (r, seq)) {
      lost++;
      covered |= (r->packets[seq].flags & COVERED) != 0;
    }
  repaired = frame->decoded + lost > frame->packets ? frame->decoded + lost - frame->packets : 0;
  repaired = MIN (repaired, lost);
  rcc_fecmetrics_frame (&r->metrics, lost > 0, covered, repaired == lost);
  for (guint16 seq = frame->first; seq != end; seq++)
    if (r->packets[seq].flags & MEDIA) {
      const gboolean gone = is_gone (r, seq);

      rcc_fecmetrics_media (&r->metrics, r->packets[seq].size, !gone ? RCC_MEDIA_GOOD
          : r->packets[seq].flags & LATE ? RCC_MEDIA_LATE : RCC_MEDIA_LOST,
          gone && repaired > 0);
      repaired -= gone && repaired > 0;
    }
  g_hash_table_remove (r->by_timestamp, GUINT_TO_POINTER (frame->timestamp));
  g_free (frame);
}

static void
note_media (CallRepair *r, const RccRtp *rtp, gsize size, GstClockTime now)
{
  Frame *frame = g_hash_table_lookup (r->by_timestamp, GUINT_TO_POINTER (rtp->timestamp));

  r->ssrc = rtp->ssrc;
  r->packets[rtp->seq].flags = MEDIA;
  r->packets[rtp->seq].size = (guint16) size;
  r->packets[rtp->seq].sent = now;
  if (!frame) {
    frame = g_new0 (Frame, 1);
    frame->timestamp = rtp->timestamp;
    frame->first = rtp->seq;
    frame->sent = now;
    g_queue_push_tail (&r->frames, frame);
    g_hash_table_insert (r->by_timestamp, GUINT_TO_POINTER (rtp->timestamp), frame);
  }
  frame->last = rtp->seq;
  frame->packets++;
  while ((frame = g_queue_peek_head (&r->frames)) && frame->sent + SETTLES < now)
    settle (r, g_queue_pop_head (&r->frames));
}

/* The numbers that it protects; how many. */
static guint
covered_by (const RccRtp *rtp, RccBytes packet, guint32 ssrc, guint16 seqs[RCC_ULPFEC_SPAN_LONG])
{
  const RccBytes payload = { packet.data + rtp->header_size, packet.size - rtp->header_size };
  RccParity parity;
  guint n = 0;

  if (!rcc_ulpfec_parse (payload, ssrc, &parity))
    return 0;
  for (guint i = 0; i < RCC_ULPFEC_SPAN_LONG; i++) {
    const guint16 seq = (guint16) (parity.streams[0].base + i);

    if (rcc_parity_protects (&parity, ssrc, seq))
      seqs[n++] = seq;
  }
  return n;
}

static void
note_parity (CallRepair *r, const RccRtp *rtp, RccBytes packet)
{
  guint16 seqs[RCC_ULPFEC_SPAN_LONG];
  const guint n = covered_by (rtp, packet, r->ssrc, seqs);

  if (rtp->ssrc == r->ssrc)
    r->packets[rtp->seq].flags = 0;
  rcc_fecmetrics_parity (&r->metrics, (guint32) packet.size);
  for (guint i = 0; i < n; i++)
    r->packets[seqs[i]].flags |= COVERED;
}

/* One end's packets.  Its clock is the machine's, which another process shares. */
static void
write_packet (CallRepair *r, const char *place, const RccRtp *rtp, RccBytes packet)
{
  const gboolean parity = rtp->pt == CALL_FEC_PT;
  guint16 seqs[RCC_ULPFEC_SPAN_LONG];
  const guint n = parity ? covered_by (rtp, packet, rtp->ssrc, seqs) : 0;

  if (!parity && rtp->pt != CALL_VIDEO_PT)
    return;
  fprintf (r->log, "%" G_GINT64_FORMAT ",%s,%s,%u,%u,%zu,", g_get_monotonic_time (), place,
      parity ? "parity" : "video", rtp->seq, rtp->timestamp, packet.size);
  for (guint i = 0; i < n; i++)
    fprintf (r->log, i ? " %u" : "%u", seqs[i]);
  fputc ('\n', r->log);
}

typedef void (*Note) (CallRepair *, const RccRtp *, RccBytes, GstClockTime);

static void
note (CallRepair *r, GstClockTime now, GstBuffer *buffer, const char *place, Note what)
{
  GstMapInfo map;
  RccRtp rtp;

  if (!gst_buffer_map (buffer, &map, GST_MAP_READ))
    return;
  g_mutex_lock (&r->lock);
  if (rcc_rtp_parse ((RccBytes) { map.data, map.size }, &rtp)) {
    what (r, &rtp, (RccBytes) { map.data, map.size }, now);
    if (r->log)
      write_packet (r, place, &rtp, (RccBytes) { map.data, map.size });
  }
  g_mutex_unlock (&r->lock);
  gst_buffer_unmap (buffer, &map);
}

static void
on_sent (CallRepair *r, const RccRtp *rtp, RccBytes packet, GstClockTime now)
{
  if (rtp->pt == CALL_VIDEO_PT)
    note_media (r, rtp, packet.size, now);
  else if (rtp->pt == CALL_FEC_PT)
    note_parity (r, rtp, packet);
}

static void
on_arrived (CallRepair *r, const RccRtp *rtp, RccBytes packet, GstClockTime now)
{
  if (rtp->pt == CALL_VIDEO_PT)
    r->packets[rtp->seq].flags |= now > r->packets[rtp->seq].sent + D_MAX ? ARRIVED | LATE
        : ARRIVED;
}

/* By timestamps: the decoder gives numbers of its own. */
static void
on_decoded (CallRepair *r, const RccRtp *rtp, RccBytes packet, GstClockTime now)
{
  Frame *frame = g_hash_table_lookup (r->by_timestamp, GUINT_TO_POINTER (rtp->timestamp));

  if (frame && rtp->pt == CALL_VIDEO_PT)
    frame->decoded++;
}

void
call_repair_sent (CallRepair *r, GstClockTime now, GstBuffer *packet)
{
  note (r, now, packet, "sent", on_sent);
}

void
call_repair_arrived (CallRepair *r, GstClockTime now, GstBuffer *packet)
{
  note (r, now, packet, "arrived", on_arrived);
}

void
call_repair_decoded (CallRepair *r, GstClockTime now, GstBuffer *packet)
{
  note (r, now, packet, "decoded", on_decoded);
}

void
call_repair_state (CallRepair *r, const char *state)
{
  g_mutex_lock (&r->lock);
  for (RccFbraState s = RCC_FBRA_DOWN; s <= RCC_FBRA_UP; s++)
    if (state && !g_ascii_strcasecmp (state, rcc_fbra_state_name (s)))
      rcc_fecmetrics_state (&r->metrics, s);
  g_mutex_unlock (&r->lock);
}

RccFecMetrics
call_repair_metrics (CallRepair *r, GstClockTime duration)
{
  RccFecMetrics metrics;

  g_mutex_lock (&r->lock);
  metrics = r->metrics;
  g_mutex_unlock (&r->lock);
  rcc_fecmetrics_close (&metrics, duration);
  return metrics;
}
