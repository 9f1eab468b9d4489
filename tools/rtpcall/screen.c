/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "screen.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "report.h"

static gboolean line_open;

static void
put (GString *line, const char *name, const char *format, double value)
{
  g_autofree char *text = isnan (value) ? g_strdup ("-") : g_strdup_printf (format, value);

  g_string_append_printf (line, "  %s %s", name, text);
}

void
call_screen_progress (const CallSample *now, const CallSample *received)
{
  static double printed = -1;
  const gboolean tty = isatty (STDOUT_FILENO);
  GString *line = g_string_new (NULL);

  if (!tty && floor (now->time) <= printed) {
    g_string_free (line, TRUE);
    return;
  }
  printed = floor (now->time);
  g_string_append_printf (line, "%6.1f s", now->time);
  put (line, "target", "%4.0f", now->seen.target / 1e3);
  put (line, "sent", "%4.0f", now->sent / 1e3);
  put (line, "received", "%4.0f kbit/s", received->received / 1e3);
  put (line, "rtt", "%3.0f ms", now->seen.rtt);
  if (now->knows_lost)
    put (line, "lost", "%4.1f %%", rcc_losses_lost (&now->media) * 100);
  else
    put (line, "reported loss", "%4.1f %%", now->seen.reported_loss * 100);
  put (line, "queue", "%3.0f ms", now->seen.queue);
  put (line, "psnr", "%4.1f dB", now->psnr);
  if (tty)
    printf ("\r%s\033[K", line->str);
  else
    puts (line->str);
  fflush (stdout);
  line_open = tty;
  g_string_free (line, TRUE);
}

void
call_screen_break (void)
{
  if (line_open)
    putchar ('\n');
  line_open = FALSE;
  fflush (stdout);
}

void
call_screen_complain (const char *sentence)
{
  call_screen_break ();
  fprintf (stderr, "rtpcall: %s\n", sentence);
}

void
call_screen_csv (const CallSample *row)
{
  static gboolean begun;
  g_autofree char *line = call_sample_line (row);

  if (!begun)
    puts (call_sample_header);
  begun = TRUE;
  puts (line);
  fflush (stdout);
}

static char *
figure_text (const CallFigure *f)
{
  if (!strcmp (f->unit, "bit/s"))
    return g_strdup_printf ("%.0f kbit/s", f->value / 1e3);
  if (!strcmp (f->unit, "ratio"))       /* as the page has it */
    return g_strdup_printf (f->value < 0.1 ? "%.2f %%" : "%.1f %%", f->value * 100);
  if (!*f->unit)
    return g_strdup_printf ("%.0f", f->value);
  return g_strdup_printf (strcmp (f->unit, "s") ? "%.1f %s" : "%.2f %s", f->value, f->unit);
}

void
call_screen_summary (const char *title, const CallOutcome *outcome)
{
  g_autofree char *line = call_machine_line (&outcome->machine);

  putchar ('\n');
  if (title)
    puts (title);
  printf ("%-24s %12.1f s\n", "duration", outcome->duration);
  for (guint i = 0; i < outcome->figures->len; i++) {
    const CallFigure *f = &g_array_index (outcome->figures, CallFigure, i);
    g_autofree char *text = isnan (f->value) ? NULL : figure_text (f);

    if (text)
      printf ("%-24s %14s\n", f->name, text);
  }
  printf ("%-24s %s\n", "machine", line);
  fflush (stdout);
}

void
call_screen_warn (const CallMachineFigures *machine)
{
  g_autofree char *sentence = call_machine_warning (machine);

  if (sentence)
    call_screen_complain (sentence);
}
