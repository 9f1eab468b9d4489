/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "simreport.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <math.h>

#include "drawpage.h"
#include "sim/json.h"

#define MOST_CHANGES 100        /* of the capacity; more are a trace, and no events */

/* --- call.json, as tools/report.py reads it ------------------------------- */

static char *
source_text (const RccSourceConfig *c)
{
  static const char *const names[] = {
    [RCC_SOURCE_STATISTICAL] = "sizes of frames by RFC 8593, section 5",
    [RCC_SOURCE_TRACE] = "sizes of frames from a trace (RFC 8593, section 6)",
    [RCC_SOURCE_CONSTANT] = "frames of one size",
    [RCC_SOURCE_EKIGA] = "the traffic of Ekiga, deaf to targets",
  };

  return c->model == RCC_SOURCE_EKIGA ? g_strdup (names[c->model])
      : g_strdup_printf ("%s, %g a second", names[c->model], c->fps);
}

static const char *
feedback_text (const RccFlowConfig *c)
{
  static const char *const names[] = {
    [RCC_FEEDBACK_REMB] = "remb", [RCC_FEEDBACK_TMMBR] = "tmmbr", [RCC_FEEDBACK_CCFB] = "ccfb",
    [RCC_FEEDBACK_TWCC] = "twcc",
  };

  return c->extended ? "xr" : names[c->feedback];
}

static void
put_about (RccJson *j, const SimReport *report, const RccFlowConfig *c)
{
  g_autofree char *source = source_text (&c->source);
  g_autofree char *controller = g_strdup_printf ("%s, feedback %s", c->adapt
      ? c->controller->name : "none", feedback_text (c));
  char clock[RCC_CLOCK_TEXT];

  rcc_clock_text (c->clock, clock);
  rcc_json_object (j, "about");
  rcc_json_text (j, "link", report->scenario);
  rcc_json_text (j, "film", source);
  rcc_json_text (j, "encoder", "simulated, no picture is coded");
  rcc_json_text (j, "controller", controller);
  rcc_json_text (j, "machine", "simulated time");
  rcc_json_text (j, "clocks", clock);
  rcc_json_end (j);
}

static void
put_settings (RccJson *j, const SimReport *report, const RccWorld *w, const RccFlow *f)
{
  const struct { const char *name; double value; } numbers[] = {
    {"min-bitrate", f->config.limits.min_bps}, {"start-bitrate", f->config.limits.start_bps},
    {"max-bitrate", f->config.limits.max_bps}, {"fps", f->config.source.fps},
    {"flows", w->n_flows}, {"bulk TCP flows", w->n_renos},
    {"bin", (double) w->grain * RCC_WORLD_BIN * 1e-9},
  };

  rcc_json_object (j, "profile");
  rcc_json_text (j, "name", report->name);
  rcc_json_text (j, "scenario", report->scenario);
  rcc_json_count (j, "seed", w->seed);
  rcc_json_text (j, "breaker", f->config.breaks ? "on" : "off");
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    rcc_json_number (j, numbers[i].name, numbers[i].value);
  rcc_json_end (j);
}

typedef struct {
  double target, sent, received, owd;   /* bit/s; ms */
} Means;

static Means
means_of (const RccFlow *f)
{
  const double n = MAX (f->n_samples, 1);
  Means m = { 0 };

  for (gsize i = 0; i < f->n_samples; i++) {
    m.target += f->samples[i].target_bps / n;
    m.sent += f->samples[i].sent_bps / n;
    m.received += f->samples[i].received_bps / n;
  }
  for (gsize i = 0; i < f->n_delays; i++)
    m.owd += f->delays[i] / (double) f->n_delays;
  if (!f->n_delays)
    m.owd = NAN;
  return m;
}

/* By the names that rtpcall has for the same. */
static void
put_summary (RccJson *j, const RccWorld *w, const RccFlow *f)
{
  const RccPhase all = rcc_world_phase (w, 0, w->duration);
  const RccLosses media = rcc_flow_media (f, 0, RCC_NEVER);
  const Means mean = means_of (f);
  const struct { const char *name; double value; const char *unit; } figures[] = {
    {"mean target", mean.target, "bit/s"}, {"mean sent", mean.sent, "bit/s"},
    {"mean received", mean.received, "bit/s"},
    {"used of the link, all flows", all.utilisation, "ratio"},
    {"media packets sent", (double) media.left, ""},
    {"lost on the link", rcc_losses_lost (&media), "ratio"},
    {"dropped before sending", rcc_losses_unsent (&media), "ratio"},
    {"too late", rcc_losses_late (&media), "ratio"},
    {"mean one-way delay", mean.owd, "ms"},
    {"95 % one-way delay", rcc_flow_delay (f, 95, 0, w->duration), "ms"},
    {"median queue", all.queue_p50, "ms"}, {"95 % queue", all.queue_p95, "ms"},
    {"99 % queue", all.queue_p99, "ms"},
    {"changes of the breaker", f->config.breaks ? (double) f->n_events : NAN, ""},
  };

  rcc_json_object (j, "summary");
  for (guint i = 0; i < G_N_ELEMENTS (figures); i++) {
    rcc_json_object (j, figures[i].name);
    rcc_json_number (j, "value", figures[i].value);
    rcc_json_text (j, "unit", figures[i].unit);
    rcc_json_end (j);
  }
  rcc_json_end (j);
}

