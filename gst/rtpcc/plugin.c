/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/gst.h>

#include "rtpcc/bin/attach.h"
#include "rtpcc/bin/bin.h"
#include "rtpcc/bin/sink.h"
#include "rtpcc/bin/src.h"
#include "rtpcc/common/elements.h"

static gboolean
plugin_init (GstPlugin * plugin)
{
  gboolean any = FALSE;

  any |= GST_ELEMENT_REGISTER (rtpbitrateadapter, plugin);
  any |= GST_ELEMENT_REGISTER (rtpccattach, plugin);
  any |= GST_ELEMENT_REGISTER (rtpccbin, plugin);
  any |= GST_ELEMENT_REGISTER (rtpccsender, plugin);
  any |= GST_ELEMENT_REGISTER (rtpccsink, plugin);
  any |= GST_ELEMENT_REGISTER (rtpccsrc, plugin);
  any |= GST_ELEMENT_REGISTER (rtpcircuitbreaker, plugin);
  any |= GST_ELEMENT_REGISTER (rtpfbrafec, plugin);
  any |= GST_ELEMENT_REGISTER (rtpfbrareceiver, plugin);
  any |= GST_ELEMENT_REGISTER (rtpgccreceiver, plugin);
  any |= GST_ELEMENT_REGISTER (rtpgccsender, plugin);
  any |= GST_ELEMENT_REGISTER (rtphdrextabssendtime, plugin);
  any |= GST_ELEMENT_REGISTER (rtpsbpnmux, plugin);
  return any;
}

GST_PLUGIN_DEFINE (GST_VERSION_MAJOR, GST_VERSION_MINOR, rtpcc,
    "RTP congestion control", plugin_init, VERSION, "LGPL", PACKAGE,
    GST_PACKAGE_ORIGIN)
