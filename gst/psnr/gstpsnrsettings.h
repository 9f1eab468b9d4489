/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * gstpsnrsettings.h - what can be set on a psnr element, and the properties for it
 */
#ifndef GST_PSNR_SETTINGS_H
#define GST_PSNR_SETTINGS_H

#include <gst/gst.h>
#include "psnr/psnr.h"

typedef enum {
  PSNR_MATCH_STAMP, PSNR_MATCH_PTS, PSNR_MATCH_REFERENCE_TIMESTAMP
} PsnrMatch;

typedef enum { PSNR_MODE_AUTO, PSNR_MODE_LIVE, PSNR_MODE_OFFLINE } PsnrMode;

typedef struct {
  PsnrMatch match;
  PsnrMode mode;
  guint max_size_buffers;
  guint64 max_delay, tolerance;         /* ns */
  guint stamp_height;                   /* rows */
  gboolean stamp_bottom, ssim, frame_messages;
  PsnrCrop crop;
} PsnrSettings;

/* Ids below PSNR_PROP_LAST; the element's own start there. */
enum {
  PSNR_PROP_0, PSNR_PROP_MATCH, PSNR_PROP_MODE, PSNR_PROP_MAX_SIZE_BUFFERS,
  PSNR_PROP_MAX_DELAY, PSNR_PROP_TOLERANCE, PSNR_PROP_STAMP_HEIGHT,
  PSNR_PROP_STAMP_BOTTOM, PSNR_PROP_CROP_TOP, PSNR_PROP_CROP_BOTTOM,
  PSNR_PROP_CROP_LEFT, PSNR_PROP_CROP_RIGHT, PSNR_PROP_SSIM,
  PSNR_PROP_FRAME_MESSAGES, PSNR_PROP_LAST
};

void psnr_settings_init (PsnrSettings *settings);
void psnr_settings_install (GObjectClass *klass);

/* False where @id is not one of ours. */
gboolean psnr_settings_set (PsnrSettings *settings, guint id, const GValue *value);
gboolean psnr_settings_get (const PsnrSettings *settings, guint id, GValue *value);

/* With what the stamp takes away. */
PsnrCrop psnr_settings_crop (const PsnrSettings *settings);

#endif
