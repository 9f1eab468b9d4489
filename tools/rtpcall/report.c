/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "report.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "about.h"

struct _CallReport {
  const CallOptions *options;
  FILE *samples, *frames, *events;
  char *started;
  GPtrArray *about;
  gboolean broken;
};

const char call_sample_header[] = "time,capacity,target,encoder,sent,received,rtt,owd,"
    "owd-p95,queue,loss,offered,unsent,left,lost,late,reported-loss,psnr,frozen,state,usage,"
    "threshold,estimate,breaker,breaker-sent,breaker-tcp,breaker-limit,breaker-loss,"
    "breaker-rtt,audio-on-time,video-on-time,audio-wait,video-wait,dropped-expired,"
    "dropped-full,dropped-frame,dropped-old,fec";

static FILE *
open_file (const char *directory, const char *name, const char *header, GError **error)
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
call_report_new (const Call *call, GError **error)
{
  const char *directory = call->options->report;
  CallReport *r = g_new0 (CallReport, 1);
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();

  r->options = call->options;
  r->about = call_about (call);
  r->started = g_date_time_format_iso8601 (now);
  if (g_mkdir_with_parents (directory, 0777))
    call_fail (error, "the directory %s cannot be made: %s", directory,
        g_strerror (errno));
  else if ((r->samples = open_file (directory, "samples.csv", call_sample_header, error))
      && (r->frames = open_file (directory, "frames.csv",
              "time,frame,psnr-y,psnr,ssim,frozen,size", error))
      && (r->events = open_file (directory, "events.csv", "time,source,what,detail", error)))
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
  g_ptr_array_unref (r->about);
  g_free (r->started);
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

/* --- JSON ----------------------------------------------------------------- */

static void
put_json_string (GString *out, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);

  g_string_append_c (out, '"');
  for (const char *p = valid; *p; p++) {
    if (*p == '"' || *p == '\\')
      g_string_append_printf (out, "\\%c", *p);
    else if ((guchar) *p < 0x20)
      g_string_append_printf (out, "\\u%04x", *p);
    else
      g_string_append_c (out, *p);
  }
  g_string_append_c (out, '"');
}

static void
put_json_number (GString *out, double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append (out, isfinite (value) ? g_ascii_formatd (text, sizeof text, "%.10g",
          value) : "null");
}

static const char *
name_of (const CallOptions *o)
{
  if (o->element == CALL_NOTHING)
    return "no control";
  if (!g_strcmp0 (o->fbra_profile, "plus"))
    return "fbra plus";
  return o->profile ? o->profile : o->cc->name;
}

static void
put_settings (GString *out, const CallOptions *o)
{
  const struct { const char *name, *value; } texts[] = {
    {"name", name_of (o)},
    {"congestion control", o->cc->name},
    {"feedback", o->feedback_name ? o->feedback_name : "none"},
    {"breaker", o->breaker ? o->breaker : "off"},
    {"scheduler", o->scheduler ? o->scheduler : "none"},
    {"repair", o->repair},
    {"input", o->mode == CALL_RECEIVE ? "from the network" : o->input},
    {"link", o->mode == CALL_BOTH ? o->link : "UDP"},
  };
  const struct { const char *name; double value; } numbers[] = {
    {"min-bitrate", o->min_bps}, {"start-bitrate", o->start_bps},
    {"max-bitrate", o->max_bps},
    {"video-bitrate", o->video_bps ? o->video_bps : NAN}, {"width", o->width}, {"height", o->height},
    {"fps", o->fps}, {"fec-protection", o->fec_protection},
    {"fec-interleave", o->fec_interleave}, {"jitterbuffer-latency", o->latency_ms}, {"bin", CALL_BIN / 1e9},
  };

  g_string_append (out, "  \"profile\": {");
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++) {
    g_string_append_printf (out, "%s\n    \"%s\": ", i ? "," : "", texts[i].name);
    put_json_string (out, texts[i].value);
  }
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++) {
    g_string_append_printf (out, ",\n    \"%s\": ", numbers[i].name);
    put_json_number (out, numbers[i].value);
  }
  g_string_append (out, "\n  },\n");
}

static void
put_about (GString *out, const GPtrArray *about)
{
  g_string_append (out, "  \"about\": {");
  for (guint i = 0; i < about->len; i += 2) {
    g_string_append_printf (out, "%s\n    \"%s\": ", i ? "," : "",
        (const char *) about->pdata[i]);
    put_json_string (out, about->pdata[i + 1]);
  }
  g_string_append (out, "\n  },\n");
}

