/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The rules of the send path: who goes first, what falls and how, what is sent again.
 */
#include "path-rig.h"

/* --- order ---------------------------------------------------------------- */

static void
audio_before_copies_before_video_before_padding (void)
{
  static const guint32 order[] = { VIDEO, VIDEO, AUDIO, AUDIO, RTX, VIDEO };
  Rig *r = rig_new (1000000);
  guint16 former;

  put_frame (r, 1, 1200, true);
  run (r, r->now);
  g_assert_true (rcc_send_request (&r->s, VIDEO, 0, false, r->now + MS, &former));
  put_frame (r, 2, 1200, false);
  put_copy (r, former, 1200);
  put_audio (r);
  put_audio (r);
  run (r, r->now + 4 * MS);             /* the first one is not paid for yet */
  g_assert_cmpuint (r->left->len, ==, 1);
  rcc_send_act (&r->s, (RccUpdate) { .changed = RCC_PROBE, .probe_bps = 2000000,
    .probe_bytes = 1000, .probe_id = 3 }, r->now);
  run (r, r->now + 100 * MS);
  g_assert_cmpuint (r->left->len, >, 6);
  for (guint i = 0; i < r->left->len; i++)
    g_assert_cmpuint (nth (r, i)->padding, ==, i >= 6);
  g_assert_cmpuint (nth (r, 1)->packet.ssrc, ==, AUDIO);
  g_assert_cmpuint (nth (r, 2)->packet.ssrc, ==, AUDIO);
  g_assert_cmpuint (nth (r, 3)->packet.ssrc, ==, RTX);
  g_assert_cmpuint (order[5], ==, nth (r, 5)->packet.ssrc);
  assert_no_gap (r, VIDEO);
  rig_free (r);
}

/* 64 kbit/s: 20 of it audio, and video that takes no notice. */
static void
audio_never_falls_for_video (void)
{
  Rig *r = rig_new (64000);

  for (guint i = 0; i < 3000; i++) {    /* 60 s */
    put_audio (r);
    if (i % 2 == 0)
      put_frame (r, 1, 400, i % 100 == 0);
    run (r, r->now + 20 * MS);
  }
  g_assert_cmpuint (r->audio_dropped, ==, 0);
  g_assert_cmpuint (r->s.dropped_audio, ==, 0);
  g_assert_cmpuint (r->dropped, >, 0);
  g_assert_cmpuint (assert_no_gap (r, AUDIO), >=, 2999);
  assert_no_gap (r, VIDEO);
  for (guint i = 0; i < r->left->len; i++)
    g_assert_cmpuint (nth (r, i)->reported.size, >, 0);
  rig_free (r);
}

/* One that is there, but not open yet, may be asked for already. */
static void
pads_are_made_by_need (void)
{
  Rig *r = rig_new (64000);

  g_assert_cmpuint (r->s.n_pads, <, 8);
  for (guint k = 0; k < RCC_SEND_PADS; k++) {
    rcc_send_add (&r->s, k);
    g_assert_cmpuint (rcc_send_measure (&r->s, k, r->now), ==, 0);
    g_assert_cmpuint (rcc_send_queue_time (&r->s, k), ==, 0);
    rcc_send_open (&r->s, k, &(RccSbpnClassConfig) { .priority = k }, k * MS);
  }
  g_assert_cmpuint (r->s.n_pads, ==, RCC_SEND_PADS);
  for (guint k = 0; k < RCC_SEND_PADS; k++)
    g_assert_cmpuint (r->s.pads[k].life, ==, k * MS);
  put_frame (r, 3, 400, true);
  run (r, r->now + 10 * S);
  rig_free (r);
}

/* --- what falls ----------------------------------------------------------- */

static void
nothing_falls_before_two_seconds (void)
{
  Rig *r = rig_new (60000);

  for (guint i = 0; i < 40; i++) {
    put_frame (r, 2, 500, i == 0);
    run (r, r->now + 48 * MS);
  }
  g_assert_cmpuint (r->now, <, 3 * S);
  g_assert_cmpuint (r->dropped, ==, 0);
  g_assert_cmpuint (rcc_send_key_requests (&r->s), ==, 0);
  run (r, r->now + 2 * S);
  g_assert_cmpuint (r->dropped, >, 0);
  rig_free (r);
}

