/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * common/twcc.h - rtpsession's RTPTWCCPackets event as the cores' packets
 */
#ifndef GST_RTP_CC_TWCC_H
#define GST_RTP_CC_TWCC_H

#include <gst/gst.h>
#include "core/rcc.h"
#include "wire/rtp.h"

#define GST_RTP_CC_TWCC_EVENT "RTPTWCCPackets"

/* Up to @max packets of @event into @packets, with @flags in those of payload type @pt. The
 * event's sizes are payload only. @header is added to each. Padding is left out of them, so a
 * packet without payload is counted as one of ours, of 255 bytes. What has no local time (the
 * session has forgotten it) is left out. 0 for any other or malformed event. */
gsize gst_rtp_cc_twcc_parse (GstEvent *event, guint header, guint pt, guint32 flags,
    RccPacket *packets, gsize max);

#endif
