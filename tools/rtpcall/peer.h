/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * peer.h - somebody else's congestion control in the call, to be compared with
 *
 * rtpgccbwe of gst-plugins-rs goes by transport-wide feedback, and screamtx of SCReAM's authors by
 * RFC 8888, which our receiver sends.  Each says its rate by a property, and an application takes that
 * to the encoder.  So does this.
 */
#ifndef RTPCALL_PEER_H
#define RTPCALL_PEER_H

#include "call.h"

/* call->peer, which is the last element before the session. */
gboolean call_add_peer (Call *call, GError **error);
gboolean call_peer_link (Call *call, GstElement *before, GError **error);
/* bit/s; NAN: there is no peer here. */
double call_peer_target (Call *call);

#endif
