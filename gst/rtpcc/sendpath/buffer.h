/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * sendpath/buffer.h - a GstBuffer as the send path's packet, and back
 */
#ifndef GST_RTP_CC_SEND_BUFFER_H
#define GST_RTP_CC_SEND_BUFFER_H

#include "rtpcc/common/utils.h"
#include "rtpcc/sendpath/sendpath.h"

/* A buffer that comes in, while its header is mapped. */
typedef struct {
  GstRtpCcSend *send;
  RccTime now;
  RccSendPacket *packet;                /* the path's */
  GstRtpCcPacket mapped;
  gboolean is_mapped;
} GstRtpCcSendBuffer;

/* Describes @buffer, which came at input @k.  @write: it is writable and its header is
 * mapped so that _write() needs no second mapping. */
void gst_rtp_cc_send_buffer_open (GstRtpCcSendBuffer *b, GstRtpCcSend *x, guint k,
    GstBuffer *buffer, gsize size, gboolean write, RccTime now);
/* Writes what @out says, as far as the mapping allows, shows it for parity then, and unmaps.
 * FALSE: not all of it is written, and it is not shown. */
gboolean gst_rtp_cc_send_buffer_close (GstRtpCcSendBuffer *b, const RccSendOut *out);

/* Into a writable buffer that is not mapped. Memory that others hold is copied: only what holds
 * the header, where that is a memory of its own. */
void gst_rtp_cc_send_buffer_write (GstBuffer *buffer, const RccSendOut *out);

#endif
