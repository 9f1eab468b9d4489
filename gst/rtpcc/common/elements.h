/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * common/elements.h - what plugin.c registers; each element's type is its own file's alone
 */
#ifndef GST_RTP_CC_ELEMENTS_H
#define GST_RTP_CC_ELEMENTS_H

#include <gst/gst.h>

GST_ELEMENT_REGISTER_DECLARE (rtpbitrateadapter);
GST_ELEMENT_REGISTER_DECLARE (rtpccsender);
GST_ELEMENT_REGISTER_DECLARE (rtpcircuitbreaker);
GST_ELEMENT_REGISTER_DECLARE (rtpfbrafec);
GST_ELEMENT_REGISTER_DECLARE (rtpfbrareceiver);
GST_ELEMENT_REGISTER_DECLARE (rtpgccreceiver);
GST_ELEMENT_REGISTER_DECLARE (rtpgccsender);
GST_ELEMENT_REGISTER_DECLARE (rtphdrextabssendtime);
GST_ELEMENT_REGISTER_DECLARE (rtpsbpnmux);

#endif
