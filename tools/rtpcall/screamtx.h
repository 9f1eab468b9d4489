/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * screamtx.h - what keeps screamtx from ending our process
 *
 * It has a queue for one SSRC, that of its first packet, and reads through a null pointer at another.
 * And it panics where a packet cannot be pushed, as one that leaves its queue behind the call's end.
 */
#ifndef RTPCALL_SCREAMTX_H
#define RTPCALL_SCREAMTX_H

#include <gst/gst.h>

/* Packets of other SSRCs than @ssrc, copies (RTX) say, go past @peer, from its sink pad out of its
 * source pad.  All that leaves is taken, whatever becomes of it. */
void call_screamtx_guard (GstElement *peer, guint32 ssrc);

#endif