/* Whole frames fall, up to the key frame; the rest goes on without a gap, and one key
 * frame is asked for. */
static void
what_falls_is_whole_frames_up_to_a_key_frame (void)
{
  Rig *r = rig_new (0);
  guint32 last = 0;

  put_frame (r, 3, 500, true);
  rcc_send_rate (&r->s, 1000000, r->now);
  run (r, r->now + 50 * MS);
  rcc_send_rate (&r->s, 0, r->now);     /* nothing leaves */
  for (guint i = 0; i < 10; i++)
    put_frame (r, 3, 500, false);
  r->now += 2100 * MS;
  put_frame (r, 3, 500, false);
  g_assert_cmpuint (r->dropped, ==, 33);        /* the last one builds upon the others */
  g_assert_cmpuint (rcc_send_key_requests (&r->s), ==, 1);
  r->now += 500 * MS;
  put_frame (r, 3, 500, false);
  g_assert_cmpuint (r->dropped, ==, 36);
  g_assert_cmpuint (rcc_send_key_requests (&r->s), ==, 0);
  put_frame (r, 3, 500, true);
  put_frame (r, 3, 500, false);
  rcc_send_rate (&r->s, 1000000, r->now);
  run (r, r->now + S);
  g_assert_cmpuint (r->left->len, ==, 9);
  assert_no_gap (r, VIDEO);
  for (guint i = 0; i < 9; i++) {
    const guint32 timestamp = rcc_be32 (nth (r, i)->packet.data + 4);

    g_assert_true (i % 3 != 0 || timestamp != last);
    g_assert_true (i % 3 == 0 || timestamp == last);
    last = timestamp;
  }
  g_assert_cmpuint (r->s.key_requests, ==, 1);
  rig_free (r);
}

/* A frame of which some has left is finished, however late. */
static void
a_frame_that_has_begun_is_finished (void)
{
  Rig *r = rig_new (1000000);

  put_frame (r, 5, 1000, true);
  put_frame (r, 5, 1000, false);
  run (r, r->now + 10 * MS);
  g_assert_cmpuint (r->left->len, ==, 2);
  r->now += 5 * S;                      /* downstream was stalled */
  run (r, r->now + 100 * MS);
  g_assert_cmpuint (r->left->len, ==, 5);
  g_assert_cmpuint (r->dropped, ==, 5);
  g_assert_cmpuint (assert_no_gap (r, VIDEO), ==, 5);
  rig_free (r);
}

/* Where even that cannot be, the receiver has to see it: the next number is left out. */
static void
a_broken_frame_shows (void)
{
  Rig *r = rig_new (1000000);
  guint16 former;

  put_frame (r, 3, 1000, true);
  run (r, r->now + 10 * MS);
  g_assert_cmpuint (r->left->len, ==, 2);
  rcc_send_rate (&r->s, 0, r->now);
  r->s.sbpn.config.max_bytes = 1000;
  put_frame (r, 1, 1000, true);         /* falls before what has begun */
  g_assert_cmpuint (r->dropped, ==, 1);
  r->s.sbpn.config.max_bytes = 500;
  put_frame (r, 1, 500, true);
  g_assert_cmpuint (r->dropped, >=, 2);
  r->s.sbpn.config.max_bytes = 0;
  put_frame (r, 1, 500, true);
  rcc_send_rate (&r->s, 1000000, r->now);
  run (r, r->now + S);
  g_assert_cmpuint (nth (r, 1)->seq, ==, 1);
  g_assert_cmpuint (nth (r, 2)->seq, ==, 3);
  g_assert_false (rcc_send_request (&r->s, VIDEO, 2, false, r->now, &former));
  rig_free (r);
}

/* --- retransmissions ------------------------------------------------------ */

