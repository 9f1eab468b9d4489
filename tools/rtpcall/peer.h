/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * peer.h - somebody else's congestion control in the call, to be compared with
 *
 * rtpgccbwe of gst-plugins-rs goes by transport-wide feedback and says its estimate by a property.
 * An application that uses it takes that to the encoder.  So does this.
 */
#ifndef RTPCALL_PEER_H
#define RTPCALL_PEER_H

#include "call.h"

#define CALL_PEER_NAME "rtpgccbwe"

/* Its row of --cc; it is no core of ours, and in no registry. */
extern const RccController call_peer_row;

/* call->peer, which is the last element before the session. */
gboolean call_add_peer (Call *call, GError **error);
/* bit/s; NAN: there is no peer here. */
double call_peer_target (Call *call);

#endif
