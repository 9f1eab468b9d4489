/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * rtx.h - video that is lost is asked for (RFC 4585, NACK) and sent again in a stream of its own
 * (RFC 4588)
 *
 * rtprtxsend is before the scheduler, rtprtxreceive behind the receiver's session.
 */
#ifndef RTPCALL_RTX_H
#define RTPCALL_RTX_H

#include "call.h"

/* Keeps the video that is sent; NULL with @error. */
GstElement *call_add_rtx_sender (Call *call, GError **error);
/* Before any pad of call->recv_rtpbin is linked. */
void call_add_rtx_receiver (Call *call);

#endif