/* A browser asks for each gap ten times; what fell here nobody can ask for. */
static void
each_gap_is_filled_once (void)
{
  Rig *r = rig_new (1000000);
  guint heard = 0, copies = 0;
  guint16 former;

  put_frame (r, 20, 1000, true);
  run (r, r->now + 200 * MS);
  rcc_send_rtt (&r->s, 100 * MS, r->now);
  for (guint round = 0; round < 10; round++) {
    for (guint16 seq = 0; seq < 40; seq += 4) {
      if (!rcc_send_request (&r->s, VIDEO, seq, false, r->now, &former))
        continue;
      heard++;
      g_assert_cmpuint (former, ==, seq);
      put_copy (r, former, 1000);
    }
    run (r, r->now + 9 * MS);
  }
  for (guint i = 0; i < r->left->len; i++)
    copies += nth (r, i)->packet.ssrc == RTX;
  g_assert_cmpuint (heard, ==, 5);
  g_assert_cmpuint (copies, ==, 5);
  g_assert_cmpuint (r->s.rtx.repeated, ==, 45);
  g_assert_cmpuint (r->s.rtx.unknown, ==, 50);  /* 20 and up were never sent */
  g_assert_false (rcc_send_request (&r->s, 0xdead, 3, false, r->now, &former));
  g_assert_cmpuint (r->dropped, ==, 0);
  rig_free (r);
}

/* The copy says by which number its packet left. */
static void
copies_speak_of_what_left (void)
{
  Rig *r = rig_new (0);
  guint16 former;

  put_frame (r, 1, 1000, true);
  rcc_send_rate (&r->s, 1000000, r->now);
  run (r, r->now + 50 * MS);
  rcc_send_rate (&r->s, 0, r->now);
  put_frame (r, 4, 1000, true);
  r->now += 2100 * MS;
  rcc_send_rate (&r->s, 1000000, r->now);
  run (r, r->now);
  put_frame (r, 1, 1000, true);         /* came as 5, leaves as 1 */
  run (r, r->now + 50 * MS);
  g_assert_cmpuint (nth (r, 1)->seq, ==, 1);
  g_assert_true (rcc_send_request (&r->s, VIDEO, 1, false, r->now, &former));
  g_assert_cmpuint (former, ==, 5);
  put_copy (r, 5, 1000);
  run (r, r->now + 50 * MS);
  g_assert_cmpuint (nth (r, 2)->packet.ssrc, ==, RTX);
  g_assert_cmpuint (rcc_be16 (nth (r, 2)->packet.data + 12), ==, 1);
  rig_free (r);
}

/* Nobody upstream has padding. Its copy is another packet's, without the payload. */
static void
lost_padding_is_mended (void)
{
  Rig *r = rig_new (1000000);
  guint16 padding[40], formers[8], other;
  guint first, n = 0;

  put_frame (r, 20, 1000, true);
  run (r, r->now + 200 * MS);
  rcc_send_rtt (&r->s, 100 * MS, r->now);
  rcc_send_act (&r->s, (RccUpdate) { .changed = RCC_PROBE, .probe_bps = 4000000,
    .probe_bytes = 8000, .probe_id = 3 }, r->now);
  put_frame (r, 1, 1000, true);
  run (r, r->now + 100 * MS);
  for (guint i = 0; i < r->left->len; i++)
    if (nth (r, i)->padding)
      padding[n++] = nth (r, i)->seq;
  g_assert_cmpuint (n, >=, 8);
  first = r->left->len;
  for (guint i = 0; i < 8; i++) {
    g_assert_true (rcc_send_request (&r->s, VIDEO, padding[i], false, r->now, &formers[i]));
    g_assert_false (rcc_send_request (&r->s, VIDEO, padding[i], false, r->now + MS, &other));
    put_copy (r, formers[i], 1000);
  }
  run (r, r->now + 100 * MS);
  g_assert_cmpuint (r->left->len, ==, first + 8);
  for (guint i = 0; i < 8; i++) {
    const Left *l = nth (r, first + i);

    g_assert_cmpuint (l->packet.ssrc, ==, RTX);
    g_assert_cmpuint (l->size, ==, 14);
    g_assert_false (l->padding);
    g_assert_cmpuint (rcc_be16 (l->packet.data + 12), ==, padding[i]);
  }
  /* once more, as the copy may get lost, too */
  r->now += 100 * MS;
  g_assert_true (rcc_send_request (&r->s, VIDEO, padding[0], false, r->now, &formers[0]));
  put_copy (r, formers[0], 13);         /* shorter than its number: it grows by nothing */
  run (r, r->now + 100 * MS);
  g_assert_cmpuint (nth (r, r->left->len - 1)->size, ==, 13);
  rig_free (r);
}

/* The path falls to a fifth, and more is lost than it could carry again in time: a browser would
 * wait for what never comes. */
