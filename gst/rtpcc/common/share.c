/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/common/share.h"

typedef struct
{
  GWeakRef element;
  gconstpointer key;            /* that element, to compare with */
  guint least, most;
  void (*changed) (gpointer data);
  gpointer data;
} Member;

typedef struct
{
  GstElement *element;          /* with a reference */
  void (*changed) (gpointer data);
  gpointer data;
} Change;

struct _GstRtpCcShare
{
  gint references;              /* atomic */
  GMutex lock;                  /* of all below */
  GPtrArray *members;
};

/* Who links the same code beside the plugin, as tests do, has the plugin's type. */
GType
gst_rtp_cc_share_get_type (void)
{
  static gsize type;

  if (g_once_init_enter (&type)) {
    GType known = g_type_from_name ("GstRtpCcShare");

    if (known == 0)
      known = g_boxed_type_register_static ("GstRtpCcShare",
          (GBoxedCopyFunc) gst_rtp_cc_share_ref,
          (GBoxedFreeFunc) gst_rtp_cc_share_unref);
    g_once_init_leave (&type, known);
  }
  return type;
}

static void
free_member (gpointer data)
{
  g_weak_ref_clear (&((Member *) data)->element);
  g_free (data);
}

GstRtpCcShare *
gst_rtp_cc_share_new (void)
{
  GstRtpCcShare *share = g_new0 (GstRtpCcShare, 1);

  share->references = 1;
  g_mutex_init (&share->lock);
  share->members = g_ptr_array_new_with_free_func (free_member);
  return share;
}

GstRtpCcShare *
gst_rtp_cc_share_ref (GstRtpCcShare * share)
{
  g_atomic_int_inc (&share->references);
  return share;
}

void
gst_rtp_cc_share_unref (GstRtpCcShare * share)
{
  if (!g_atomic_int_dec_and_test (&share->references))
    return;
  g_ptr_array_unref (share->members);
  g_mutex_clear (&share->lock);
  g_free (share);
}

/* --- members -------------------------------------------------------------- */

static Member *
find_locked (GstRtpCcShare * share, gconstpointer key)
{
  for (guint i = 0; i < share->members->len; i++) {
    Member *m = g_ptr_array_index (share->members, i);

    if (m->key == key)
      return m;
  }
  return NULL;
}

static void
clear_change (gpointer change)
{
  gst_object_unref (((Change *) change)->element);
}

/* Gives the lock up. */
static void
notify_others (GstRtpCcShare * share, gconstpointer key)
{
  g_autoptr (GArray) others = g_array_new (FALSE, FALSE, sizeof (Change));

  g_array_set_clear_func (others, clear_change);
  for (guint i = 0; i < share->members->len; i++) {
    Member *m = g_ptr_array_index (share->members, i);
    Change change = { NULL, m->changed, m->data };

    if (m->key != key && (change.element = g_weak_ref_get (&m->element)))
      g_array_append_val (others, change);
  }
  g_mutex_unlock (&share->lock);
  for (guint i = 0; i < others->len; i++) {
    const Change *change = &g_array_index (others, Change, i);

    change->changed (change->data);
  }
}

void
gst_rtp_cc_share_join (GstRtpCcShare * share, GstElement * element,
    guint least, guint most, void (*changed) (gpointer data), gpointer data)
{
  Member *m;

  most = MAX (least, most);
  g_mutex_lock (&share->lock);
  m = find_locked (share, element);
  if (m && m->least == least && m->most == most) {
    g_mutex_unlock (&share->lock);
    return;
  }
  if (!m) {
    m = g_new0 (Member, 1);
    g_weak_ref_init (&m->element, element);
    m->key = element;
    g_ptr_array_add (share->members, m);
  }
  m->least = least;
  m->most = most;
  m->changed = changed;
  m->data = data;
  notify_others (share, element);
}

void
gst_rtp_cc_share_leave (GstRtpCcShare * share, GstElement * element)
{
  Member *m;

  g_mutex_lock (&share->lock);
  m = find_locked (share, element);
  if (!m) {
    g_mutex_unlock (&share->lock);
    return;
  }
  g_ptr_array_remove (share->members, m);
  notify_others (share, element);
}

/* --- parts ---------------------------------------------------------------- */

/* Of all but @but, where nobody takes more than @level, but for his least. */
static guint64
sum_locked (const GstRtpCcShare * share, guint level, const Member * but)
{
  guint64 sum = 0;

  for (guint i = 0; i < share->members->len; i++) {
    const Member *m = g_ptr_array_index (share->members, i);

    if (m != but)
      sum += CLAMP (level, m->least, m->most);
  }
  return sum;
}

/* The highest level that @target has room for; 0: not even for what is the least of all. */
static guint
level_locked (const GstRtpCcShare * share, guint target)
{
  guint low = 0, high = target;

  while (low < high) {
    const guint middle = low + (high - low + 1) / 2;

    if (sum_locked (share, middle, NULL) <= target)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

guint
gst_rtp_cc_share_part (GstRtpCcShare * share, GstElement * element,
    guint target)
{
  guint part = target, level;
  guint64 others;
  Member *m;

  if (target == G_MAXUINT)
    return target;
  g_mutex_lock (&share->lock);
  m = find_locked (share, element);
  if (m) {
    level = level_locked (share, target);
    others = sum_locked (share, level, m);
    part = CLAMP (level, m->least, m->most);
    if (others + part < target) /* all of the others have enough, or a bit is left */
      part = (guint) (target - others);
    part = MIN (part, target);
  }
  g_mutex_unlock (&share->lock);
  return part;
}
