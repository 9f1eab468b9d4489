/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * addresses.h - keeps from an RTP session where packets come from
 *
 * rtpsession takes a second address of an SSRC for a collision (RFC 3550 8.2) and drops all that
 * comes from it. With its property favor-new it drops all that comes from the first. So a change
 * of address, or one forged packet, would end a call. A packet of another address with our own
 * SSRC would make us leave with a BYE. What is lost: two ends of one SSRC are not noticed. RFC
 * 3550 puts that at one call in four billion.
 */
#ifndef RTPCC_BIN_ADDRESSES_H
#define RTPCC_BIN_ADDRESSES_H

#include <gst/gst.h>

/* For a pad through which buffers go to a session. */
void gst_rtp_cc_bin_hide_addresses (GstPad * pad);

#endif
