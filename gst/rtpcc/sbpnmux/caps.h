/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * sbpnmux/caps.h - the caps of several RTP streams on one pad
 */
#ifndef GST_RTP_CC_MUX_CAPS_H
#define GST_RTP_CC_MUX_CAPS_H

#include <gst/gst.h>

/* What holds for packets of all @n streams: application/x-rtp with the fields that all have
 * alike. Left out are ssrc, payload and what else is one stream's own. Of header extensions they
 * have every extmap-N that any stream names and none contradicts. Another URI for N contradicts
 * it, and another N for the URI. NULL entries are passed over; NULL where there are no others.
 * @contradicted: whether an extension was left out. */
GstCaps *gst_rtp_cc_mux_caps (GstCaps *const *caps, guint n, gboolean *contradicted);

/* What upstream may be told of @downstream's caps: of one stream that passes a mux only
 * the extension map is everybody's. */
GstCaps *gst_rtp_cc_mux_caps_upstream (const GstCaps *downstream);

#endif
