/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_RTP_CIRCUIT_BREAKER_H
#define GST_RTP_CIRCUIT_BREAKER_H

#include "rtpcc/common/element.h"

G_BEGIN_DECLS

#define GST_TYPE_RTP_CIRCUIT_BREAKER (gst_rtp_circuit_breaker_get_type ())
G_DECLARE_FINAL_TYPE (GstRtpCircuitBreaker, gst_rtp_circuit_breaker, GST,
    RTP_CIRCUIT_BREAKER, GstRtpCcElement)

GST_ELEMENT_REGISTER_DECLARE (rtpcircuitbreaker);

G_END_DECLS
#endif