static void
a_key_frame_mends_what_copies_cannot (void)
{
  Rig *r = rig_new (2500000);
  guint heard = 0;
  guint16 former, newest;

  put_frame (r, 10, 1000, true);
  for (guint i = 0; i < 10; i++) {
    run (r, r->now + 40 * MS);
    put_frame (r, 10, 1000, false);
  }
  run (r, r->now + 100 * MS);
  rcc_send_rtt (&r->s, 100 * MS, r->now);
  rcc_send_act (&r->s, (RccUpdate) { .changed = RCC_TARGET | RCC_PACING, .target_bps = 500000,
    .pacing_bps = 500000 }, r->now);
  for (guint16 seq = 40; seq < 100; seq++) {
    if (rcc_send_request (&r->s, VIDEO, seq, false, r->now, &former)) {
      put_copy (r, former, 1000);
      heard++;
    }
    run (r, r->now + MS);
  }
  /* 150 ms of 500 kbit/s, and what left meanwhile */
  g_assert_cmpuint (heard, >=, 9);
  g_assert_cmpuint (heard, <=, 12);
  g_assert_cmpuint (rcc_send_key_requests (&r->s), ==, 1);
  g_assert_cmpuint (r->s.rtx.given_up, ==, 60 - heard);

  put_frame (r, 2, 1000, false);        /* the encoder had made it already */
  put_frame (r, 6, 1000, true);
  newest = (guint16) (r->seq[1] - 1);
  run (r, r->now + 400 * MS);
  for (guint16 seq = 40; seq < newest - 5; seq++)
    g_assert_false (rcc_send_request (&r->s, VIDEO, seq, false, r->now, &former));
  g_assert_cmpuint (rcc_send_key_requests (&r->s), ==, 0);
  g_assert_true (rcc_send_request (&r->s, VIDEO, newest, false, r->now, &former));
  g_assert_cmpuint (r->dropped, ==, 0);
  rig_free (r);
}

/* Where no key frame comes it is asked for again, and what leaves since is repaired. */
static void
a_deaf_encoder_is_asked_again (void)
{
  Rig *r = rig_new (500000);
  guint16 former, newest;

  put_frame (r, 1, 1000, true);
  put_frame (r, 1, 1000, false);
  run (r, r->now + 100 * MS);
  rcc_send_rtt (&r->s, 100 * MS, r->now);
  r->now += 1500 * MS;
  g_assert_false (rcc_send_request (&r->s, VIDEO, 1, false, r->now, &former));
  g_assert_cmpuint (rcc_send_key_requests (&r->s), ==, 1);
  r->now += 500 * MS;
  put_frame (r, 1, 1000, false);
  newest = (guint16) (r->seq[1] - 1);
  run (r, r->now + 100 * MS);
  g_assert_false (rcc_send_request (&r->s, VIDEO, 1, false, r->now, &former));
  g_assert_cmpuint (rcc_send_key_requests (&r->s), ==, 0);
  g_assert_true (rcc_send_request (&r->s, VIDEO, newest, false, r->now, &former));
  r->now += 500 * MS;
  g_assert_false (rcc_send_request (&r->s, VIDEO, 1, false, r->now, &former));
  g_assert_cmpuint (rcc_send_key_requests (&r->s), ==, 1);
  rig_free (r);
}

/* Who knows the media's SSRC and numbers asks for what is too old, 20 times a second, and the
 * encoder obeys. */
static void
forged_requests_make_a_key_frame_a_second (void)
{
  Rig *r = rig_new (500000);
  guint keys = 0;
  guint16 former;

  rcc_send_rtt (&r->s, 100 * MS, r->now);
  for (guint i = 0; i < 200; i++) {
    const gboolean key = rcc_send_key_requests (&r->s) > 0;

    keys += key;
    put_frame (r, 1, 1000, i == 0 || key);
    run (r, r->now + 50 * MS);
    if (i > 30)
      rcc_send_request (&r->s, VIDEO, (guint16) (r->seq[1] - 25), false, r->now, &former);
  }
  g_assert_cmpuint (keys, >=, 2);
  g_assert_cmpuint (keys, <=, 9);
  rig_free (r);
}

