/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_PSNR_ELEMENTS_H
#define GST_PSNR_ELEMENTS_H

#include <gst/gst.h>

GST_ELEMENT_REGISTER_DECLARE (framestamp);
GST_ELEMENT_REGISTER_DECLARE (psnr);

#endif
