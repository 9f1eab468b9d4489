/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "psnr/gstpsnrsettings.h"
#include "psnr/framestamp.h"

#define GUARD_ROWS 4            /* deblocking changes three rows beside an edge */

#define READY_FLAGS \
  (G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_READY)
#define PLAYING_FLAGS \
  (G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_PLAYING)

static GType
match_get_type (void)
{
  static const GEnumValue values[] = {
    {PSNR_MATCH_STAMP, "The number drawn by framestamp", "stamp"},
    {PSNR_MATCH_PTS, "The running time", "pts"},
    {PSNR_MATCH_REFERENCE_TIMESTAMP, "The GstReferenceTimestampMeta",
        "reference-timestamp"},
    {0, NULL, NULL}
  };
  static gsize type;

  if (g_once_init_enter (&type)) {
    GType made = g_enum_register_static ("GstPsnrMatch", values);

    gst_type_mark_as_plugin_api (made, 0);
    g_once_init_leave (&type, made);
  }
  return type;
}

static GType
mode_get_type (void)
{
  static const GEnumValue values[] = {
    {PSNR_MODE_AUTO, "Each side as its upstream's latency query says", "auto"},
    {PSNR_MODE_LIVE, "No side waits for the other one", "live"},
    {PSNR_MODE_OFFLINE, "Each side waits for the other one", "offline"},
    {0, NULL, NULL}
  };
  static gsize type;

  if (g_once_init_enter (&type)) {
    GType made = g_enum_register_static ("GstPsnrMode", values);

    gst_type_mark_as_plugin_api (made, 0);
    g_once_init_leave (&type, made);
  }
  return type;
}

void
psnr_settings_init (PsnrSettings * settings)
{
  *settings = (PsnrSettings) {
  .max_size_buffers = 128,.max_delay = 4 * GST_SECOND,.tolerance =
        5 * GST_MSECOND,.stamp_height = 16,.frame_messages = TRUE,};
}

static void
install_pairing (GObjectClass * klass)
{
  PsnrSettings d;

  psnr_settings_init (&d);
  g_object_class_install_property (klass, PSNR_PROP_MATCH,
      g_param_spec_enum ("match", "Match",
          "What tells which frames belong together", match_get_type (), d.match,
          READY_FLAGS));
  g_object_class_install_property (klass, PSNR_PROP_MODE,
      g_param_spec_enum ("mode", "Mode",
          "Whether a side may wait for the other one", mode_get_type (), d.mode,
          READY_FLAGS));
  g_object_class_install_property (klass, PSNR_PROP_MAX_SIZE_BUFFERS,
      g_param_spec_uint ("max-size-buffers", "Max. size (buffers)",
          "Frames of either "
          "side held at most; not live, it must exceed the delay of the codec",
          1, 4096, d.max_size_buffers, READY_FLAGS));
  g_object_class_install_property (klass, PSNR_PROP_MAX_DELAY,
      g_param_spec_uint64 ("max-delay", "Max. delay",
          "How far (ns of the reference) a "
          "live reference frame may be behind the newest one before it counts as "
          "frozen", 0, G_MAXUINT64, d.max_delay, READY_FLAGS));
  g_object_class_install_property (klass, PSNR_PROP_TOLERANCE,
      g_param_spec_uint64 ("tolerance", "Tolerance",
          "How far (ns) the times of two "
          "frames that belong together may differ; less than half of a frame; not "
          "used with match=stamp", 0, GST_SECOND, d.tolerance, READY_FLAGS));
}

static void
install_measure (GObjectClass * klass)
{
  PsnrSettings d;

  psnr_settings_init (&d);
  g_object_class_install_property (klass, PSNR_PROP_STAMP_HEIGHT,
      g_param_spec_uint ("stamp-height", "Stamp height",
          "Rows of the strip, as " "framestamp's height", FRAMESTAMP_MIN_HEIGHT,
          256, d.stamp_height, READY_FLAGS));
  g_object_class_install_property (klass, PSNR_PROP_STAMP_BOTTOM,
      g_param_spec_boolean ("stamp-bottom", "Stamp at bottom",
          "The strip is in the " "last rows, as framestamp's bottom",
          d.stamp_bottom, READY_FLAGS));
  g_object_class_install_property (klass, PSNR_PROP_CROP_TOP,
      g_param_spec_uint ("crop-top", "Crop top",
          "Rows left out of the measure at the "
          "top; with match=stamp the strip always is", 0, G_MAXINT, 0,
          PLAYING_FLAGS));
  g_object_class_install_property (klass, PSNR_PROP_CROP_BOTTOM,
      g_param_spec_uint ("crop-bottom", "Crop bottom",
          "Rows left out of the measure " "at the bottom", 0, G_MAXINT, 0,
          PLAYING_FLAGS));
  g_object_class_install_property (klass, PSNR_PROP_CROP_LEFT,
      g_param_spec_uint ("crop-left", "Crop left",
          "Columns left out of the measure on " "the left", 0, G_MAXINT, 0,
          PLAYING_FLAGS));
  g_object_class_install_property (klass, PSNR_PROP_CROP_RIGHT,
      g_param_spec_uint ("crop-right", "Crop right",
          "Columns left out of the measure " "on the right", 0, G_MAXINT, 0,
          PLAYING_FLAGS));
  g_object_class_install_property (klass, PSNR_PROP_SSIM,
      g_param_spec_boolean ("ssim", "SSIM",
          "Measure the structural similarity of the "
          "luma too (8x8 windows, step 4): costs about eight times the PSNR in plain C",
          d.ssim, PLAYING_FLAGS));
  g_object_class_install_property (klass, PSNR_PROP_FRAME_MESSAGES,
      g_param_spec_boolean ("frame-messages", "Frame messages",
          "Post a message for " "each frame, not only the pooled one",
          d.frame_messages, PLAYING_FLAGS));
}

