/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GOODBYE_H
#define GOODBYE_H

#include <gio/gio.h>
#include <gst/gst.h>

/* Whether there is a BYE in it. */
gboolean call_has_goodbye (GstBuffer *rtcp);

/* The first goodbye that @sink sends leaves @socket for @to twice more, within 200 ms. */
void call_repeat_goodbye (GstElement *sink, GSocket *socket, GSocketAddress *to);

#endif
