/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "call.h"

/* The time for the goodbye to reach the other end. */
#define HANG_UP_MS 300

static gboolean
quit (gpointer data)
{
  g_main_loop_quit (data);
  return G_SOURCE_REMOVE;
}

void
call_hang_up (Call *call)
{
  GstPad *pad = NULL;

  if (call->hanging_up)
    return;
  call->hanging_up = TRUE;
  if (call->other)
    call_hang_up (call->other);
  if (call->options->mode == CALL_SEND && !call->error)
    pad = gst_element_get_static_pad (call->send_rtpbin, "send_rtp_sink_0");
  if (pad) {
    gst_pad_send_event (pad, gst_event_new_eos ());
    gst_object_unref (pad);
  }
  if (!call->other || call->options->mode == CALL_SEND)
    g_timeout_add (pad ? HANG_UP_MS : 0, quit, call->loop);
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
  call_hang_up (call);
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
