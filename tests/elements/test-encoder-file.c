/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A file that adds encoders to those that the adapter knows.
 */
#include <glib/gstdio.h>

#include "adapter-rig.h"
#include "rtpcc/adapter/encoderfile.h"

/* The caller unlinks it. */
static gchar *
file_with (const gchar *text)
{
  gchar *path = NULL;
  const gint fd = g_file_open_tmp ("encodersXXXXXX", &path, NULL);

  fail_unless (fd >= 0);
  g_close (fd, NULL);
  fail_unless (g_file_set_contents (path, text, -1, NULL));
  return path;
}

TEST (test_rows)
{
  g_autofree gchar *path = file_with ("# mine\n[one]\nproperty=rate\n\n[two-]\n"
      "property=controls.rate\nunit=1000\nvbv-property=vbv\n");
  GArray *rows = gst_rtp_cc_encoder_file_read (path, NULL);
  const GstRtpCcEncoder *row;

  g_unlink (path);
  fail_unless (rows && rows->len == 2);
  row = &g_array_index (rows, GstRtpCcEncoder, 0);
  assert_equals_string (row->factory, "one");
  assert_equals_string (row->property, "rate");
  assert_equals_int (row->unit, 1);
  fail_unless (row->vbv_property == NULL && row->note == NULL);
  row = &g_array_index (rows, GstRtpCcEncoder, 1);
  assert_equals_string (row->factory, "two-");
  assert_equals_string (row->property, "controls.rate");
  assert_equals_int (row->unit, 1000);
  assert_equals_string (row->vbv_property, "vbv");
  g_array_unref (rows);
}

static const gchar *const bad[][2] = {
  {"[one]\nunit=1\n", "[one] lacks its property"},
  {"[one]\nproperty=\n", "[one] lacks its property"},
  {"[a]\nproperty=rate\n[b]\nproperty=rate\nunit=0\n", "[b] has a unit"},
  {"[a]\nproperty=rate\nunit=1000001\n", "[a] has a unit"},
  {"[a]\nproperty=rate\nunit=kbit\n", "[a] has a unit"},
  {"property=rate\n", "group"},
};

TEST_EACH (test_bad_files, G_N_ELEMENTS (bad))
{
  g_autofree gchar *path = file_with (bad[__i__][0]);
  g_autoptr (GError) error = NULL;

  fail_unless (gst_rtp_cc_encoder_file_read (path, &error) == NULL);
  fail_unless (strstr (error->message, bad[__i__][1]) != NULL, "%s", error->message);
  g_unlink (path);
}

TEST (test_no_file)
{
  g_autoptr (GError) error = NULL;

  fail_unless (gst_rtp_cc_encoder_file_read ("/no/such/file", &error) == NULL);
  fail_unless (error != NULL);
}

/* The file is read once in a process: this is the only test here that looks encoders up. */
TEST (test_an_encoder_of_the_file_is_followed)
{
  g_autofree gchar *path = file_with ("[fakeencoder]\nproperty=kbps\nunit=1000\n");
  Fixture f;

  fail_unless (g_setenv ("GST_RTP_CC_ENCODERS", path, TRUE));
  setup (&f, "fakeencoder name=e ! rtpbitrateadapter name=a packet-overhead=0");
  gst_harness_set_src_caps_str (f.h, "video/x-fake");
  ask (&f, 600000, 0);
  expect_kbps (&f, 600);
  assert_equals_int (encoder_bitrate (&f), 600000);
  teardown (&f);
  g_unlink (path);
}

TEST_MAIN (encoder_file);
