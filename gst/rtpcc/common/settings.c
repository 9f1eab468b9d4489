/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/common/settings.h"

#include <string.h>

typedef struct {
  const RccSetting *row;        /* NULL: there is none so far along */
  gsize offset;                 /* of what it speaks of */
} Place;

/* Row number @i of all @parts. */
static Place
row_at (const GstRtpCcSettingsPart * parts, guint i)
{
  for (; parts->rows; parts++)
    for (const RccSetting * row = parts->rows; row->name; row++)
      if (i-- == 0)
        return (Place) {row, parts->offset};
  return (Place) {NULL, 0};
}

static guint
count (const GstRtpCcSettingsPart * parts)
{
  guint n = 0;

  while (row_at (parts, n).row)
    n++;
  return n;
}

/* --- enumerations --------------------------------------------------------- */

GType
gst_rtp_cc_choices_type (const RccChoices * choices)
{
  gchar *name = g_strconcat ("GstRtp", choices->type, NULL);
  static GMutex lock;
  GType type;

  G_STATIC_ASSERT (sizeof (RccChoice) == sizeof (GEnumValue)
      && G_STRUCT_OFFSET (RccChoice, name) == G_STRUCT_OFFSET (GEnumValue, value_nick));
  g_mutex_lock (&lock);
  if (!(type = g_type_from_name (name))) {
    type = g_enum_register_static (name, (const GEnumValue *) choices->values);
    gst_type_mark_as_plugin_api (type, 0);
  }
  g_mutex_unlock (&lock);
  g_free (name);
  return type;
}

/* --- properties ----------------------------------------------------------- */

#define READY "; takes effect in READY or at reset"

/* "max-delay": "Max delay" */
static gchar *
nick_of (const gchar * name)
{
  gchar *nick = g_strdelimit (g_strdup (name), "-", ' ');

  nick[0] = g_ascii_toupper (nick[0]);
  return nick;
}

static guint64
whole (gdouble value)
{
  return value >= (gdouble) G_MAXUINT64 ? G_MAXUINT64 : (guint64) value;
}

static GParamSpec *
make_spec (const RccSetting * row, const gchar * nick, const gchar * blurb,
    gdouble standard)
{
  const GParamFlags flags = G_PARAM_READWRITE | (row->live ?
      GST_PARAM_MUTABLE_PLAYING : GST_PARAM_MUTABLE_READY);

  switch (row->type) {
    case RCC_SET_U32:
      return g_param_spec_uint (row->name, nick, blurb, (guint) row->least,
          (guint) row->most, (guint) standard, flags);
    case RCC_SET_TIME:
      return g_param_spec_uint64 (row->name, nick, blurb, whole (row->least),
          whole (row->most), whole (standard), flags);
    case RCC_SET_DOUBLE:
      return g_param_spec_double (row->name, nick, blurb, row->least, row->most,
          standard, flags);
    case RCC_SET_BOOL:
      return g_param_spec_boolean (row->name, nick, blurb, standard != 0,
          flags);
    default:
      return g_param_spec_enum (row->name, nick, blurb,
          gst_rtp_cc_choices_type (row->choices), (gint) standard, flags);
  }
}

static void
install (GObjectClass * klass, guint id, const RccSetting * row,
    gdouble standard)
{
  gchar *nick = nick_of (row->name);
  gchar *blurb = g_strconcat (row->text, row->unit[0] ? " (" : "", row->unit,
      row->unit[0] ? ")" : "", row->live ? NULL : READY, NULL);

  g_object_class_install_property (klass, id, make_spec (row, nick, blurb,
          standard));
  g_free (blurb);
  g_free (nick);
}

