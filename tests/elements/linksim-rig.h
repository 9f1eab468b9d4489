/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * linksim-rig.h - linksim in a harness on a test clock
 */
#ifndef TESTS_ELEMENTS_LINKSIM_RIG_H
#define TESTS_ELEMENTS_LINKSIM_RIG_H

#include <glib/gstdio.h>
#include <gst/rtp/gstrtpbuffer.h>

#include "rig.h"

#define CAPS "application/x-rtp"
#define MS GST_MSECOND

/* A harness on a test clock at 0, the element freshly in PLAYING. */
static G_GNUC_UNUSED GstHarness *
harness (const char *property, ...)
{
  GstHarness *h = gst_harness_new ("linksim");
  va_list args;

  gst_harness_use_testclock (h);
  gst_element_set_state (h->element, GST_STATE_READY);
  va_start (args, property);
  g_object_set_valist (G_OBJECT (h->element), property, args);
  va_end (args);
  gst_element_set_base_time (h->element, 0);
  fail_unless_equals_int (gst_element_set_state (h->element, GST_STATE_PLAYING),
      GST_STATE_CHANGE_SUCCESS);
  gst_harness_set_src_caps_str (h, CAPS);
  return h;
}

/* A scenario in a file of its own; scenario_clear() removes it. */
static G_GNUC_UNUSED char *
scenario (const char *text)
{
  g_autofree char *path = NULL;
  const int fd = g_file_open_tmp ("linksim-XXXXXX.txt", &path, NULL);

  fail_unless (fd >= 0 && g_close (fd, NULL));
  fail_unless (g_file_set_contents (path, text, -1, NULL));
  return g_steal_pointer (&path);
}

static G_GNUC_UNUSED void
scenario_clear (char ** path)
{
  g_unlink (*path);
  g_free (*path);
}

static G_GNUC_UNUSED GstBuffer *
packet (guint size)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, size, NULL);

  gst_buffer_memset (buffer, 0, 0x80, size);
  return buffer;
}

static G_GNUC_UNUSED void
push (GstHarness * h, guint size)
{
  fail_unless_equals_int (gst_harness_push (h, packet (size)), GST_FLOW_OK);
}

/* The task must want to be woken at @at; wakes it @late after that. */
static G_GNUC_UNUSED void
wake (GstHarness * h, GstClockTime at, GstClockTime late)
{
  GstTestClock *clock = gst_harness_get_testclock (h);
  GstClockID id, done;

  /* a sleep that was cut short may be replaced: wait for the one that we expect */
  for (;;) {
    gst_test_clock_wait_for_next_pending_id (clock, &id);
    if (gst_clock_id_get_time (id) == at)
      break;
    gst_clock_id_unref (id);
    g_thread_yield ();
  }
  gst_clock_id_unref (id);
  gst_test_clock_set_time (clock, at + late);
  while ((done = gst_test_clock_process_next_clock_id (clock)))
    gst_clock_id_unref (done);
  gst_object_unref (clock);
}

static G_GNUC_UNUSED void
pull_at (GstHarness * h, GstClockTime pts)
{
  GstBuffer *buffer = gst_harness_pull (h);

  fail_unless (buffer != NULL);
  fail_unless_equals_uint64 (GST_BUFFER_PTS (buffer), pts);
  fail_unless_equals_uint64 (GST_BUFFER_DTS (buffer), pts);
  gst_buffer_unref (buffer);
}

static G_GNUC_UNUSED guint64
side_stat (GstElement * element, const char *direction, const char *name)
{
  GstStructure *stats, *side;
  guint64 value = 0;
  guint small;

  g_object_get (element, "stats", &stats, NULL);
  fail_unless (gst_structure_get (stats, direction, GST_TYPE_STRUCTURE, &side, NULL));
  if (gst_structure_get_uint (side, name, &small))
    value = small;
  else
    fail_unless (gst_structure_get_uint64 (side, name, &value), "no %s", name);
  gst_structure_free (side);
  gst_structure_free (stats);
  return value;
}

#endif
