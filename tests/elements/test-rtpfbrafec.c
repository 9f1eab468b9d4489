/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What rtpfbrafec decides, who hears of it, and when parity is sent. */
#include "fbra-rig.h"

static guint
count_parity (Rig *rig, guint from)
{
  guint n = 0;

  for (guint i = from; i < rig->left->len; i++)
    n += rig_is_parity (rig->left->pdata[i]);
  return n;
}

TEST (test_start)
{
  g_autoptr (Rig) rig = rig_new (VIDEO_CAPS, "start-bitrate", 400000, NULL);
  guint target = 0, fec = 1;

  fail_unless (rig_is (rig, "stay"));
  fail_unless_equals_int (rig_uint (rig, "estimated-bitrate"), 400000);
  newest_target (rig->h, &target, &fec);
  rig_push (rig, 100);          /* said again: in READY nobody could hear */
  fail_unless (newest_target (rig->h, &target, &fec));
  fail_unless_equals_int (target, 400000);
  fail_unless_equals_int (fec, 0);
  rig_push (rig, 100);
  fail_if (newest_target (rig->h, &target, &fec));
}

/* STAY, PROBE with parity, UP with the parity's share as media; the encoder's share never
 * rises before parity has shown that it passes. */
TEST (test_probe_passes)
{
  g_autoptr (Rig) rig = rig_new (VIDEO_CAPS, "start-bitrate", 250000, NULL);
  guint target = 0, fec = 0, before, total;

  rig_rounds_until (rig, "probe");
  fail_unless_equals_int (count_parity (rig, 0), 0);
  fail_unless (newest_target (rig->h, &target, &fec));
  fail_unless_equals_int (target - fec, 250000);
  fail_unless_equals_int (fec, 125000); /* the first probe: one to two */
  fail_unless_equals_int (rig_uint (rig, "fec-bitrate"), fec);
  fail_unless_equals_int (rig_uint (rig, "estimated-bitrate"), target);
  before = rig->left->len;
  rig_round (rig, 0);
  fail_unless_equals_int (count_parity (rig, before), 2);       /* of 5 packets */
  do {
    total = rig_uint (rig, "estimated-bitrate");
    rig_round (rig, 0);
  } while (rig_is (rig, "probe"));
  fail_unless (rig_is (rig, "up"));
  fail_unless (total > 250000);
  fail_unless (newest_target (rig->h, &target, &fec));
  fail_unless_equals_int (target, total);
  fail_unless_equals_int (fec, 0);
  before = rig->left->len;
  rig_round (rig, 0);
  fail_unless_equals_int (count_parity (rig, before), 0);
  fail_unless_equals_uint64 (rig_stat (rig, "probes-passed"), 1);
  fail_unless_equals_uint64 (rig_stat (rig, "parity-packets"), rig_stat (rig,
          "fec-packets-sent"));
}

/* Losses while probing: no parity any more, and less than before. */
TEST (test_probe_fails)
{
  g_autoptr (Rig) rig = rig_new (VIDEO_CAPS, "start-bitrate", 250000, NULL);
  guint target, fec, before;

  rig_rounds_until (rig, "probe");
  rig_round (rig, 2);
  fail_unless (rig_is (rig, "down"));
  fail_unless (newest_target (rig->h, &target, &fec));
  fail_unless (target < 250000, "%u", target);
  fail_unless_equals_int (fec, 0);
  before = rig->left->len;
  rig_round (rig, 0);
  fail_unless_equals_int (count_parity (rig, before), 0);
}

TEST (test_silence)
{
  g_autoptr (Rig) rig = rig_new (VIDEO_CAPS, "start-bitrate", 250000, NULL);

  for (guint i = 0; i < 8; i++)
    rig_round (rig, 0);
  rig_push (rig, 600);
  rig_wait (rig, 10 * GST_SECOND);
  fail_unless (rig_is (rig, "down"));
  fail_unless (rig_uint (rig, "estimated-bitrate") < 250000);
  fail_unless (rig_stat (rig, "feedback-timeout-count") > 0);
}

TEST_MAIN (fbra);