static void
install_tuning (const GstRtpCcSettings * table, GObjectClass * klass, guint id)
{
  GString *names = g_string_new ("Constants of the algorithm that are to differ "
      "from the profile's, for research: \"tuning,NAME=VALUE\" with any of ");
  gboolean live = TRUE;
  Place at;

  for (guint i = 0; (at = row_at (table->tuning, i)).row; i++) {
    g_string_append_printf (names, i ? ", %s" : "%s", at.row->name);
    live = live && at.row->live;
  }
  g_assert (count (table->tuning) <= GST_RTP_CC_TUNING_ROWS);
  if (!live)
    g_string_append (names, READY);
  g_object_class_install_property (klass, id, g_param_spec_boxed ("tuning",
          "Tuning", names->str, GST_TYPE_STRUCTURE,
          G_PARAM_READWRITE | (live ? GST_PARAM_MUTABLE_PLAYING :
              GST_PARAM_MUTABLE_READY)));
  g_string_free (names, TRUE);
}

void
gst_rtp_cc_settings_install (const GstRtpCcSettings * table,
    GObjectClass * klass)
{
  gpointer defaults = g_malloc0 (table->size);
  Place at;
  guint i;

  table->init (defaults);
  for (i = 0; (at = row_at (table->properties, i)).row; i++)
    install (klass, i + 1, at.row, rcc_setting_get (at.row,
            (guint8 *) defaults + at.offset));
  if (table->tuning)
    install_tuning (table, klass, ++i);
  g_assert (i < GST_RTP_CC_PROPS);
  g_free (defaults);
}

/* --- tuning --------------------------------------------------------------- */

static GstRtpCcTuning *
tuning_of (const GstRtpCcSettings * table, gconstpointer settings)
{
  return (GstRtpCcTuning *) ((guint8 *) settings + table->tuning_at);
}

/* FALSE: @value is neither a number nor a word for @row. */
static gboolean
number_of (const RccSetting * row, const GValue * value, gdouble * number)
{
  GValue v = G_VALUE_INIT;
  gboolean known = FALSE;

  if (G_VALUE_HOLDS_STRING (value))
    return rcc_setting_word (row, g_value_get_string (value), number);
  g_value_init (&v, G_TYPE_DOUBLE);
  if (G_VALUE_HOLDS_BOOLEAN (value))
    known = (*number = g_value_get_boolean (value)) >= 0;
  else if ((known = G_VALUE_HOLDS_ENUM (value)))
    *number = g_value_get_enum (value);
  else if ((known = g_value_type_transformable (G_VALUE_TYPE (value),
              G_TYPE_DOUBLE) && g_value_transform (value, &v)))
    *number = g_value_get_double (&v);
  g_value_unset (&v);
  return known;
}

static void
complain (const RccSetting * row, const GValue * value)
{
  gchar *text = g_strdup_value_contents (value);
  GString *may = g_string_new (NULL);

  if (row->type == RCC_SET_CHOICE)
    for (const RccChoice * c = row->choices->values; c->name; c++)
      g_string_append_printf (may, may->len > 0 ? ", %s" : "%s", c->name);
  else if (row->type == RCC_SET_BOOL)
    g_string_append (may, "true or false");
  else
    g_string_append_printf (may, "from %g to %g", row->least, row->most);
  g_warning ("tuning: %s cannot be %s; it may be %s", row->name, text, may->str);
  g_string_free (may, TRUE);
  g_free (text);
}

/* FALSE, with a warning: @value is none for @row; NULL: there is no such row. */
static gboolean
judge (const RccSetting * row, const gchar * name, const GValue * value,
    gdouble * number)
{
  if (!row)
    g_warning ("tuning: there is no \"%s\"; gst-inspect-1.0 lists what there is",
        name);
  else if (!number_of (row, value, number) || !rcc_setting_allows (row, *number))
    complain (row, value);
  else
    return TRUE;
  return FALSE;
}

typedef struct
{
  const GstRtpCcSettingsPart *parts;
  GstRtpCcTuning *tuning;
  gpointer of;                  /* where there is no tuning: what they speak of */
} Tuner;

static gboolean
tune_one (GQuark name, const GValue * value, gpointer data)
{
  const Tuner *tuner = data;
  gdouble number = 0;
  Place at;
  guint i = 0;

  while ((at = row_at (tuner->parts, i)).row
      && strcmp (at.row->name, g_quark_to_string (name)))
    i++;
  if (!judge (at.row, g_quark_to_string (name), value, &number))
    return TRUE;
  if (tuner->tuning) {
    tuner->tuning->set[i] = TRUE;
    tuner->tuning->values[i] = number;
  } else {
    rcc_setting_set (at.row, tuner->of, number);
  }
  return TRUE;
}

