/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * rtpcall: a live call whose bitrate follows the network; see call.h
 */
#include "call.h"

#include <glib-unix.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "breaker.h"
#include "machine.h"
#include "monitor.h"
#include "repair.h"
#include "report.h"
#include "screen.h"

/* The time for the goodbye to reach the other end. */
#define HANG_UP_MS 300

/* Exit statuses; --help names them. */
#define EXIT_ERROR 1
#define EXIT_STOPPED 2

static gboolean
quit (gpointer data)
{
  g_main_loop_quit (data);
  return G_SOURCE_REMOVE;
}

/* Main thread.  The session says BYE when its media end. */
static gboolean
hang_up (gpointer data)
{
  Call *call = data;
  GstPad *pad = NULL;

  if (call->hanging_up)
    return G_SOURCE_REMOVE;
  call->hanging_up = TRUE;
  if (call->options->mode == CALL_SEND && !call->error)
    pad = gst_element_get_static_pad (call->send_rtpbin, "send_rtp_sink_0");
  if (pad) {
    gst_pad_send_event (pad, gst_event_new_eos ());
    gst_object_unref (pad);
  }
  g_timeout_add (pad ? HANG_UP_MS : 0, quit, call->loop);
  return G_SOURCE_REMOVE;
}

typedef struct {
  Call *call;
  GError *error;
} Ending;

static gboolean
end_in_main_thread (gpointer data)
{
  Ending *ending = data;
  Call *call = ending->call;

  if (ending->error && !call->error && !call->hanging_up)
    call->error = g_steal_pointer (&ending->error);
  hang_up (call);
  g_clear_error (&ending->error);
  g_free (ending);
  return G_SOURCE_REMOVE;
}

void
call_end (Call *call, GError *error)
{
  Ending *ending = g_new (Ending, 1);

  *ending = (Ending) { call, error };
  g_idle_add (end_in_main_thread, ending);
}

static gboolean
on_interrupt (gpointer data)
{
  hang_up (data);
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
    g_prefix_error (&error, "%s cannot be played: ", call->options->input);
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

static gboolean
on_tick (gpointer data)
{
  Call *call = data;
  const CallOptions *o = call->options;

  if (call->hanging_up)
    return G_SOURCE_REMOVE;
  call_monitor_look (call->monitor);
  if (!o->quiet && !o->csv)
    call_screen_progress (call->monitor);
  if ((o->duration > 0 && call_monitor_seconds (call->monitor) >= o->duration)
      || call_breaker_ends_it (call, call_monitor_seconds (call->monitor)))
    hang_up (call);
  return G_SOURCE_CONTINUE;
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
  if (o->report && !(call->report = call_report_new (o, error)))
    return FALSE;
  if (call_may_have_parity (o) && o->mode == CALL_BOTH)
    call->repair = call_repair_new ();
  call->monitor = call_monitor_new (call);
  return TRUE;
}

static void
run (Call *call)
{
  GstBus *bus = gst_element_get_bus (call->pipeline);

  gst_bus_add_watch (bus, on_bus, call);
  g_unix_signal_add (SIGINT, on_interrupt, call);
  g_unix_signal_add (SIGTERM, on_interrupt, call);
  g_unix_signal_add (SIGHUP, on_interrupt, call);
  g_timeout_add_full (G_PRIORITY_HIGH, CALL_BIN / GST_MSECOND, on_tick, call, NULL);
  call->machine = call_machine_new (call->intake, call->encoder);
  /* A failure also comes over the bus, with its reason. */
  gst_element_set_state (call->pipeline, GST_STATE_PLAYING);
  g_main_loop_run (call->loop);
  call_machine_stop (call->machine, call->adapter);
  gst_bus_remove_watch (bus);
  gst_object_unref (bus);
  gst_element_set_state (call->pipeline, GST_STATE_NULL);
}

/* With an error too: what was measured until then. */
static void
finish (Call *call)
{
  const CallOptions *o = call->options;
  const CallMachineFigures machine = call_machine_figures (call->machine);
  double duration = call_monitor_seconds (call->monitor);
  GArray *figures;

  call_monitor_finish (call->monitor);
  call_screen_break ();
  figures = call_monitor_figures (call->monitor);
  if (!o->quiet && !o->csv && !call->error)
    call_screen_summary (figures, duration, &machine);
  if (!call->error)
    call_screen_warn (&machine);
  if (call->report && duration > 0
      && call_report_finish (call->report, duration, figures, &machine,
          call->error ? NULL : &call->error)
      && call_report_draw (call->report, call->error ? NULL : &call->error)
      && !o->quiet && !o->csv)
    printf ("\nreport: %s/report.html\n", o->report);
  g_array_unref (figures);
}

static void
call_clear (Call *call)
{
  g_clear_pointer (&call->machine, call_machine_free);
  g_clear_pointer (&call->monitor, call_monitor_free);
  g_clear_pointer (&call->protector, call_protector_free);
  g_clear_pointer (&call->repair, call_repair_free);
  g_clear_pointer (&call->report, call_report_free);
  if (call->pipeline)
    gst_element_set_state (call->pipeline, GST_STATE_NULL);
  gst_clear_object (&call->pipeline);
  g_clear_pointer (&call->film, call_film_free);
  g_clear_pointer (&call->loop, g_main_loop_unref);
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

int
main (int argc, char **argv)
{
  CallOptions options = { 0 };
  Call call = { .options = &options };
  int status = 0;

  setlocale (LC_ALL, "");
  gst_init (NULL, NULL);
  if (call_options_parse (&options, argc, argv, &call.error)) {
    call.loop = g_main_loop_new (NULL, FALSE);
    if (build (&call, &call.error)) {
      run (&call);
      finish (&call);
    }
  }
  if (call.error)
    status = complain (call.error);
  else if (call.stops.count)
    status = EXIT_STOPPED;
  call_clear (&call);
  call_options_clear (&options);
  return status;
}