/* Copies that nobody asked for, without end: they are bounded, and video is not. */
static void
copies_have_a_budget (void)
{
  Rig *r = rig_new (1000000);
  guint copies = 0, frames = 0;

  for (guint i = 0; i < 1000; i++) {    /* 10 s: 8 Mbit/s of copies, 0.4 of video */
    for (guint k = 0; k < 10; k++)
      put_copy (r, (guint16) (i + k), 1000);
    if (i % 2 == 0)
      put_frame (r, 1, 1000, true);
    run (r, r->now + 10 * MS);
  }
  for (guint i = 0; i < r->left->len; i++)
    *(nth (r, i)->packet.ssrc == RTX ? &copies : &frames) += 1;
  g_assert_cmpuint (copies, <=, 500000 * 11 / 8000);
  g_assert_cmpuint (copies, >=, 500000 * 9 / 8000);
  g_assert_cmpuint (frames, >=, 495);
  g_assert_cmpuint (r->s.dropped_media, ==, 0);
  rig_free (r);
}

/* --- controllers ---------------------------------------------------------- */

typedef struct {
  RccSender sender;
  guint64 window;
  guint reported;
  gint64 last;
  gboolean marker;
  guint64 most_backlog;
} Window;

static RccUpdate
window_sent (RccSender *sender, const RccPacket *packet)
{
  Window *w = (Window *) sender;

  w->reported++;
  g_assert_cmpint (packet->seq, ==, w->last + 1);
  w->last = packet->seq;
  w->marker = (packet->flags & RCC_PACKET_MARKER) != 0;
  w->most_backlog = MAX (w->most_backlog, sender->backlog->bytes);
  g_assert_cmpuint (packet->size, <=, w->window);
  w->window -= packet->size;
  return (RccUpdate) { 0 };
}

static uint64_t
window_allowance (const RccSender *sender, RccTime now)
{
  return ((const Window *) sender)->window;
}

/* A window on what is in flight: asked before each packet, told of each, and it can read
 * what waits. */
static void
a_controller_can_hold_packets_back (void)
{
  static const RccSenderOps ops = { .name = "window", .on_sent = window_sent,
    .allowance = window_allowance };
  Window w = { .sender = { .ops = &ops }, .window = 2500, .last = -1 };
  Rig *r = rig_new (10000000);

  rcc_send_attach (&r->s, &w.sender);
  put_frame (r, 5, 1000, true);
  g_assert_cmpuint (w.sender.backlog->packets, ==, 5);
  g_assert_cmpuint (w.sender.backlog->since, ==, r->now);
  run (r, r->now + 100 * MS);
  g_assert_cmpuint (r->left->len, ==, 2);
  g_assert_cmpuint (w.sender.backlog->bytes, ==, 3000);
  w.window += 3000;
  run (r, r->now);
  g_assert_cmpuint (r->left->len, ==, 5);
  g_assert_true (w.marker);
  g_assert_cmpuint (w.most_backlog, ==, 5000);
  g_assert_cmpuint (w.sender.backlog->packets, ==, 0);
  g_assert_cmpuint (w.sender.backlog->since, ==, RCC_NEVER);
  rig_free (r);
}

static RccUpdate
ask_for_less (RccSender *sender, RccTime now)
{
  return (RccUpdate) { .changed = RCC_TARGET, .target_bps = 700000 };
}

static RccUpdate
ask_with_packet (RccSender *sender, const RccPacket *packet)
{
  return packet->size > 500 ? ask_for_less (sender, packet->sent) : (RccUpdate) { 0 };
}

/* No more than the owner's, and paced at half of it. */
static RccUpdate
bound (void *owner, RccUpdate answer, RccTime now)
{
  answer.changed |= RCC_PACING;
  answer.target_bps = MIN (answer.target_bps, *(const guint *) owner);
  answer.pacing_bps = answer.target_bps / 2;
  return answer;
}

/* Whatever it was that the controller answered to. */
static void
the_owner_amends_what_the_controller_says (void)
{
  static const RccSenderOps ops = { .name = "less", .on_sent = ask_with_packet,
    .on_deadline = ask_for_less };
  RccSender controller = { .ops = &ops };
  guint most = 400000;
  Rig *r = rig_new (1000000);

  rcc_send_attach (&r->s, &controller);
  g_assert_cmpuint (rcc_tell (&r->s.sender, on_deadline, r->now).target_bps, ==, 700000);
  g_assert_cmpuint (r->s.pacer.bps, ==, 1000000);
  r->s.amend = bound;
  r->s.owner = &most;
  g_assert_cmpuint (rcc_tell (&r->s.sender, on_deadline, r->now).target_bps, ==, 400000);
  g_assert_cmpuint (r->s.target_bps, ==, 400000);
  g_assert_cmpuint (r->s.pacer.bps, ==, 200000);
  most = 300000;
  put_frame (r, 1, 100, true);
  run (r, r->now + 50 * MS);
  g_assert_cmpuint (r->s.pacer.bps, ==, 200000);        /* it said nothing */
  put_frame (r, 1, 1000, true);
  run (r, r->now + 50 * MS);
  g_assert_cmpuint (r->s.pacer.bps, ==, 150000);
  rig_free (r);
}