static void
put_json_text_or_null (GString *out, const char *text)
{
  if (text)
    put_json_string (out, text);
  else
    g_string_append (out, "null");
}

static void
put_machine (GString *out, const CallMachineFigures *f)
{
  g_autofree char *line = call_machine_line (f), *warning = call_machine_warning (f);
  const struct { const char *name; double value; } numbers[] = {
    {"timer-lateness-p50", f->late_p50}, {"timer-lateness-p99", f->late_p99},
    {"timer-lateness-max", f->late_max},
    {"pictures", f->codes ? (double) f->pictures : NAN},
    {"pictures-not-made", f->codes ? (double) f->unmade : NAN},
    {"pictures-skipped", f->codes ? (double) f->skipped : NAN},
    {"cpu-of-one-core", f->of_one_core}, {"cpu-of-the-machine", call_machine_share (f)},
    {"cores", f->cores},
  };

  g_string_append_printf (out, "  \"machine\": {\n    \"fast-enough\": %s,\n    \"line\": ",
      call_machine_too_slow (f) ? "false" : "true");
  put_json_string (out, line);
  g_string_append (out, ",\n    \"warning\": ");
  put_json_text_or_null (out, warning);
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++) {
    g_string_append_printf (out, ",\n    \"%s\": ", numbers[i].name);
    put_json_number (out, numbers[i].value);
  }
  g_string_append (out, "\n  },\n");
}

static void
put_summary (GString *out, GArray *figures)
{
  g_string_append (out, "  \"summary\": {");
  for (guint i = 0; i < figures->len; i++) {
    const CallFigure *f = &g_array_index (figures, CallFigure, i);

    g_string_append_printf (out, "%s\n    \"%s\": {\"value\": ", i ? "," : "", f->name);
    put_json_number (out, f->value);
    g_string_append_printf (out, ", \"unit\": \"%s\"}", f->unit);
  }
  g_string_append (out, "\n  },\n");
}

static char *
describe (CallReport *r, double duration, GArray *figures, const CallMachineFigures *machine)
{
  GString *out = g_string_new ("{\n  \"command\": ");

  put_json_string (out, r->options->command);
  g_string_append (out, ",\n  \"version\": \"rtpcall " VERSION "\",\n  \"started\": ");
  put_json_string (out, r->started);
  g_string_append (out, ",\n  \"duration\": ");
  put_json_number (out, duration);
  g_string_append (out, ",\n");
  put_about (out, r->about);
  put_settings (out, r->options);
  put_summary (out, figures);
  put_machine (out, machine);
  g_string_append_printf (out, "  \"flows\": [\"video\"%s]\n}\n",
      r->options->no_audio ? "" : ", \"audio\"");
  return g_string_free (out, FALSE);
}

gboolean
call_report_finish (CallReport *r, double duration, GArray *figures,
    const CallMachineFigures *machine, GError **error)
{
  g_autofree char *path = g_build_filename (r->options->report, "call.json", NULL);
  g_autofree char *text = describe (r, duration, figures, machine);
  g_autoptr (GError) why = NULL;

  close_file (r, &r->samples);
  close_file (r, &r->frames);
  close_file (r, &r->events);
  if (!g_file_set_contents (path, text, -1, &why))
    return call_fail (error, "%s", why->message);
  return r->broken ? call_fail (error, "the report in %s is not complete: is the disk full?",
      r->options->report) : TRUE;
}

/* Beside the sources while they are there, else where it was installed. */
static const char *
find_script (void)
{
  return g_file_test (REPORT_SOURCE, G_FILE_TEST_EXISTS) ? REPORT_SOURCE : REPORT_INSTALLED;
}

gboolean
call_report_draw (CallReport *r, GError **error)
{
  const char *argv[] = { "/usr/bin/python3", find_script (), r->options->report, NULL };
  g_autofree char *complaint = NULL;
  g_autoptr (GError) why = NULL;
  gint status = 0;

  if (!g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_STDOUT_TO_DEV_NULL, NULL, NULL, NULL,
          &complaint, &status, &why))
    return call_fail (error, "the page was not drawn: %s", why->message);
  if (g_spawn_check_wait_status (status, NULL))
    return TRUE;
  g_strchomp (complaint);
  return call_fail (error, "the page was not drawn: %s",
      strrchr (complaint, '\n') ? strrchr (complaint, '\n') + 1 : complaint);
}