void
psnr_settings_install (GObjectClass * klass)
{
  install_pairing (klass);
  install_measure (klass);
}

typedef struct
{
  enum
  { NOT_OURS, UINT, UINT64, BOOLEAN, ENUM } kind;
  void *field;
} Slot;

static Slot
slot_of (PsnrSettings * s, guint id)
{
  switch (id) {
    case PSNR_PROP_MATCH:
    return (Slot) {
    ENUM, &s->match};
    case PSNR_PROP_MODE:
    return (Slot) {
    ENUM, &s->mode};
    case PSNR_PROP_MAX_SIZE_BUFFERS:
    return (Slot) {
    UINT, &s->max_size_buffers};
    case PSNR_PROP_MAX_DELAY:
    return (Slot) {
    UINT64, &s->max_delay};
    case PSNR_PROP_TOLERANCE:
    return (Slot) {
    UINT64, &s->tolerance};
    case PSNR_PROP_STAMP_HEIGHT:
    return (Slot) {
    UINT, &s->stamp_height};
    case PSNR_PROP_STAMP_BOTTOM:
    return (Slot) {
    BOOLEAN, &s->stamp_bottom};
    case PSNR_PROP_CROP_TOP:
    return (Slot) {
    UINT, &s->crop.top};
    case PSNR_PROP_CROP_BOTTOM:
    return (Slot) {
    UINT, &s->crop.bottom};
    case PSNR_PROP_CROP_LEFT:
    return (Slot) {
    UINT, &s->crop.left};
    case PSNR_PROP_CROP_RIGHT:
    return (Slot) {
    UINT, &s->crop.right};
    case PSNR_PROP_SSIM:
    return (Slot) {
    BOOLEAN, &s->ssim};
    case PSNR_PROP_FRAME_MESSAGES:
    return (Slot) {
    BOOLEAN, &s->frame_messages};
    default:
    return (Slot) {
    NOT_OURS, NULL};
  }
}

gboolean
psnr_settings_set (PsnrSettings * settings, guint id, const GValue * value)
{
  Slot slot = slot_of (settings, id);

  switch (slot.kind) {
    case UINT:
      *(guint *) slot.field = g_value_get_uint (value);
      return TRUE;
    case UINT64:
      *(guint64 *) slot.field = g_value_get_uint64 (value);
      return TRUE;
    case BOOLEAN:
      *(gboolean *) slot.field = g_value_get_boolean (value);
      return TRUE;
    case ENUM:
      *(gint *) slot.field = g_value_get_enum (value);
      return TRUE;
    default:
      return FALSE;
  }
}

gboolean
psnr_settings_get (const PsnrSettings * settings, guint id, GValue * value)
{
  Slot slot = slot_of ((PsnrSettings *) settings, id);

  switch (slot.kind) {
    case UINT:
      g_value_set_uint (value, *(guint *) slot.field);
      return TRUE;
    case UINT64:
      g_value_set_uint64 (value, *(guint64 *) slot.field);
      return TRUE;
    case BOOLEAN:
      g_value_set_boolean (value, *(gboolean *) slot.field);
      return TRUE;
    case ENUM:
      g_value_set_enum (value, *(gint *) slot.field);
      return TRUE;
    default:
      return FALSE;
  }
}

PsnrCrop
psnr_settings_crop (const PsnrSettings * settings)
{
  PsnrCrop crop = settings->crop;

  if (settings->match == PSNR_MATCH_STAMP) {
    guint32 *edge = settings->stamp_bottom ? &crop.bottom : &crop.top;

    *edge = MAX (*edge, settings->stamp_height + GUARD_ROWS);
  }
  return crop;
}