static void
the_encoder_hears_of_a_backlog (void)
{
  Rig *r;

  config.backlog_from = 100 * MS;
  config.backlog_over = 500 * MS;
  r = rig_new (800000);
  g_assert_cmpuint (rcc_send_encoder_bps (&r->s, 800000), ==, 800000);
  put_frame (r, 10, 1000, true);        /* 100 ms of it */
  g_assert_cmpuint (rcc_send_encoder_bps (&r->s, 800000), ==, 800000);
  put_frame (r, 10, 1000, true);
  g_assert_cmpuint (rcc_send_encoder_bps (&r->s, 800000), ==, 800000 - 160000);
  put_frame (r, 100, 1000, true);
  g_assert_cmpuint (rcc_send_encoder_bps (&r->s, 800000), ==, 400000);
  rig_free (r);
  config = rcc_send_config ();
}

/* Copies count within the target. */
static void
the_encoder_hears_of_retransmissions (void)
{
  Rig *r = rig_new (800000);

  r->s.target_bps = 800000;
  g_assert_cmpuint (rcc_send_rtx_bps (&r->s, 800000, 0), ==, 0);
  g_assert_false (rcc_send_report_again (&r->s, 0));
  for (guint i = 0; i < 10; i++)
    rcc_rtx_left (&r->s.rtx, (guint16) i, 1250, false, 100 * MS);
  g_assert_cmpuint (rcc_send_rtx_bps (&r->s, 800000, 100 * MS), ==, 100000);
  g_assert_cmpuint (rcc_send_rtx_bps (&r->s, 100000, 100 * MS), ==, 50000);
  g_assert_true (rcc_send_report_again (&r->s, 100 * MS));
  g_assert_false (rcc_send_report_again (&r->s, 100 * MS));
  /* a second later there are none */
  g_assert_true (rcc_send_report_again (&r->s, 1200 * MS));
  g_assert_cmpuint (rcc_send_rtx_bps (&r->s, 800000, 1200 * MS), ==, 0);
  rig_free (r);
}

/* A key frame of 40 kB at 400 kbit/s: 760 ms at 1.05 times the rate. */
static void
a_long_queue_drains (void)
{
  RccTime out[2];

  for (guint i = 0; i < 2; i++) {
    Rig *r;

    config.drain = i * 600 * MS;
    r = rig_new (420000);
    put_frame (r, 40, 1000, true);
    run (r, r->now + S);
    g_assert_cmpuint (r->left->len, ==, 40);
    out[i] = nth (r, 39)->at - S;
    rig_free (r);
  }
  g_assert_cmpuint (out[0], >=, 730 * MS);
  g_assert_cmpuint (out[1], <=, 620 * MS);
  g_assert_cmpuint (out[1], >=, 740 * MS * 4 / 5);      /* never faster than that */
  config = rcc_send_config ();
}

/* --- clocks --------------------------------------------------------------- */

static void
late_wakes_cost_nothing (void)
{
  for (RccTime late = 0; late <= 30 * MS; late += 10 * MS) {
    Rig *r = rig_new (1000000);

    for (guint i = 0; i < 300; i++) {   /* 10 s of 30 frames: .98 of the rate */
      put_frame (r, 4, 1020, i % 100 == 0);
      run_late (r, S + (i + 1) * S / 30, late);
    }
    run_late (r, r->now + 100 * MS, late);
    g_assert_cmpuint (r->left->len, ==, 1200);
    g_assert_cmpuint (r->dropped, ==, 0);
    rig_free (r);
  }
}

/* Whatever happens, each packet comes back once, numbers are given once and in order, and
 * the owner is never told to spin. */
