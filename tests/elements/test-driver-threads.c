/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The driver called from several threads, from inside apply(), and while it goes.
 */
#include "driver-rig.h"

typedef struct {
  Fixture *f;
  guint32 *count;
  guint times;
} Hammer;

static gpointer
hammer (gpointer data)
{
  Hammer *h = data;

  for (guint i = 0; i < h->times; i++) {
    RccUpdate update = {.changed = RCC_TARGET };
    RccTime now;

    fail_unless (gst_rtp_cc_driver_enter (h->f->driver, &now) != NULL);
    update.target_bps = ++*h->count;
    gst_rtp_cc_driver_leave (h->f->driver, &update);
  }
  return NULL;
}

static gint inside_apply;

/* The lock is free in here, and nobody else is. */
static void
take_lock_in_apply (gpointer data)
{
  Fixture *f = data;

  fail_unless_equals_int (g_atomic_int_add (&inside_apply, 1), 0);
  gst_rtp_cc_driver_lock (f->driver);
  gst_rtp_cc_driver_unlock (f->driver);
  g_thread_yield ();
  g_atomic_int_add (&inside_apply, -1);
}

TEST (test_order_of_concurrent_updates)
{
  g_auto (Fixture) f;
  guint32 count = 0, last = 0;
  Hammer h = { &f, &count, 5000 };
  GThread *threads[3];
  guint i;

  setup (&f);
  f.on_apply = take_lock_in_apply;
  gst_rtp_cc_driver_start (f.driver);
  for (i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("hammer", hammer, &h);
  for (i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);

  assert_equals_int (count, 15000);
  fail_unless (f.applied->len > 0 && f.applied->len <= count);
  for (i = 0; i < f.applied->len; i++) {
    guint32 target = g_array_index (f.applied, guint32, i);

    fail_unless (target > last, "%u applied after %u", target, last);
    last = target;
  }
  /* Updates may be merged, the last word may not get lost. */
  assert_equals_int (last, count);
}

/* An application that answers an update with a setting: 40 updates, each made
 * inside the apply() of the first, more than the queue holds. */
static void
call_in_apply (gpointer data)
{
  Fixture *f = data;

  if (f->applied->len == 1) {
    for (guint i = 2; i <= 40; i++) {
      f->fake.target = i;
      tell (f->driver, i);
    }
    fail_unless_equals_int (f->applied->len, 1);
  }
}

TEST (test_calls_from_apply)
{
  g_auto (Fixture) f;
  guint i;

  setup (&f);
  f.on_apply = call_in_apply;
  gst_rtp_cc_driver_start (f.driver);
  f.fake.target = 1;
  tell (f.driver, 1);
  assert_equals_int (f.fake.rembs, 40);
  assert_equals_int (f.applied->len, 17);
  for (i = 0; i < 16; i++)
    assert_equals_int (g_array_index (f.applied, guint32, i), i + 1);
  assert_equals_int (g_array_index (f.applied, guint32, 16), 40);
}

static void
stop_in_apply (gpointer data)
{
  Fixture *f = data;

  tell (f->driver, 1);
  gst_rtp_cc_driver_stop (f->driver);
}

TEST (test_stop_from_apply)
{
  g_auto (Fixture) f;

  setup (&f);
  f.on_apply = stop_in_apply;
  gst_rtp_cc_driver_start (f.driver);
  f.fake.target = 1;
  tell (f.driver, 1);
  assert_equals_int (f.applied->len, 1);
  tell (f.driver, 1);
  assert_equals_int (f.fake.rembs, 2);
}

typedef struct {
  Fixture f;
  GMutex lock;
  GCond cond;
  gboolean entered, open, stopped, left;
} Gate;

static void
wait_at_gate (gpointer data)
{
  Gate *g = data;

  g_mutex_lock (&g->lock);
  g->entered = TRUE;
  g_cond_broadcast (&g->cond);
  while (!g->open)
    g_cond_wait (&g->cond, &g->lock);
  fail_if (g->stopped, "stop returned while apply was running");
  g->left = TRUE;
  g_mutex_unlock (&g->lock);
}

static gpointer
tell_remb (gpointer data)
{
  tell (((Gate *) data)->f.driver, 1);
  return NULL;
}

static gpointer
stop_driver (gpointer data)
{
  Gate *g = data;

  gst_rtp_cc_driver_stop (g->f.driver);
  g_mutex_lock (&g->lock);
  fail_unless (g->left);
  g->stopped = TRUE;
  g_mutex_unlock (&g->lock);
  return NULL;
}

TEST (test_stop_waits_for_apply)
{
  Gate g;
  GThread *teller, *stopper;

  setup (&g.f);
  g_mutex_init (&g.lock);
  g_cond_init (&g.cond);
  g.entered = g.open = g.stopped = g.left = FALSE;
  g.f.on_apply = wait_at_gate;
  g.f.fake.target = 1;
  gst_rtp_cc_driver_start (g.f.driver);

  teller = g_thread_new ("teller", tell_remb, &g);
  g_mutex_lock (&g.lock);
  while (!g.entered)
    g_cond_wait (&g.cond, &g.lock);
  g_mutex_unlock (&g.lock);
  stopper = g_thread_new ("stopper", stop_driver, &g);
  /* Once the driver has stopped its time is gone: stop() is waiting by then. */
  while (GST_CLOCK_TIME_IS_VALID (driver_now (g.f.driver)))
    g_thread_yield ();
  g_mutex_lock (&g.lock);
  g.open = TRUE;
  g_cond_broadcast (&g.cond);
  g_mutex_unlock (&g.lock);
  g_thread_join (stopper);
  g_thread_join (teller);
  assert_equals_int (g.f.applied->len, 1);

  teardown (&g.f);
  g_mutex_clear (&g.lock);
  g_cond_clear (&g.cond);
}

/* The element goes while a wake is on its way. */
TEST (test_finalised_with_a_wake_pending)
{
  Fixture f;
  GstClockID id;
  GWeakRef gone;

  setup (&f);
  gst_rtp_cc_driver_start (f.driver);
  move_deadline (&f, 2 * GST_SECOND);
  /* What the clock holds at the moment it fires. */
  fail_unless (gst_test_clock_peek_next_pending_id (f.clock, &id));
  gst_test_clock_set_time (f.clock, 2 * GST_SECOND);

  g_weak_ref_init (&gone, f.element);
  gst_rtp_cc_driver_free (f.driver);
  gst_object_unref (f.element);
  fail_if (g_weak_ref_get (&gone));
  g_weak_ref_clear (&gone);

  assert_equals_int (gst_test_clock_peek_id_count (f.clock), 0);
  gst_clock_id_unref (id);
  assert_equals_int (f.fake.deadlines, 0);
  gst_object_unref (f.clock);
  g_array_unref (f.applied);
}

/* The same against the system clock's own thread, 300 times over. */
TEST (test_finalised_while_the_system_clock_fires)
{
  guint i;

  for (i = 0; i < 300; i++) {
    Fixture f;
    GstClock *clock = gst_system_clock_obtain ();

    setup (&f);
    gst_element_set_clock (f.element, clock);
    f.fake.deadline = f.fake.next_deadline = gst_clock_get_time (clock);
    f.fake.target = 1;
    gst_rtp_cc_driver_start (f.driver);
    if (i % 2)
      g_thread_yield ();
    teardown (&f);
    gst_object_unref (clock);
  }
}

static GMutex entered_lock;
static GCond entered_cond;
static gboolean entered;

/* As an element's notification of a property: it takes the element's lock. */
static void
notify_slowly (gpointer user_data)
{
  Fixture *f = user_data;

  g_mutex_lock (&entered_lock);
  entered = TRUE;
  g_cond_signal (&entered_cond);
  g_mutex_unlock (&entered_lock);
  g_usleep (50000);
  g_object_notify (G_OBJECT (f->element), "name");
}

/* A pipeline gets another clock, and nobody else holds the one before, whose thread is inside
 * apply(). */
TEST (test_the_last_clock_goes_while_it_fires)
{
  for (guint i = 0; i < 3; i++) {
    Fixture f;
    GstClock *clock = g_object_new (GST_TYPE_SYSTEM_CLOCK, NULL);
    GstClock *other = g_object_new (GST_TYPE_SYSTEM_CLOCK, NULL);
    GWeakRef gone;

    setup (&f);
    g_weak_ref_init (&gone, clock);
    gst_element_set_clock (f.element, clock);
    f.fake.deadline = gst_clock_get_time (clock) + 20 * GST_MSECOND;
    f.fake.target = 1;
    f.on_apply = notify_slowly;
    entered = FALSE;
    gst_rtp_cc_driver_start (f.driver);
    gst_object_unref (clock);
    g_mutex_lock (&entered_lock);
    while (!entered)
      g_cond_wait (&entered_cond, &entered_lock);
    g_mutex_unlock (&entered_lock);
    gst_rtp_cc_driver_set_clock (f.driver, other);
    gst_element_set_clock (f.element, other);
    if (i == 1)                 /* and another one, so that the first goes at once */
      gst_rtp_cc_driver_set_clock (f.driver, GST_CLOCK (f.clock));
    gst_object_unref (other);
    teardown (&f);
    fail_if (g_weak_ref_get (&gone));
    g_weak_ref_clear (&gone);
  }
}

TEST_MAIN (driver_threads);
