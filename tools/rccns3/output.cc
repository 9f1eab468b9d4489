/* SPDX-License-Identifier: GPL-2.0-only */
#include "output.h"

#include <algorithm>
#include <cerrno>
#include <cstdarg>
#include <cstring>

#include <sys/stat.h>
#include <unistd.h>

namespace sim {

namespace {

const char *const PART = ".part";

[[noreturn]] void
fail (const std::string &name)
{
  throw Error ("cannot write " + name + ": " + strerror (errno) + ".");
}

__attribute__ ((format (printf, 2, 3))) void
add (std::string &text, const char *format, ...)
{
  char line[512];
  va_list args;

  va_start (args, format);
  vsnprintf (line, sizeof line, format, args);
  va_end (args);
  text += line;
}

double
seconds (RccTime t)
{
  return static_cast<double> (t) * 1e-9;
}

double
meanDelay (const RccFlow *f)
{
  double sum = 0;

  for (size_t i = 0; i < f->n_delays; i++)
    sum += f->delays[i];
  return f->n_delays ? sum / static_cast<double> (f->n_delays) : 0;
}

void
summariseStreams (const RccFlow *f, std::string &text)
{
  for (int k = 0; k < RCC_WORLD_STREAMS; k++) {
    const RccStreamCount *c = &f->sender.delivery.streams[k];
    const char *name = rcc_world_stream_names[k];

    if (c->offered > 0)
      add (text, " %s-received=%.4f %s-on-time=%.4f", name, rcc_stream_received (c), name,
          rcc_stream_on_time (c));
  }
}

/* One line where the flows have the same. */
void
summariseClock (const RccWorld *w, std::string &text)
{
  std::vector<std::string> clocks;
  char clock[RCC_CLOCK_TEXT];

  for (unsigned i = 0; i < w->n_flows; i++) {
    rcc_clock_text (w->flows[i]->config.clock, clock);
    clocks.push_back (clock);
  }
  if (std::all_of (clocks.begin (), clocks.end (),
          [&] (const std::string &c) { return c == clocks[0]; })) {
    text += "clock: " + (clocks.empty () ? "punctual" : clocks[0]) + "\n";
    return;
  }
  for (size_t i = 0; i < clocks.size (); i++)
    text += "clock of flow " + std::to_string (i) + ": " + clocks[i] + "\n";
}

void
summariseFlow (const RccWorld *w, unsigned i, std::string &text)
{
  const RccFlow *f = w->flows[i];
  const RccTime stop = std::min (f->config.stop, w->duration);
  const RccLosses media = rcc_flow_media (f, 0, RCC_NEVER);

  add (text, "flow=%u controller=%s direction=%s bitrate=%.0f delay-mean=%.3f delay-p50=%.3f "
      "delay-p95=%.3f delay-p98=%.3f delay-p99=%.3f packets=%zu lost=%.6f unsent=%.6f", i,
      f->config.adapt ? f->config.controller->name : "fixed",
      f->config.direction == RCC_FORWARD ? "fwd" : "rev",
      rcc_flow_mean_bps (f, f->config.start, stop), meanDelay (f),
      rcc_flow_delay (f, 50, 0, RCC_NEVER), rcc_flow_delay (f, 95, 0, RCC_NEVER),
      rcc_flow_delay (f, 98, 0, RCC_NEVER), rcc_flow_delay (f, 99, 0, RCC_NEVER),
      f->n_received + f->n_losses, rcc_losses_lost (&media), rcc_losses_unsent (&media));
  add (text, media.deadline ? " late=%.6f" : " late=none", rcc_losses_late (&media));
  summariseStreams (f, text);
  if (f->config.breaks && f->n_events == 0)
    add (text, " triggered=no");
  else if (f->config.breaks)
    add (text, " triggered=%.3f reason=%s", seconds (rcc_flow_triggered (f)),
        rcc_breaker_reason_names[f->events[0].reason]);
  text += '\n';
}

void
summariseCross (const Cross &cross, double duration, std::string &text)
{
  unsigned i = 0;

  for (const auto &flow : cross.flows ()) {
    add (text, "cross=%u kind=%s bitrate=%.0f", i++, flow->kind,
        static_cast<double> (flow->received) * 8 / duration);
    if (!strcmp (flow->kind, "short"))
      add (text, " pages=%llu page-time=%.4f", static_cast<unsigned long long> (flow->pages),
          flow->pages ? flow->pageTime / static_cast<double> (flow->pages) : 0.0);
    text += '\n';
  }
}

/* Jain's index of the rates of the flows that go one way. */
double
fairness (const RccWorld *w)
{
  double sum = 0, squares = 0;
  unsigned n = 0;

  for (unsigned i = 0; i < w->n_flows; i++) {
    const double bps = rcc_flow_mean_bps (w->flows[i], 0, w->duration);

    if (w->flows[i]->config.direction != RCC_FORWARD)
      continue;
    sum += bps;
    squares += bps * bps;
    n++;
  }
  return squares > 0 ? sum * sum / (n * squares) : 1.0;
}

void
writeQueue (const RccWorld *w, FILE *out)
{
  fputs ("time,queue,capacity\n", out);
  for (size_t i = 0; i < w->n_queue; i++) {
    fprintf (out, "%.2f,%.2f,", seconds (w->queue[i].time), seconds (w->queue[i].queue) * 1e3);
    if (w->queue[i].capacity_bps != RCC_LINK_UNLIMITED)
      fprintf (out, "%llu", static_cast<unsigned long long> (w->queue[i].capacity_bps));
    fputc ('\n', out);
  }
}

/* bit/s of payload in each bin, a column for each flow. */
void
writeCross (const Cross &cross, FILE *out)
{
  const auto &flows = cross.flows ();

  fputs ("time", out);
  for (size_t i = 0; i < flows.size (); i++)
    fprintf (out, ",%s-%zu", flows[i]->kind, i);
  fputc ('\n', out);
  for (size_t row = 0; row < flows[0]->bins.size (); row++) {
    fprintf (out, "%.1f", seconds ((row + 1) * RCC_WORLD_BIN));
    for (const auto &flow : flows)
      fprintf (out, ",%.0f", static_cast<double> (flow->bins[row]
          - (row ? flow->bins[row - 1] : 0)) * 8e9 / RCC_WORLD_BIN);
    fputc ('\n', out);
  }
}

} // namespace

File::File (const std::string &folder, const std::string &name)
  : m_name (folder + "/" + name), m_stream (fopen ((m_name + PART).c_str (), "w"))
{
  if (!m_stream)
    fail (m_name);
}

File::~File ()
{
  if (!m_stream)
    return;
  fclose (m_stream);
  unlink ((m_name + PART).c_str ());
}

void
File::finish ()
{
  FILE *stream = m_stream;
  const bool bad = ferror (stream) || fflush (stream);

  if (bad)
    fail (m_name);
  m_stream = nullptr;
  if (fclose (stream) || rename ((m_name + PART).c_str (), m_name.c_str ())) {
    const int why = errno;

    unlink ((m_name + PART).c_str ());
    errno = why;
    fail (m_name);
  }
}

void
prepareFolder (const std::string &folder)
{
  if (mkdir (folder.c_str (), 0777) && errno != EEXIST)
    throw Error ("cannot make the folder " + folder + ": " + strerror (errno) + ".");
  if (unlink ((folder + "/summary.txt").c_str ()) && errno != ENOENT)
    fail (folder + "/summary.txt");
}

std::string
summarise (const Options &options, const RccWorld *world, const Cross &cross,
    const Media &media)
{
  const RccPhase all = rcc_world_phase (world, 0, world->duration);
  const double duration = seconds (world->duration);
  std::string text;
  double tcp = 0;

  for (unsigned i = 0; i < world->n_flows; i++)
    summariseFlow (world, i, text);
  summariseCross (cross, duration, text);
  for (const auto &flow : cross.flows ())
    tcp += static_cast<double> (flow->received) * 8 / duration;
  add (text, "run topology=%s scenario=%s queue=%s seed=%llu duration=%g flows=%u "
      "utilisation=%.4f queue-p50=%.2f queue-p95=%.2f queue-p99=%.2f media=%.0f cross=%.0f "
      "dropped=%llu fairness=%.4f\n", options.topology.c_str (), options.scenario.c_str (),
      options.queue.c_str (), static_cast<unsigned long long> (options.seed), duration,
      world->n_flows, all.utilisation, all.queue_p50, all.queue_p95, all.queue_p99,
      all.delivered_bps, tcp, static_cast<unsigned long long> (media.lost ()),
      fairness (world));
  summariseClock (world, text);
  return text;
}

std::string
json (const RccWorld *world, const Cross &cross)
{
  std::vector<RccSummaryTcp> tcp;
  char *text = nullptr;
  size_t size = 0;
  FILE *out = open_memstream (&text, &size);

  if (!out)
    throw Error ("there is no memory for the summary.");
  for (const auto &flow : cross.flows ()) {
    const double pages = static_cast<double> (flow->pages);

    tcp.push_back ({ flow->kind, static_cast<double> (flow->received) * 8
        / seconds (world->duration), flow->pages, pages > 0 ? flow->pageTime / pages : 0.0 });
  }
  rcc_world_write_summary (world, tcp.data (), tcp.size (), out);
  fclose (out);
  const std::string whole (text, size);
  free (text);
  return whole;
}

void
writeResults (const Options &options, const RccWorld *world, const Cross &cross,
    const std::string &summary)
{
  for (unsigned i = 0; i < world->n_flows; i++) {
    File file (options.output, "flow-" + std::to_string (i) + ".csv");

    rcc_world_write_csv (world, world->flows[i], file.stream ());
    file.finish ();
  }
  if (!cross.flows ().empty ()) {
    File file (options.output, "tcp.csv");

    writeCross (cross, file.stream ());
    file.finish ();
  }
  File queue (options.output, "queue.csv");
  File lines (options.output, "summary.txt");

  writeQueue (world, queue.stream ());
  queue.finish ();
  fputs (summary.c_str (), lines.stream ());
  lines.finish ();
}

} // namespace sim
