/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * gstrtpccmuxqueue.h - what leaves rtpsbpnmux when: the scheduler's packets, the
 * pacer's times, and numbers given at departure
 *
 * No lock, clock or pad of its own: the element calls with its core locked and pushes
 * what it gets with nothing locked.  A pad is a class of the scheduler, by its number.
 */
#ifndef GST_RTP_CC_MUX_QUEUE_H
#define GST_RTP_CC_MUX_QUEUE_H

#include <gst/gst.h>

#include "core/pacer.h"
#include "core/renumber.h"
#include "core/sbpn.h"
#include "core/sbpn-way.h"
#include "core/window.h"
#include "rtpcc/gstrtpcctwcc.h"
#include "wire/feedback.h"

G_BEGIN_DECLS

#define GST_RTP_CC_MUX_PADS RCC_SBPN_CLASSES
#define GST_RTP_CC_MUX_ENTRIES 16384    /* where no number of packets is set */

typedef struct {                        /* what a pad asks for */
  RccSbpnClassConfig klass;
  GstClockTime expiry;                  /* after arrival; GST_CLOCK_TIME_NONE: never */
  gboolean video;
  gboolean inter;                       /* frames build upon others, whatever flags say */
} GstRtpCcMuxConfig;

typedef struct {
  GstRtpCcMuxConfig config;
  guint64 arrived, departed;            /* buffers since it was opened, never reset */
  guint64 malformed, retransmissions;
  guint64 key_requests;
  RccWindow rate;                       /* of what arrives */
  guint measured_bps;                   /* of it; renewed for stats and targets */
  gboolean deltas;                      /* DELTA_UNITs have come: it has key frames */
  gboolean needs_key;                   /* a frame was broken, no key frame left since */
  RccTime key_asked;                    /* RCC_NEVER: not yet */
} GstRtpCcMuxClass;

/* A packet and what is to be known of it when it leaves, maybe in another thread, whose
 * caches have never seen it: noted when it comes. */
typedef struct _GstRtpCcMuxPacket GstRtpCcMuxPacket;
struct _GstRtpCcMuxPacket {
  union {
    GstBuffer *buffer;
    GstRtpCcMuxPacket *next;            /* of the free ones */
  };
  guint32 ssrc, timestamp;
  gint32 transport;                     /* its transport-wide number; -1: none */
  guint16 seq, header_size;
  guint8 pt;
  gboolean rtp, marker, delta, again;   /* again: a retransmission */
};

typedef struct {
  RccSbpn sbpn;
  RccSbpnEntry *entries;
  GPtrArray *blocks;                    /* of packets, as many as there are entries */
  GstRtpCcMuxPacket *free;
  RccSbpnWay way;                       /* to the receiver */
  RccPacer pacer;
  gboolean paced;
  RccRenumber *numbers;
  RccFeedback *feedback;
  GstRtpCcTransport transport;
  GstRtpCcMuxClass classes[GST_RTP_CC_MUX_PADS];
  guint32 asks;                         /* bit k: ask for a key frame at pad k */
  guint header_size;                    /* of the RTP packet that left last */
  guint64 renumbered;
} GstRtpCcMuxQueue;

typedef struct {                        /* a packet that leaves */
  guint klass;
  RccPacket sent;                       /* size 0: no RTP */
  gboolean renumber;                    /* write @seq */
  guint16 seq;
  gsize osn_offset;                     /* write @osn there; 0: nowhere */
  guint16 osn;
} GstRtpCcMuxExit;

typedef enum {
  GST_RTP_CC_MUX_PASSED,                /* it leaves at once, and stays the caller's */
  GST_RTP_CC_MUX_QUEUED,                /* it is the queue's */
  GST_RTP_CC_MUX_DROPPED,               /* it is the caller's still, to be let go */
} GstRtpCcMuxVerdict;

extern const RccField gst_rtp_cc_mux_queue_fields[];
extern const RccField gst_rtp_cc_mux_class_fields[];    /* over GstRtpCcMuxClass */

void gst_rtp_cc_mux_queue_init (GstRtpCcMuxQueue *q);
void gst_rtp_cc_mux_queue_clear (GstRtpCcMuxQueue *q);
/* Everything as new, for an empty queue: pads are to be opened again, nothing is paced. */
void gst_rtp_cc_mux_queue_reset (GstRtpCcMuxQueue *q, const RccSbpnConfig *config,
    RccSbpnWayKind way, RccTime now);
/* New settings; what is queued stays as far as it has room. */
void gst_rtp_cc_mux_queue_adjust (GstRtpCcMuxQueue *q, const RccSbpnConfig *config,
    RccSbpnWayKind way, RccTime now);

void gst_rtp_cc_mux_queue_open (GstRtpCcMuxQueue *q, guint k,
    const GstRtpCcMuxConfig *config);
/* Drops and counts what is queued of pad @k; with @close nothing of it is left. */
void gst_rtp_cc_mux_queue_flush (GstRtpCcMuxQueue *q, guint k, gboolean close);

/* bit/s; GST_RTP_CC_UNBOUND: not paced. */
void gst_rtp_cc_mux_queue_rate (GstRtpCcMuxQueue *q, guint32 bps, RccTime now);
/* RCC_NEVER: not known. */
void gst_rtp_cc_mux_queue_rtt (GstRtpCcMuxQueue *q, RccTime rtt, RccTime now);

gboolean gst_rtp_cc_mux_queue_is_empty (const GstRtpCcMuxQueue *q);
/* @buffer comes to pad @k.  @alone: nothing is under way, so that it may leave at once;
 * then @exit says how. */
GstRtpCcMuxVerdict gst_rtp_cc_mux_queue_arrive (GstRtpCcMuxQueue *q, guint k,
    GstBuffer *buffer, gboolean alone, RccTime now, GstRtpCcMuxExit *exit);
/* What may leave now (transfer full), or NULL and when to ask again (RCC_NEVER: when
 * something has come). */
GstBuffer *gst_rtp_cc_mux_queue_pop (GstRtpCcMuxQueue *q, RccTime now, RccTime *when,
    GstRtpCcMuxExit *exit);
/* Whether gst_rtp_cc_mux_exit_write() has anything to do. */
static inline gboolean
gst_rtp_cc_mux_exit_writes (const GstRtpCcMuxExit *exit)
{
  return exit->renumber || exit->osn_offset;
}
/* Into a writable @buffer; memory that others hold is copied, and only what holds the
 * header where that is a memory of its own. */
void gst_rtp_cc_mux_exit_write (const GstRtpCcMuxExit *exit, GstBuffer *buffer);

/* Bit k: a key frame is to be asked for at pad k now. */
guint32 gst_rtp_cc_mux_queue_asks (GstRtpCcMuxQueue *q);
/* Renews measured_bps of pad @k. */
guint gst_rtp_cc_mux_queue_measure (GstRtpCcMuxQueue *q, guint k, RccTime now);

G_END_DECLS

#endif
