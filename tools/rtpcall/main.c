/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * rtpcall: a live call whose bitrate follows the network; see call.h
 */
#include "call.h"

#include <glib-unix.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "about.h"
#include "breaker.h"
#include "drawpage.h"
#include "machine.h"
#include "monitor.h"
#include "repair.h"
#include "report.h"
#include "screen.h"

/* Exit statuses; --help names them. */
#define EXIT_ERROR 1
#define EXIT_USAGE 2
#define EXIT_STOPPED 3

static gboolean
on_interrupt (gpointer data)
{
  call_hang_up (data);
  return G_SOURCE_CONTINUE;
}

/* What demuxers say alone does not tell which film is meant. */
static GError *
error_of (Call *call, GstMessage *message)
{
  GError *error = NULL;

  gst_message_parse_error (message, &error, NULL);
  if (call->film && gst_object_has_as_ancestor (GST_MESSAGE_SRC (message),
          GST_OBJECT (call->decodebin)))
    g_prefix_error (&error, "%s cannot be played: ", call_film_name (call->options));
  return error;
}

/* What our own elements have to say to the user, such as of the peer; a decoder warns of each
 * picture that has lost a packet. */
static void
print_warning (GstMessage *message)
{
  GstElementFactory *factory = GST_IS_ELEMENT (GST_MESSAGE_SRC (message))
      ? gst_element_get_factory (GST_ELEMENT (GST_MESSAGE_SRC (message))) : NULL;
  g_autoptr (GError) warning = NULL;

  if (!factory || g_strcmp0 (gst_plugin_feature_get_plugin_name
          (GST_PLUGIN_FEATURE (factory)), "rtpcc") != 0)
    return;
  gst_message_parse_warning (message, &warning, NULL);
  g_printerr ("\nrtpcall: %s\n", warning->message);
}

static gboolean
on_bus (GstBus *bus, GstMessage *message, gpointer data)
{
  Call *call = data;

  switch (GST_MESSAGE_TYPE (message)) {
    case GST_MESSAGE_ERROR:
      call_end (call, error_of (call, message));
      break;
    case GST_MESSAGE_WARNING:
      print_warning (message);
      break;
    case GST_MESSAGE_EOS:
      call_end (call, NULL);
      break;
    case GST_MESSAGE_ELEMENT:
      if (!call->hanging_up)
        call_monitor_message (call->monitor, message);
      break;
    case GST_MESSAGE_LATENCY:
      gst_bin_recalculate_latency (GST_BIN (call->pipeline));
      break;
    default:
      break;
  }
  return G_SOURCE_CONTINUE;
}

static void
show_progress (CallMonitor *monitor, CallMonitor *received)
{
  CallSample now, back;

  call_monitor_now (monitor, &now);
  if (received)
    call_monitor_now (received, &back);
  call_screen_progress (&now, received ? &back : &now);
}

static gboolean
on_tick (gpointer data)
{
  Call *call = data;
  const CallOptions *o = call->options;

  if (call->hanging_up)
    return G_SOURCE_REMOVE;
  call_monitor_look (call->monitor);
  if (!o->quiet && !(call->other && o->mode == CALL_RECEIVE))
    show_progress (call->monitor, call->other ? call->other->monitor : NULL);
  if ((o->duration > 0 && call_monitor_seconds (call->monitor) >= o->duration)
      || call_breaker_ends_it (call, call_monitor_seconds (call->monitor)))
    call_hang_up (call);
  return G_SOURCE_CONTINUE;
}

/* What came of the parity, where both ends are here; else what each can say of it, and with a
 * number in each picture the packets. */
static gboolean
add_repair (Call *call, GError **error)
{
  const CallOptions *o = call->options;
  const gboolean measured = o->report && (o->stamp || (o->mode == CALL_RECEIVE && o->reference));
  FILE *log = NULL;

  if (o->mode != CALL_BOTH && measured
      && !(log = call_report_file (o->report, "packets.csv", call_repair_header, error)))
    return FALSE;
  if (log || (call_may_have_parity (o) && o->mode != CALL_RECEIVE))
    call->repair = call_repair_new (log);
  return TRUE;
}

static gboolean
build (Call *call, GError **error)
{
  const CallOptions *o = call->options;

  call->pipeline = gst_object_ref_sink (gst_pipeline_new ("rtpcall"));
  if ((o->mode != CALL_RECEIVE && !call_add_sender (call, error))
      || (o->mode != CALL_SEND && !call_add_receiver (call, error))
      || !call_add_transport (call, error))
    return FALSE;
  if (o->report && !(call->report = call_report_new (o->report, error)))
    return FALSE;
  call->about = call_about (call);
  if (!add_repair (call, error))
    return FALSE;
  call->monitor = call_monitor_new (call);
  return TRUE;
}

/* A clock that runs at another speed than the machine's, from now on. */
static void
skew_clock (Call *call)
{
  GstClock *clock = g_object_new (GST_TYPE_SYSTEM_CLOCK, "name", "skewed", NULL);
  const GstClockTime now = gst_clock_get_internal_time (clock);

  gst_object_ref_sink (clock);
  gst_clock_set_calibration (clock, now, now,
      (GstClockTime) (1000000 + call->options->skew_ppm), 1000000);
  gst_pipeline_use_clock (GST_PIPELINE (call->pipeline), clock);
  gst_object_unref (clock);
}

static void
start (Call *call)
{
  GstBus *bus = gst_element_get_bus (call->pipeline);
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();

  call->started = g_date_time_format_iso8601 (now);
  gst_bus_add_watch (bus, on_bus, call);
  gst_object_unref (bus);
  g_timeout_add_full (G_PRIORITY_HIGH, CALL_BIN / GST_MSECOND, on_tick, call, NULL);
  call->machine = call_machine_new (call->intake, call->encoder);
  if (call->options->skew_ppm)
    skew_clock (call);
  /* A failure also comes over the bus, with its reason. */
  gst_element_set_state (call->pipeline, GST_STATE_PLAYING);
}

