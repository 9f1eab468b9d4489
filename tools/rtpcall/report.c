/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "report.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

struct _CallReport {
  FILE *samples, *frames, *events;
  gboolean broken;
};

const char call_sample_header[] = "time,capacity,target,encoder,sent,received,rtt,owd,"
    "owd-p95,queue,loss,offered,unsent,left,lost,late,reported-loss,psnr,frozen,state,usage,"
    "threshold,estimate,breaker,breaker-sent,breaker-tcp,breaker-limit,breaker-loss,"
    "breaker-rtt,audio-on-time,video-on-time,audio-wait,video-wait,dropped-expired,"
    "dropped-full,dropped-frame,dropped-old,fec";

FILE *
call_report_file (const char *directory, const char *name, const char *header, GError **error)
{
  g_autofree char *path = g_build_filename (directory, name, NULL);
  FILE *file = g_fopen (path, "w");

  if (file)
    fprintf (file, "%s\n", header);
  else
    call_fail (error, "%s cannot be written: %s", path, g_strerror (errno));
  return file;
}

CallReport *
call_report_new (const char *directory, GError **error)
{
  CallReport *r = g_new0 (CallReport, 1);

  if (g_mkdir_with_parents (directory, 0777))
    call_fail (error, "the directory %s cannot be made: %s", directory,
        g_strerror (errno));
  else if ((r->samples = call_report_file (directory, "samples.csv", call_sample_header, error))
      && (r->frames = call_report_file (directory, "frames.csv",
              "time,frame,psnr-y,psnr,ssim,frozen,size", error))
      && (r->events = call_report_file (directory, "events.csv", "time,source,what,detail", error)))
    return r;
  call_report_free (r);
  return NULL;
}

static void
close_file (CallReport *r, FILE **file)
{
  if (*file) {
    r->broken |= ferror (*file) != 0;
    r->broken |= fclose (*file) != 0;
  }
  *file = NULL;
}

void
call_report_free (CallReport *r)
{
  close_file (r, &r->samples);
  close_file (r, &r->frames);
  close_file (r, &r->events);
  g_free (r);
}

/* --- CSV ------------------------------------------------------------------ */

/* Empty when it is not known; a point whatever the locale. */
static void
put_number (GString *line, const char *format, double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  if (line->len)
    g_string_append_c (line, ',');
  if (isfinite (value))
    g_string_append (line, g_ascii_formatd (text, sizeof text, format, value));
}

static void
put_text (GString *line, const char *text)
{
  g_auto (GStrv) parts = g_strsplit (text ? text : "", "\"", -1);
  g_autofree char *doubled = g_strjoinv ("\"\"", parts);

  g_string_append_printf (line, strpbrk (doubled, ",\"\r\n") ? ",\"%s\"" : ",%s", doubled);
}

/* Of a bin in which nothing left there is no share. */
static void
put_losses (GString *line, const CallSample *row)
{
  const RccLosses *l = &row->media;

  put_number (line, "%.4f", row->knows_lost && l->left ? rcc_losses_lost (l) : NAN);
  put_number (line, "%.0f", row->knows_offered ? (double) l->offered : NAN);
  put_number (line, "%.0f", row->knows_offered ? (double) l->unsent : NAN);
  put_number (line, "%.0f", row->knows_left ? (double) l->left : NAN);
  put_number (line, "%.0f", row->knows_lost ? (double) l->lost : NAN);
  put_number (line, "%.0f", row->knows_lost && l->deadline ? (double) l->late : NAN);
}

