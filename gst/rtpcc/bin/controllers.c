/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/bin/controllers.h"

#include <string.h>

#include "core/registry/registry.h"

GType
gst_rtp_cc_bin_controller_get_type (void)
{
  static GEnumValue values[RCC_REGISTRY_MAX + 1];
  static gsize type;
  const RccController *row;

  if (g_once_init_enter (&type)) {
    for (guint i = 0; (row = rcc_registry_row (i)); i++)
      values[i] = (GEnumValue) {
      (gint) i, row->text, row->name};
    g_once_init_leave (&type, g_enum_register_static ("GstRtpCcBinController",
            values));
    gst_type_mark_as_plugin_api (type, 0);
  }
  return type;
}

/* rtpgccsender has GCC's own statistics, and only rtpfbrafec sends parity. */
static const gchar *
factory_of (const RccController * row)
{
  if (!strcmp (row->name, "none"))
    return "";
  if (!strcmp (row->name, "gcc"))
    return "rtpgccsender";
  return row->parity ? "rtpfbrafec" : "rtpccsender";
}

GstElement *
gst_rtp_cc_bin_controller_make (gint controller, const gchar ** factory)
{
  const RccController *row = rcc_registry_row ((unsigned) controller);
  GstElement *element;

  *factory = factory_of (row);
  element = **factory ? gst_element_factory_make (*factory, NULL) : NULL;
  if (element && !row->parity && strcmp (row->name, "gcc"))
    gst_util_set_object_arg (G_OBJECT (element), "controller", row->name);
  return element;
}