static void
write_call (const SimReport *report, const RccWorld *w, FILE *out)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autofree char *started = g_date_time_format_iso8601 (now);
  const RccFlow *f = w->flows[0];
  RccJson json = rcc_json (out), *j = &json;

  rcc_json_object (j, NULL);
  rcc_json_text (j, "command", report->command);
  rcc_json_text (j, "version", "rccsim " VERSION);
  rcc_json_text (j, "started", started);
  rcc_json_number (j, "duration", (double) w->duration * 1e-9);
  put_about (j, report, &f->config);
  put_settings (j, report, w, f);
  put_summary (j, w, f);
  rcc_json_array (j, "flows");
  rcc_json_text (j, NULL, "video");
  if (f->config.audio)
    rcc_json_text (j, NULL, "audio");
  rcc_json_end (j);
  rcc_json_end (j);
}

/* --- the tables ----------------------------------------------------------- */

static void
write_samples (const SimReport *report, const RccWorld *w, FILE *out)
{
  (void) report;
  rcc_world_write_csv (w, w->flows[0], out);
}

static guint
changes_of (const RccWorld *w)
{
  guint n = 0;

  for (gsize i = 1; i < w->n_queue; i++)
    n += w->queue[i].capacity_bps != w->queue[i - 1].capacity_bps;
  return n;
}

static void
write_events (const SimReport *report, const RccWorld *w, FILE *out)
{
  const RccFlow *f = w->flows[0];

  (void) report;
  fputs ("time,source,what,detail\n", out);
  for (gsize i = 1; changes_of (w) <= MOST_CHANGES && i < w->n_queue; i++) {
    const RccQueueSample *before = &w->queue[i - 1], *now = &w->queue[i];

    if (now->capacity_bps != before->capacity_bps && now->time < w->duration)
      fprintf (out, "%.2f,link,capacity,%.0f to %.0f kbit/s\n", (double) now->time * 1e-9,
          (double) before->capacity_bps / 1e3, (double) now->capacity_bps / 1e3);
  }
  for (gsize i = 0; i < f->n_events; i++)
    fprintf (out, "%.2f,circuit breaker,%s,%s\n", (double) f->events[i].at * 1e-9,
        rcc_breaker_state_names[f->events[i].state],
        rcc_breaker_reason_names[f->events[i].reason]);
}

/* --- drawing -------------------------------------------------------------- */

static const struct {
  const char *name;
  void (*write) (const SimReport *report, const RccWorld *w, FILE *out);
} files[] = {
  { "call.json", write_call }, { "samples.csv", write_samples }, { "events.csv", write_events },
};

static gboolean
write_all (const SimReport *report, const RccWorld *w, const char *directory, GError **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (files); i++) {
    g_autofree char *path = g_build_filename (directory, files[i].name, NULL);
    FILE *out = g_fopen (path, "w");
    gboolean good = out != NULL;

    if (out) {
      files[i].write (report, w, out);
      good = !ferror (out);
      good = fclose (out) == 0 && good;
    }
    if (!good) {
      g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "%s cannot be written: %s", path,
          g_strerror (errno));
      return FALSE;
    }
  }
  return TRUE;
}

static void
remove_all (const char *directory)
{
  for (guint i = 0; i < G_N_ELEMENTS (files); i++) {
    g_autofree char *path = g_build_filename (directory, files[i].name, NULL);

    g_unlink (path);
  }
  g_rmdir (directory);
}

gboolean
sim_report_draw (const SimReport *report, const RccWorld *w, GError **error)
{
  g_autofree char *directory = g_dir_make_tmp ("rccsim-XXXXXX", error);
  gboolean good;

  if (!directory)
    return FALSE;
  good = write_all (report, w, directory, error)
      && rcc_draw_page (directory, report->output, error);
  remove_all (directory);
  return good;
}