void
gst_rtp_cc_settings_tune_rows (const RccSetting * rows,
    const GstStructure * tuning, gpointer of)
{
  const GstRtpCcSettingsPart parts[] = { {rows, 0}, {NULL, 0} };
  Tuner tuner = { parts, NULL, of };

  gst_structure_foreach (tuning, tune_one, &tuner);
}

static void
set_tuning (const GstRtpCcSettings * table, gpointer settings,
    const GValue * value)
{
  Tuner tuner = { table->tuning, tuning_of (table, settings), NULL };
  const GstStructure *s = g_value_get_boxed (value);

  *tuner.tuning = (GstRtpCcTuning) {0};
  if (s)
    gst_structure_foreach (s, tune_one, &tuner);
}

/* All that differs from the profile's; NULL where nothing does. */
static void
get_tuning (const GstRtpCcSettings * table, gconstpointer settings,
    GValue * value)
{
  const GstRtpCcTuning *tuning = tuning_of (table, settings);
  GstStructure *s;

  s = gst_structure_new_empty ("tuning");
  for (guint i = 0; i < GST_RTP_CC_TUNING_ROWS; i++)
    if (tuning->set[i])
      gst_structure_set (s, row_at (table->tuning, i).row->name, G_TYPE_DOUBLE,
          tuning->values[i], NULL);
  if (gst_structure_n_fields (s) > 0)
    g_value_take_boxed (value, s);
  else
    gst_structure_free (s);
}

void
gst_rtp_cc_settings_tune (const GstRtpCcSettings * table,
    gconstpointer settings, gpointer of)
{
  const GstRtpCcTuning *tuning = tuning_of (table, settings);
  Place at;

  for (guint i = 0; i < GST_RTP_CC_TUNING_ROWS; i++)
    if (tuning->set[i]) {
      at = row_at (table->tuning, i);
      rcc_setting_set (at.row, (guint8 *) of + at.offset, tuning->values[i]);
    }
}

/* --- set and get ---------------------------------------------------------- */

gboolean
gst_rtp_cc_settings_set (const GstRtpCcSettings * table, gpointer settings,
    guint id, const GValue * value)
{
  const Place at = row_at (table->properties, id - 1);
  gpointer member = (guint8 *) settings + at.offset;
  gdouble number;

  if (!at.row && table->tuning && id == count (table->properties) + 1) {
    set_tuning (table, settings, value);
    return TRUE;
  }
  if (!at.row)
    return FALSE;
  if (at.row->type == RCC_SET_TIME)     /* whole, beyond what a double holds */
    *(guint64 *) ((guint8 *) member + at.row->offset) =
        g_value_get_uint64 (value);
  else if (number_of (at.row, value, &number))
    rcc_setting_set (at.row, member, number);
  return TRUE;
}

gboolean
gst_rtp_cc_settings_get (const GstRtpCcSettings * table,
    gconstpointer settings, guint id, GValue * value)
{
  const Place at = row_at (table->properties, id - 1);
  const guint8 *member = (const guint8 *) settings + at.offset;

  if (!at.row && table->tuning && id == count (table->properties) + 1) {
    get_tuning (table, settings, value);
    return TRUE;
  }
  if (!at.row)
    return FALSE;
  if (at.row->type == RCC_SET_TIME)
    g_value_set_uint64 (value, *(const guint64 *) (member + at.row->offset));
  else if (at.row->type == RCC_SET_U32)
    g_value_set_uint (value, (guint) rcc_setting_get (at.row, member));
  else if (at.row->type == RCC_SET_DOUBLE)
    g_value_set_double (value, rcc_setting_get (at.row, member));
  else if (at.row->type == RCC_SET_BOOL)
    g_value_set_boolean (value, rcc_setting_get (at.row, member) != 0);
  else
    g_value_set_enum (value, (gint) rcc_setting_get (at.row, member));
  return TRUE;
}
