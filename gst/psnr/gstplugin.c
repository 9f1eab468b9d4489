/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "psnr/gstpsnrelements.h"

static gboolean
plugin_init (GstPlugin * plugin)
{
  gboolean ok = GST_ELEMENT_REGISTER (framestamp, plugin);

  return GST_ELEMENT_REGISTER (psnr, plugin) && ok;
}

GST_PLUGIN_DEFINE (GST_VERSION_MAJOR, GST_VERSION_MINOR, psnr,
    "Picture quality of a video call: frame numbers in the picture and PSNR",
    plugin_init, VERSION, "LGPL", "gst-rtpcc", GST_PACKAGE_ORIGIN)