char *
call_sample_line (const CallSample *row)
{
  GString *line = g_string_new (NULL);
  const CallSnapshot *seen = &row->seen;

  put_number (line, "%.1f", row->time);
  put_number (line, "%.0f", seen->capacity);
  put_number (line, "%.0f", seen->target);
  put_number (line, "%.0f", seen->encoder);
  put_number (line, "%.0f", row->sent);
  put_number (line, "%.0f", row->received);
  put_number (line, "%.2f", seen->rtt);
  put_number (line, "%.2f", row->owd);
  put_number (line, "%.2f", row->owd_p95);
  put_number (line, "%.2f", seen->queue);
  put_losses (line, row);
  put_number (line, "%.4f", seen->reported_loss);
  put_number (line, "%.2f", row->psnr);
  put_number (line, "%.0f", row->frozen);
  put_text (line, seen->state);
  put_text (line, seen->usage);
  put_number (line, "%.4g", seen->threshold);
  put_number (line, "%.4g", seen->estimate);
  put_text (line, seen->breaker);
  put_number (line, "%.0f", seen->breaker_sent);
  put_number (line, "%.0f", seen->breaker_tcp);
  put_number (line, "%.0f", seen->breaker_limit);
  put_number (line, "%.4f", seen->breaker_loss);
  put_number (line, "%.2f", seen->breaker_rtt);
  for (CallMedium m = 0; m < CALL_MEDIA; m++)
    put_number (line, "%.4f", row->on_time[m]);
  for (CallMedium m = 0; m < CALL_MEDIA; m++)
    put_number (line, "%.2f", row->wait[m]);
  for (CallCause c = 0; c < CALL_CAUSES; c++)
    put_number (line, "%.0f", seen->dropped[c]);
  put_number (line, "%.0f", seen->fec);
  return g_string_free (line, FALSE);
}

/* Whole lines, so that an interrupted call is readable. */
static void
put_line (FILE *file, char *line)
{
  fprintf (file, "%s\n", line);
  fflush (file);
  g_free (line);
}

void
call_report_sample (CallReport *r, const CallSample *row)
{
  if (r)
    put_line (r->samples, call_sample_line (row));
}

void
call_report_frame (CallReport *r, const CallFrame *frame)
{
  GString *line;

  if (!r)
    return;
  line = g_string_new (NULL);
  put_number (line, "%.4f", frame->time);
  put_number (line, "%.0f", (double) frame->number);
  put_number (line, "%.3f", frame->psnr_y);
  put_number (line, "%.3f", frame->psnr);
  put_number (line, "%.4f", frame->ssim);
  put_number (line, "%.0f", frame->frozen);
  put_number (line, "%.0f", frame->size ? frame->size : NAN);
  put_line (r->frames, g_string_free (line, FALSE));
}

void
call_report_event (CallReport *r, double time, const char *source, const char *what,
    const char *detail)
{
  GString *line;

  if (!r)
    return;
  line = g_string_new (NULL);
  put_number (line, "%.3f", time);
  put_text (line, source);
  put_text (line, what);
  put_text (line, detail);
  put_line (r->events, g_string_free (line, FALSE));
}

/* --- the end --------------------------------------------------------------- */

/* NULL: there is no memory. */
static char *
describe (const Call *call, const CallOutcome *outcome)
{
  char *text = NULL;
  gsize size = 0;
  FILE *out = open_memstream (&text, &size);
  RccJson j = rcc_json (out);

  if (!out)
    return NULL;
  rcc_json_object (&j, NULL);
  call_describe (&j, call, outcome);
  rcc_json_end (&j);
  return fclose (out) ? NULL : text;
}

gboolean
call_report_finish (CallReport *r, const Call *call, const CallOutcome *outcome, GError **error)
{
  g_autofree char *path = g_build_filename (call->options->report, "call.json", NULL);
  g_autofree char *text = describe (call, outcome);
  g_autoptr (GError) why = NULL;

  close_file (r, &r->samples);
  close_file (r, &r->frames);
  close_file (r, &r->events);
  if (!text || !g_file_set_contents (path, text, -1, &why))
    return call_fail (error, "%s", why ? why->message : "there is no memory for call.json");
  return r->broken ? call_fail (error, "the report in %s is not complete: is the disk full?",
      call->options->report) : TRUE;
}