static void
stop (Call *call)
{
  GstBus *bus = gst_element_get_bus (call->pipeline);

  call_machine_stop (call->machine, call->adapter);
  gst_bus_remove_watch (bus);
  gst_object_unref (bus);
  gst_element_set_state (call->pipeline, GST_STATE_NULL);
}

/* @call, and the other direction where there is one. */
static void
run (Call *call)
{
  g_unix_signal_add (SIGINT, on_interrupt, call);
  g_unix_signal_add (SIGTERM, on_interrupt, call);
  g_unix_signal_add (SIGHUP, on_interrupt, call);
  start (call);
  if (call->other)
    start (call->other);
  g_main_loop_run (call->loop);
  stop (call);
  if (call->other)
    stop (call->other);
}

static void
finish_report (Call *call, const CallOutcome *outcome)
{
  const CallOptions *o = call->options;

  if (call_report_finish (call->report, call, outcome, call->error ? NULL : &call->error)
      && !o->no_page && rcc_draw_page (o->report, NULL, call->error ? NULL : &call->error)
      && !o->quiet)
    printf ("\nreport: %s/report.html\n", o->report);
}

/* With an error too: what was measured until then. */
static CallOutcome
finish (Call *call)
{
  const CallOptions *o = call->options;
  CallOutcome outcome = { .machine = call_machine_figures (call->machine),
    .duration = call_monitor_seconds (call->monitor)
  };

  call_monitor_finish (call->monitor);
  if (call->repair && !call_repair_close (call->repair))
    call_fail (&call->error, "%s/packets.csv is not complete: is the disk full?", o->report);
  call_screen_break ();
  outcome.figures = call_monitor_figures (call->monitor);
  if (!o->quiet && !call->error)
    call_screen_summary (!call->other ? NULL : o->mode == CALL_SEND ? "What was sent"
        : "What was received", &outcome);
  if (!call->error && !(call->other && o->mode == CALL_RECEIVE))
    call_screen_warn (&outcome.machine);
  if (call->report && outcome.duration > 0)
    finish_report (call, &outcome);
  return outcome;
}

/* The call, and in it the direction that was received, where there are two. */
static void
print_json (const Call *call, const CallOutcome *outcome, const CallOutcome *received)
{
  RccJson j = rcc_json (stdout);

  rcc_json_object (&j, NULL);
  call_describe (&j, call, outcome);
  if (call->other) {
    rcc_json_object (&j, "received");
    call_describe (&j, call->other, received);
    rcc_json_end (&j);
  }
  rcc_json_end (&j);
}

static void
finish_all (Call *call)
{
  CallOutcome outcome = finish (call), received = { 0 };

  if (call->other)
    received = finish (call->other);
  if (call->options->json && !call->error && !(call->other && call->other->error))
    print_json (call, &outcome, &received);
  g_array_unref (outcome.figures);
  g_clear_pointer (&received.figures, g_array_unref);
}

static void
call_clear (Call *call)
{
  g_clear_pointer (&call->machine, call_machine_free);
  g_clear_pointer (&call->monitor, call_monitor_free);
  g_clear_pointer (&call->protector, call_protector_free);
  g_clear_pointer (&call->repair, call_repair_free);
  g_clear_pointer (&call->report, call_report_free);
  g_clear_pointer (&call->about, g_ptr_array_unref);
  g_clear_pointer (&call->started, g_free);
  if (call->pipeline)
    gst_element_set_state (call->pipeline, GST_STATE_NULL);
  gst_clear_object (&call->pipeline);
  g_clear_pointer (&call->film, call_film_free);
  g_clear_error (&call->error);
}

/* Messages may be of several lines; people get the first. */
static int
complain (const GError *error)
{
  g_autofree char *sentence = g_strndup (error->message, strcspn (error->message, "\n"));

  call_screen_complain (sentence);
  return EXIT_ERROR;
}

/* The direction in which the other end sends. */
static CallOptions
receiving (const CallOptions *options)
{
  CallOptions o = *options;

  o.mode = CALL_RECEIVE;
  o.port = options->listen;
  o.breaker = o.scheduler = NULL;
  o.stamp = FALSE;
  o.report = options->report ? g_build_filename (options->report, "received", NULL) : NULL;
  return o;
}

static int
make_call (CallOptions *options, GError **error)
{
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  Call call = { .options = options, .loop = loop }, back = { .loop = loop };
  CallOptions received = { 0 };
  gboolean good;

  if (options->listen) {
    received = receiving (options);
    back.options = &received;
    back.other = &call;
    call.other = &back;
  }
  good = build (&call, &call.error) && (!call.other || build (&back, &back.error));
  if (good) {
    run (&call);
    finish_all (&call);
  }
  *error = call.error ? g_steal_pointer (&call.error) : g_steal_pointer (&back.error);
  call_clear (&call);
  call_clear (&back);
  if (options->listen)
    g_free (received.report);
  return call.stops.count ? EXIT_STOPPED : 0;
}

int
main (int argc, char **argv)
{
  CallOptions options = { 0 };
  GError *error = NULL;
  int status = 0;

  setlocale (LC_ALL, "");
  gst_init (NULL, NULL);
  if (call_options_parse (&options, argc, argv, &error)) {
    status = make_call (&options, &error);
    if (error)
      status = complain (error);
  } else if (error) {
    complain (error);
    status = EXIT_USAGE;
  }
  g_clear_error (&error);
  call_options_clear (&options);
  return status;
}
