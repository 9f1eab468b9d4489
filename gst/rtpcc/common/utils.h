/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * common/utils.h - where GStreamer's types meet the cores' and the wire's
 */
#ifndef GST_RTP_CC_UTILS_H
#define GST_RTP_CC_UTILS_H

#include <gst/gst.h>
#include "core/stats.h"
#include "wire/rtcp-source.h"
#include "wire/rtp.h"

#define GST_RTP_CC_RTP_CAPS "application/x-rtp"
#define GST_RTP_CC_RTCP_CAPS "application/x-rtcp"
#define GST_RTP_CC_RTP_TEMPLATE(name, direction, presence) \
  GST_STATIC_PAD_TEMPLATE (name, direction, presence, \
      GST_STATIC_CAPS (GST_RTP_CC_RTP_CAPS))
#define GST_RTP_CC_RTCP_TEMPLATE(name, direction, presence) \
  GST_STATIC_PAD_TEMPLATE (name, direction, presence, \
      GST_STATIC_CAPS (GST_RTP_CC_RTCP_CAPS))

/* Middle 32 bits of the system's NTP time now, which rtpbin's SRs carry by default. */
guint32 gst_rtp_cc_ntp_now (void);

/* A structure with one field per row of @fields, read from @object: guint,
 * guint64 (times in ns too), gint64, gdouble, gboolean, string.  The caller keeps
 * @object still meanwhile (gst_rtp_cc_driver_lock()). */
GstStructure *gst_rtp_cc_stats_new (const gchar *name, const RccField *fields,
    gconstpointer object);
/* The same into an existing structure, for an element with several tables. */
void gst_rtp_cc_stats_add (GstStructure *stats, const RccField *fields,
    gconstpointer object);

/* The id (1..255) that @caps give the header extension @uri; 0: none. The extmap-N field is a
 * string, or an array of direction, URI and attributes. The smallest id where there are several. */
guint8 gst_rtp_cc_extension_id (const GstCaps *caps, const gchar *uri);

/* The clock-rate of @caps, Hz; 0: it is not known. */
guint gst_rtp_cc_clock_rate (const GstCaps *caps);

/* The id that a caps field of the name extmap-N speaks of (RFC 8285; 0 is padding), 0 for any
 * other field. And the URI that such a field holds, NULL where it is malformed. */
guint8 gst_rtp_cc_extmap_id (const gchar *field);
const gchar *gst_rtp_cc_extmap_uri (const GValue *value);
/* All such fields of @from. */
void gst_rtp_cc_copy_extmap (const GstStructure *from, GstStructure *to);

/* The RTP header of a mapped buffer; all views die with _unmap(). */
typedef struct {
  RccRtp rtp;
  RccBytes bytes;                       /* what is mapped: at least the header */
  GstBuffer *buffer;
  GstMemory *memory;                    /* what is mapped; NULL: the buffer is */
  GstMapInfo info;
} GstRtpCcPacket;

/* Maps the first memory for reading, or all of them where the header is longer.
 * FALSE, with nothing mapped, when @buffer does not begin with an RTP header. */
gboolean gst_rtp_cc_packet_map (GstBuffer *buffer, GstRtpCcPacket *packet);
/* The same; with @write, for a writable @buffer, the mapping may be written to where
 * that takes no copy (info.flags tell). */
gboolean gst_rtp_cc_packet_map_full (GstBuffer *buffer, gboolean write,
    GstRtpCcPacket *packet);
void gst_rtp_cc_packet_unmap (GstRtpCcPacket *packet);

/* Of time, as udpsrc's is: stamps in it are running times as they stand. */
gboolean gst_rtp_cc_segment_is_plain (const GstSegment *segment);

/* For each buffer @i of @list in turn, whether it stays: *@kept, NULL at first, is the list without
 * those that do not, made when the first of them is met. */
void gst_rtp_cc_list_keep (GstBufferList **kept, GstBufferList *list, guint i, gboolean stays);

/* An SSRC and a CNAME by chance. */
void gst_rtp_cc_name_source (RccRtcpSource *source);

/* The element's clock, or the system's where it has none, ns. */
GstClockTime gst_rtp_cc_now (GstElement *element);

#endif
