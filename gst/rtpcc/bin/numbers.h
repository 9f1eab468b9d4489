/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * bin/numbers.h - sequence numbers that go on where a payloader begins anew
 */
#ifndef GST_RTP_CC_BIN_NUMBERS_H
#define GST_RTP_CC_BIN_NUMBERS_H

#include "rtpcc/bin/srtp.h"

/* While @srtp has a key, RTP that comes to @pad, of one SSRC after another, has numbers that never
 * fall.  A number that is used twice would tell both payloads (RFC 3711 9.1): srtpenc ends the call
 * at one.  Copies and what was overtaken pass as they are. */
void gst_rtp_cc_bin_numbers_go_on (GstPad *pad, const GstRtpCcBinSrtp *srtp);

#endif
