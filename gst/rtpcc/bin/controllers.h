/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * bin/controllers.h - the congestion controller of a bin's sender: any of the registry
 */
#ifndef GST_RTP_CC_BIN_CONTROLLERS_H
#define GST_RTP_CC_BIN_CONTROLLERS_H

#include <gst/gst.h>

/* An enumeration of all names of the registry, the default 0. */
GType gst_rtp_cc_bin_controller_get_type (void);

/* The element that runs @controller, set to it: floating.  NULL with @factory "": it is
 * none.  NULL with another @factory: that element is missing. */
GstElement *gst_rtp_cc_bin_controller_make (gint controller, const gchar ** factory);

#endif
