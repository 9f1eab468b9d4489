/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * gstrtpccparity.h - parity packets of one RTP stream that passes, and its numbers
 *
 * Blocks of N packets, across frames; D of them lie between one another (interleave.h).
 * Parity follows the last packet of these D blocks at once, with that packet's timestamps.
 * Or it waits for the marker: then so many of a run of whole frames as there are blocks in
 * it.  Either way it is together: who reads the first of them alone (rtpstorage) would look
 * in vain for what is below a later one.  It either
 * shares the media's SSRC and sequence numbers, and then what follows is renumbered, or
 * is a stream of its own.
 *
 * No lock and no clock of its own: the element calls with its core locked (see
 * gst_rtp_cc_driver_call()) and pushes what it gets with nothing locked.
 */
#ifndef GST_RTP_CC_PARITY_H
#define GST_RTP_CC_PARITY_H

#include <gst/gst.h>
#include "core/insert.h"
#include "core/rcc.h"
#include "core/stats.h"
#include "rtpcc/gstrtpcctwcc.h"
#include "wire/interleave.h"

G_BEGIN_DECLS

#define GST_RTP_CC_PARITY_STREAMS 4     /* that parity has ever been put into */
#define GST_RTP_CC_PARITY_HELD 32       /* parity packets that wait for a marker */
#define GST_RTP_CC_PARITY_EXT_MAX 64    /* bytes of header extension that parity copies */

typedef struct {
  guint8 pt;
  gboolean flexfec;                     /* in a stream of its own only */
  gboolean at_marker;                   /* parity among the media waits for the marker */
  guint32 ssrc;                         /* the stream to protect; 0: see _packet() */
  guint32 fec_ssrc;                     /* of a stream of its own */
} GstRtpCcParityConfig;

typedef struct {                        /* numbers of an SSRC that parity is put into */
  guint32 ssrc;
  guint16 last;                         /* newest number that left */
  RccInsert insert;
} GstRtpCcParityStream;

typedef struct {
  GstRtpCcParityConfig config;
  gboolean own_stream;                  /* not among the media */
  guint16 seq;                          /* the own stream's newest */
  guint n;                              /* packets per parity packet; 0: off */
  guint depth;                          /* blocks wanted between one another */
  guint fits;                           /* of them; 0: off */

  /* whom to protect, where nobody says */
  guint32 caps_ssrc;                    /* 0: the caps do not say */
  guint32 chosen;
  RccTime chosen_at;                    /* when it passed last; RCC_NEVER: none is */
  guint32 current;                      /* protected last */
  guint16 newest;                       /* its number */

  GstRtpCcParityStream streams[GST_RTP_CC_PARITY_STREAMS];
  guint n_streams;
  RccInsertRequests requests;
  GstRtpCcTransport transport;
  guint8 abs_id;                        /* of abs-send-time; 0: none */

  RccInterleave rounds[2];              /* the one begun, and one that is complete and */
  guint at;                             /* waits for the marker; which is begun */
  guint8 ext[GST_RTP_CC_PARITY_EXT_MAX];        /* of the newest packet, with its head */
  guint ext_size;
  GstBuffer *held[GST_RTP_CC_PARITY_HELD];
  guint n_held, n_due;                  /* the first ones of them may leave */

  guint64 packets, bytes, parity_packets, parity_bytes;
  guint64 dropped_blocks, dropped_parity, unprotected, renumbered, malformed;
} GstRtpCcParity;

typedef struct {                        /* what has left, for the core and its feedback */
  RccRtp rtp;                           /* .ext is no longer valid */
  gint twcc;                            /* transport-wide number; -1: not known */
  guint32 size;
} GstRtpCcParityPacket;

extern const RccField gst_rtp_cc_parity_fields[];

/* As new; what it holds is dropped. */
void gst_rtp_cc_parity_clear (GstRtpCcParity *p);
/* Another configuration, counters at 0.  Numbers go on: the stream does. */
void gst_rtp_cc_parity_configure (GstRtpCcParity *p, const GstRtpCcParityConfig *config);
/* Parity for every @n packets from now on; 0: none, and what is begun is dropped.  Up to
 * @depth blocks lie between one another: ->fits says how many of them the mask can name.
 * Where that changes, what is begun gets its parity behind the next packet. */
void gst_rtp_cc_parity_set_interval (GstRtpCcParity *p, guint n, guint depth);
/* Where parity goes from now on; what was begun is dropped. */
void gst_rtp_cc_parity_set_own_stream (GstRtpCcParity *p, gboolean own_stream);
/* A flush: drops what is begun, and what waits. */
void gst_rtp_cc_parity_flush (GstRtpCcParity *p);
void gst_rtp_cc_parity_caps (GstRtpCcParity *p, const GstCaps *caps);

/* Whether buffers have to be writable. */
gboolean gst_rtp_cc_parity_writes (const GstRtpCcParity *p);
/* @buffer of @size passes: gives it its number and adds it to the block.  Protected is
 * the SSRC of the configuration, else the caps', else the first that passes, until it has
 * been silent for 5 s; never retransmissions, somebody's parity, or a number that is no newer than
 * another one: two packets of one number would make of the parity one that never was.
 * FALSE: no RTP. */
gboolean gst_rtp_cc_parity_packet (GstRtpCcParity *p, GstBuffer *buffer, gsize size,
    RccTime now, GstRtpCcParityPacket *sent);
/* Parity that is to leave behind what passed last (transfer full); NULL: no more. */
GstBuffer *gst_rtp_cc_parity_next (GstRtpCcParity *p, GstRtpCcParityPacket *sent);

/* The receiver asks for packet @seq again: the number it came here with.  FALSE: it was
 * parity, or left too long ago. */
gboolean gst_rtp_cc_parity_request (GstRtpCcParity *p, guint32 ssrc, guint16 seq,
    guint16 *former);

G_END_DECLS

#endif
