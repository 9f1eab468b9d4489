/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_LINK_SIM_H
#define GST_LINK_SIM_H

#include <gst/gst.h>

#include "link/gstlinkpath.h"

#define GST_TYPE_LINK_SIM (gst_link_sim_get_type ())
G_DECLARE_FINAL_TYPE (GstLinkSim, gst_link_sim, GST, LINK_SIM, GstElement)
GST_ELEMENT_REGISTER_DECLARE (linksim);

struct _GstLinkSim
{
  GstElement element;

  GMutex lock;                  /* settings; taken before a path's lock */
  gchar *scenario_name;
  RccScenario *scenario;        /* while started */
  gboolean started;
  guint64 seed;
  RccLinkConfig base;           /* what the scenario starts from */
  gchar *queue;
  gboolean do_timestamp;
  GstLinkPath *paths[RCC_DIRECTIONS];
};

/* gstlinksimproperties.c */
void gst_link_sim_class_init_properties (GObjectClass * klass);
/* The link is another one: a GstLinkPathChanged. */
void gst_link_sim_changed (GstElement * element, RccDirection direction,
    RccTime when, guint64 capacity, RccTime delay);
/* @name NULL: a scenario in which nothing changes.  NULL: @error says why. */
RccScenario *gst_link_sim_load (const gchar * name, guint64 seed, gchar * error);

/* gstlinksimpads.c */
void gst_link_sim_class_init_pads (GstElementClass * klass);
void gst_link_sim_add_always_pads (GstLinkSim * self);

#endif
