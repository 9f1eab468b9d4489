/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_LINK_SIM_H
#define GST_LINK_SIM_H

#include <gst/gst.h>

G_BEGIN_DECLS

#define GST_TYPE_LINK_SIM (gst_link_sim_get_type ())
G_DECLARE_FINAL_TYPE (GstLinkSim, gst_link_sim, GST, LINK_SIM, GstElement)
GST_ELEMENT_REGISTER_DECLARE (linksim);

G_END_DECLS

#endif