static void
random_events_keep_it_sane (void)
{
  RccRng rng;

  rcc_rng_init (&rng, 11, 2);
  for (guint round = 0; round < 60; round++) {
    Rig *r;
    guint16 former;

    config.scheduled = round % 3 == 2;
    config.drain = round % 2 * S;
    config.scheduler.max_packets = round % 5 == 0 ? 20 : 0;
    r = rig_new (20000 << rcc_rng_u32 (&rng) % 8);
    for (guint32 k = 0; config.scheduled && k < 2; k++)
      rcc_sbpn_set_class (&r->s.sbpn, k, &(RccSbpnClassConfig) { .priority = k, .weight = 1,
        .whole_frames = k, .up_to_key = k });
    for (guint i = 0; i < 2000; i++) {
      const guint32 dice = rcc_rng_u32 (&rng) % 100, any = rcc_rng_u32 (&rng);

      if (dice < 30)
        put_frame (r, 1 + any % 8, 100 + any % 1300, any % 16 == 0);
      else if (dice < 50)
        put_audio (r);
      else if (dice < 60 && rcc_send_request (&r->s, VIDEO, (guint16) (r->seq[1] - any % 50), any & 64,
              r->now, &former))
        put_copy (r, former, 1000);
      else if (dice < 65)
        rcc_send_rate (&r->s, dice == 64 ? UINT32_MAX : any % 3000000, r->now);
      else if (dice < 67)
        rcc_send_act (&r->s, (RccUpdate) { .changed = RCC_PROBE, .probe_bps = any % 5000000,
          .probe_bytes = any % 20000, .probe_id = i + 1 }, r->now);
      else
        run (r, r->now + any % (60 * MS) + (dice == 99 ? 3 * S : 0));
      if (dice == 98)
        r->seq[1] = (guint16) any;      /* it begins anew */
      g_assert_cmpuint (r->s.pacer.queued_packets, ==,
          r->s.sbpn.queue.total.queued.packets);
    }
    rig_free (r);
  }
  config = rcc_send_config ();
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  config = rcc_send_config ();
  g_test_add_func ("/path/audio-before-copies-before-video-before-padding",
      audio_before_copies_before_video_before_padding);
  g_test_add_func ("/path/audio-never-falls-for-video", audio_never_falls_for_video);
  g_test_add_func ("/path/pads-are-made-by-need", pads_are_made_by_need);
  g_test_add_func ("/path/nothing-falls-before-two-seconds", nothing_falls_before_two_seconds);
  g_test_add_func ("/path/what-falls-is-whole-frames-up-to-a-key-frame",
      what_falls_is_whole_frames_up_to_a_key_frame);
  g_test_add_func ("/path/a-frame-that-has-begun-is-finished",
      a_frame_that_has_begun_is_finished);
  g_test_add_func ("/path/a-broken-frame-shows", a_broken_frame_shows);
  g_test_add_func ("/path/each-gap-is-filled-once", each_gap_is_filled_once);
  g_test_add_func ("/path/copies-speak-of-what-left", copies_speak_of_what_left);
  g_test_add_func ("/path/lost-padding-is-mended", lost_padding_is_mended);
  g_test_add_func ("/path/a-key-frame-mends-what-copies-cannot",
      a_key_frame_mends_what_copies_cannot);
  g_test_add_func ("/path/forged-requests-make-a-key-frame-a-second",
      forged_requests_make_a_key_frame_a_second);
  g_test_add_func ("/path/a-deaf-encoder-is-asked-again", a_deaf_encoder_is_asked_again);
  g_test_add_func ("/path/copies-have-a-budget", copies_have_a_budget);
  g_test_add_func ("/path/a-controller-can-hold-packets-back",
      a_controller_can_hold_packets_back);
  g_test_add_func ("/path/the-owner-amends-what-the-controller-says",
      the_owner_amends_what_the_controller_says);
  g_test_add_func ("/path/the-encoder-hears-of-a-backlog", the_encoder_hears_of_a_backlog);
  g_test_add_func ("/path/the-encoder-hears-of-retransmissions",
      the_encoder_hears_of_retransmissions);
  g_test_add_func ("/path/a-long-queue-drains", a_long_queue_drains);
  g_test_add_func ("/path/late-wakes-cost-nothing", late_wakes_cost_nothing);
  g_test_add_func ("/path/random-events-keep-it-sane", random_events_keep_it_sane);
  return g_test_run ();
}
