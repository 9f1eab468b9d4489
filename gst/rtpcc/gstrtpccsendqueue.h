/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * gstrtpccsendqueue.h - what leaves when: a pacer's packets and events in order,
 * what is written into packets at departure, and padding
 *
 * No lock and no clock of its own: the element calls with its core locked (see
 * gst_rtp_cc_driver_call()) and pushes what it gets with nothing locked.
 */
#ifndef GST_RTP_CC_SEND_QUEUE_H
#define GST_RTP_CC_SEND_QUEUE_H

#include <gst/base/gstqueuearray.h>
#include <gst/gst.h>
#include "core/insert.h"
#include "core/pacer.h"
#include "rtpcc/gstrtpcctwcc.h"
#include "wire/feedback.h"

G_BEGIN_DECLS

#define GST_RTP_CC_STREAMS 16
#define GST_RTP_CC_HEADER_MAX 96        /* of a padding packet: larger ones get none */
#define GST_RTP_CC_CLUSTERS 8

typedef enum {                          /* the caps' media */
  GST_RTP_CC_MEDIA_UNKNOWN,
  GST_RTP_CC_MEDIA_VIDEO,
  GST_RTP_CC_MEDIA_OTHER,
} GstRtpCcMedia;

typedef struct {                        /* one SSRC that passes */
  guint32 ssrc;
  RccInsert padding;                    /* what it does to its sequence numbers */
  guint16 last_seq;                     /* the newest one, as it left */
  gboolean started;
  gboolean video;                       /* padding may go there */
  gboolean large;                       /* the last packet was */
  gboolean frame_ended;                 /* the last packet had the marker */
  guint32 timestamp, clock_rate;
  guint8 header[GST_RTP_CC_HEADER_MAX]; /* of the last frame's last packet */
  guint header_size;                    /* of that packet */
  GstClockTime pts, dts;
  guint64 used;                         /* for replacement */
} GstRtpCcStream;

typedef struct {
  RccPacer pacer;
  RccFeedback *feedback;
  GstQueueArray *items;
  GstRtpCcStream streams[GST_RTP_CC_STREAMS];
  guint n_streams;
  gint padded;                          /* index of the stream padding goes to; -1: none */
  gboolean renumbers;                   /* some stream has padding in it */
  gboolean protected;                   /* parity has passed */
  RccInsertRequests requests;
  guint8 abs_id;                        /* of the extension; 0: none */
  GstRtpCcTransport transport;
  guint32 clock_rate;
  GstRtpCcMedia media;
  struct {                              /* probe clusters, by the system's clock */
    guint32 id;
    GstClockTime first, last;
  } clusters[GST_RTP_CC_CLUSTERS];
  guint n_clusters;
  guint64 packets, bytes, padding_packets, padding_bytes, dropped, malformed;
} GstRtpCcSendQueue;

extern const RccField gst_rtp_cc_send_queue_fields[];

void gst_rtp_cc_send_queue_init (GstRtpCcSendQueue *q);
void gst_rtp_cc_send_queue_clear (GstRtpCcSendQueue *q);
/* Pacer, feedback and counters as new; what is queued stays, and so do the streams'
 * numbers. */
void gst_rtp_cc_send_queue_reset (GstRtpCcSendQueue *q, guint32 bps, RccTime burst,
    RccTime max_queue, RccTime now);
/* Forgets the streams: what comes next has nothing to do with what was. */
void gst_rtp_cc_send_queue_forget (GstRtpCcSendQueue *q);
/* Drops and counts what is in it up to the next event, which it returns (transfer
 * full); NULL: it is empty. */
GstMiniObject *gst_rtp_cc_send_queue_flush (GstRtpCcSendQueue *q, RccTime now);
/* No more packets of the cluster that is under way: nothing follows for now. */
void gst_rtp_cc_send_queue_end_probe (GstRtpCcSendQueue *q);

gboolean gst_rtp_cc_send_queue_is_empty (const GstRtpCcSendQueue *q);
/* Extension ids and clock rate of the packets that follow; @abs_id: used when the
 * caps name none. */
void gst_rtp_cc_send_queue_caps (GstRtpCcSendQueue *q, const GstCaps *caps,
    guint8 abs_id);

/* Takes a serialised event or a buffer, and trims. */
void gst_rtp_cc_send_queue_push (GstRtpCcSendQueue *q, GstMiniObject *object,
    RccTime now);
/* Drops the oldest buffers that do not leave within the pacer's time. */
void gst_rtp_cc_send_queue_trim (GstRtpCcSendQueue *q, RccTime now);
/* What may leave now: an event or a buffer that is ready to be pushed (transfer
 * full), or NULL and when to ask again (RCC_NEVER: when something is pushed).  For a
 * buffer that is RTP, @sent is what to tell the core, else its size is 0. */
GstMiniObject *gst_rtp_cc_send_queue_pop (GstRtpCcSendQueue *q, RccTime now,
    RccTime *when, RccPacket *sent);
/* Whether @buffer, arriving at an empty queue, may leave at once. */
gboolean gst_rtp_cc_send_queue_may_pass (GstRtpCcSendQueue *q, gsize size,
    RccTime now);
/* Whether buffers that leave have to be writable. */
gboolean gst_rtp_cc_send_queue_writes (const GstRtpCcSendQueue *q);
/* Writes what is only known at departure into @buffer of @size, and notes that it
 * left; @sent as above. */
void gst_rtp_cc_send_queue_depart (GstRtpCcSendQueue *q, GstBuffer *buffer, gsize size,
    RccTime now, RccPacket *sent);

/* The receiver asks for packet @seq again: the number it had before it was renumbered.
 * FALSE: it was padding, nobody has it. */
gboolean gst_rtp_cc_send_queue_request (GstRtpCcSendQueue *q, guint32 ssrc, guint16 seq,
    guint16 *original);

/* Feedback came through the session: the transport-wide numbers on the wire are its
 * own, whatever packets carry here. */
void gst_rtp_cc_send_queue_session_numbers (GstRtpCcSendQueue *q);

/* Bytes of the RTP header that the last large packet had. */
guint gst_rtp_cc_send_queue_header_size (const GstRtpCcSendQueue *q);
/* The probe cluster that was under way at @sent on the system's clock; 0: none. */
guint32 gst_rtp_cc_send_queue_cluster (const GstRtpCcSendQueue *q,
    GstClockTime sent);

G_END_DECLS
#endif
