/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * streams.h - which of the streams that come is shown, where the other end has started again
 */
#ifndef RTPCALL_STREAMS_H
#define RTPCALL_STREAMS_H

#include "call.h"

/* @video, @audio: depayloaders, the latter NULL where none is wanted; @decoder: of the video. */
void call_add_streams (Call *call, GstElement *video, GstElement *decoder, GstElement *audio);

/* Whether none of those that are shown has had a packet for 400 ms. */
gboolean call_streams_are_silent (Call *call);

#endif
