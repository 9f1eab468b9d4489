/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * common/settings.h - tables of settings (core/settings.h) as properties of an element
 */
#ifndef GST_RTP_CC_SETTINGS_H
#define GST_RTP_CC_SETTINGS_H

#include <gst/gst.h>
#include "core/settings.h"

/* What follows the rows in the enum of an element's property ids. */
#define GST_RTP_CC_PROPS 64
#define GST_RTP_CC_TUNING_ROWS 128

/* Rows, and where what they speak of begins in a larger structure. */
typedef struct {
  const RccSetting *rows;       /* NULL: the end */
  gsize offset;
} GstRtpCcSettingsPart;

typedef struct {
  gsize size;                   /* of the element's settings, one struct */
  void (*init) (gpointer settings);     /* to the defaults */
  const GstRtpCcSettingsPart *properties;
  const GstRtpCcSettingsPart *tuning;   /* of what it makes of them; NULL: no such property */
  gsize tuning_at;              /* of a #GstRtpCcTuning in the settings */
} GstRtpCcSettings;

/* The property "tuning": constants of an algorithm that are to differ.  Zero: none. */
typedef struct {
  guint8 set[GST_RTP_CC_TUNING_ROWS];   /* by the index of the row among those of all parts */
  gdouble values[GST_RTP_CC_TUNING_ROWS];
} GstRtpCcTuning;

/* In class_init: properties with the ids 1, 2 ... in the order of the rows, "tuning" last.
 * All are below GST_RTP_CC_PROPS. What "tuning" takes has GST_RTP_CC_TUNING_ROWS at most. */
void gst_rtp_cc_settings_install (const GstRtpCcSettings *table, GObjectClass *klass);

/* FALSE when @id is none of them.  @settings is the element's. */
gboolean gst_rtp_cc_settings_set (const GstRtpCcSettings *table, gpointer settings, guint id,
    const GValue *value);
gboolean gst_rtp_cc_settings_get (const GstRtpCcSettings *table, gconstpointer settings,
    guint id, GValue *value);

/* Writes what "tuning" has into @of, the structure that its parts speak of. */
void gst_rtp_cc_settings_tune (const GstRtpCcSettings *table, gconstpointer settings,
    gpointer of);

/* The same for a table that is known only at run time. Writes what @tuning has into @of, which is
 * what @rows are of. NULL: there are no rows. Warns of what they do not have. */
void gst_rtp_cc_settings_tune_rows (const RccSetting *rows, const GstStructure *tuning,
    gpointer of);

/* The enumeration of @choices as a GType, registered by the first call. */
GType gst_rtp_cc_choices_type (const RccChoices *choices);

#endif
