/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "describe.h"

#include <math.h>

static const char *
name_of (const CallOptions *o)
{
  if (o->element == CALL_NOTHING)
    return "no control";
  if (!g_strcmp0 (o->variant, "plus"))
    return "fbra plus";
  return o->profile ? o->profile : o->cc->name;
}

static void
put_settings (RccJson *j, const CallOptions *o)
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
    {"video-bitrate", o->video_bps ? o->video_bps : NAN}, {"width", o->width},
    {"height", o->height}, {"fps", o->fps}, {"gop", o->gop ? o->gop : NAN},
    {"fec-protection", o->fec_protection}, {"fec-interleave", o->fec_interleave}, {"jitterbuffer-latency", o->latency_ms},
    {"bin", CALL_BIN / 1e9},
  };

  rcc_json_object (j, "profile");
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    rcc_json_text (j, texts[i].name, texts[i].value);
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    rcc_json_number (j, numbers[i].name, numbers[i].value);
  rcc_json_end (j);
}

static void
put_about (RccJson *j, const GPtrArray *about)
{
  rcc_json_object (j, "about");
  for (guint i = 0; i < about->len; i += 2)
    rcc_json_text (j, about->pdata[i], about->pdata[i + 1]);
  rcc_json_end (j);
}

static void
put_machine (RccJson *j, const CallMachineFigures *f)
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

  rcc_json_object (j, "machine");
  rcc_json_flag (j, "fast-enough", !call_machine_too_slow (f));
  rcc_json_text (j, "line", line);
  rcc_json_text (j, "warning", warning);
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    rcc_json_number (j, numbers[i].name, numbers[i].value);
  rcc_json_end (j);
}

static void
put_summary (RccJson *j, const GArray *figures)
{
  rcc_json_object (j, "summary");
  for (guint i = 0; i < figures->len; i++) {
    const CallFigure *f = &g_array_index (figures, CallFigure, i);

    rcc_json_object (j, f->name);
    rcc_json_number (j, "value", f->value);
    rcc_json_text (j, "unit", f->unit);
    rcc_json_end (j);
  }
  rcc_json_end (j);
}

void
call_describe (RccJson *j, const Call *call, const CallOutcome *outcome)
{
  rcc_json_text (j, "command", call->options->command);
  rcc_json_text (j, "version", "rtpcall " VERSION);
  rcc_json_text (j, "started", call->started);
  rcc_json_number (j, "duration", outcome->duration);
  put_about (j, call->about);
  put_settings (j, call->options);
  put_summary (j, outcome->figures);
  put_machine (j, &outcome->machine);
  rcc_json_array (j, "flows");
  rcc_json_text (j, NULL, "video");
  if (!call->options->no_audio)
    rcc_json_text (j, NULL, "audio");
  rcc_json_end (j);
}
