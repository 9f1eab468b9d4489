/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A driver on a test clock, with a core that notes what it hears.
 */
#ifndef TEST_DRIVER_RIG_H
#define TEST_DRIVER_RIG_H

#include "rig.h"

#include "rtpcc/common/driver.h"

/* A core that notes what it hears, and an element around it. */
typedef struct {
  RccSender sender;             /* first: cast from RccSender */
  RccTime deadline, next_deadline;
  RccTime now;                  /* of the last hook */
  guint rembs, deadlines, inits;
  guint32 target;               /* answered by every hook; 0: no update */
  guint32 remb;
} Fake;

typedef struct {
  GstElement *element;
  GstTestClock *clock;
  GstRtpCcDriver *driver;
  Fake fake;
  GArray *applied;              /* target_bps in order */
  guint32 acted;                /* by the last act() */
  RccTime acted_at;
  void (*on_apply) (gpointer);
} Fixture;

#define pending(f) next_due ((f)->clock)

/* NONE while it is stopped. */
static G_GNUC_UNUSED GstClockTime
driver_now (GstRtpCcDriver *driver)
{
  const GstClockTime now = gst_rtp_cc_driver_lock (driver);

  gst_rtp_cc_driver_unlock (driver);
  return now;
}

/* Elements know their fixture by this; init() and apply() take no user data. */
static G_GNUC_UNUSED Fixture *
fixture_of (GstElement *element)
{
  return g_object_get_data (G_OBJECT (element), "fixture");
}

static G_GNUC_UNUSED RccUpdate
heard (Fake *fake, RccTime now)
{
  fail_unless (now >= fake->now, "now ran backwards");
  fake->now = now;
  if (fake->target == 0)
    return (RccUpdate) { 0 };
  return (RccUpdate) {.changed = RCC_TARGET,.target_bps = fake->target,.reason =
        "test" };
}

#define FAKE(s) ((Fake *) (s))

static G_GNUC_UNUSED RccUpdate
fake_remb (RccSender *s, uint32_t bps, RccTime now)
{
  FAKE (s)->rembs++;
  FAKE (s)->remb = bps;
  return heard (FAKE (s), now);
}

static G_GNUC_UNUSED RccUpdate
fake_on_deadline (RccSender *s, RccTime now)
{
  fail_unless (now >= FAKE (s)->deadline, "woken before the deadline");
  FAKE (s)->deadlines++;
  FAKE (s)->deadline = FAKE (s)->next_deadline;
  return heard (FAKE (s), now);
}

static G_GNUC_UNUSED RccTime
fake_deadline (const RccSender *s)
{
  return ((const Fake *) s)->deadline;
}

static const RccSenderOps fake_ops = {
  .name = "fake",.on_remb = fake_remb,
  .on_deadline = fake_on_deadline,.deadline = fake_deadline
};
static const RccSenderOps deaf_ops = {.name = "deaf" };

static G_GNUC_UNUSED RccUpdate
init (GstElement *element, RccTime now)
{
  Fixture *f = fixture_of (element);

  f->fake.inits++;
  f->fake.now = 0;
  return (RccUpdate) { 0 };
}

/* Nothing happens to the core between this and apply(). */
static G_GNUC_UNUSED void
act (GstElement *element, const RccUpdate *update, RccTime now)
{
  Fixture *f = fixture_of (element);

  f->acted = update->target_bps;
  f->acted_at = now;
}

static G_GNUC_UNUSED void
apply (GstElement *element, const RccUpdate *update)
{
  Fixture *f = fixture_of (element);

  fail_unless_equals_int (f->acted, update->target_bps);
  g_array_append_val (f->applied, update->target_bps);
  if (f->on_apply)
    f->on_apply (f);
}

static const GstRtpCcDriverFuncs funcs = { init, act, apply };

/* Something happens. */
static G_GNUC_UNUSED void
tell (GstRtpCcDriver *driver, guint32 bps)
{
  RccTime now;
  RccSender *sender = gst_rtp_cc_driver_enter (driver, &now);

  if (sender) {
    const RccUpdate update = rcc_tell (sender, on_remb, bps, now);

    gst_rtp_cc_driver_leave (driver, &update);
  }
}

static G_GNUC_UNUSED void
setup (Fixture *f)
{
  *f = (Fixture) {.fake = {.sender = {&fake_ops},.deadline = RCC_NEVER,
          .next_deadline = RCC_NEVER}
  };
  f->element = gst_object_ref_sink (g_object_new (GST_TYPE_BIN, NULL));
  g_object_set_data (G_OBJECT (f->element), "fixture", f);
  f->clock = GST_TEST_CLOCK (gst_test_clock_new_with_start_time (GST_SECOND));
  gst_element_set_clock (f->element, GST_CLOCK (f->clock));
  f->applied = g_array_new (FALSE, FALSE, sizeof (guint32));
  f->driver = gst_rtp_cc_driver_new (f->element, &f->fake.sender, &funcs);
}

static G_GNUC_UNUSED void
teardown (Fixture *f)
{
  gst_rtp_cc_driver_free (f->driver);
  gst_object_unref (f->element);
  gst_object_unref (f->clock);
  g_array_unref (f->applied);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Fixture, teardown)

/* A hook that moves the deadline. */
static G_GNUC_UNUSED void
move_deadline (Fixture *f, RccTime deadline)
{
  f->fake.deadline = deadline;
  tell (f->driver, 1);
}

#endif
