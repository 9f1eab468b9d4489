/* SPDX-License-Identifier: GPL-2.0-only
 *
 * output.h - what is left of a run: CSV files and the lines of its summary
 */
#ifndef RCC_SIM_OUTPUT_H
#define RCC_SIM_OUTPUT_H

#include <cstdio>
#include <string>

#include "media.h"
#include "tcp.h"

namespace sim {

/* A file that has its name only once it is whole. */
class File {
public:
  File (const std::string &folder, const std::string &name);
  ~File ();
  File (const File &) = delete;
  File &operator= (const File &) = delete;

  FILE *stream () { return m_stream; }
  void finish ();                       /* throws Error, as the constructor does */

private:
  std::string m_name;
  FILE *m_stream;
};

/* Makes the folder, and takes the summary of an earlier run out of it. */
void prepareFolder (const std::string &folder);

/* Lines of key=value; the last is of the whole run.  lost, unsent and late of a flow are
 * core/losses.h's shares of its media; packets: of its RTP, padding too, those whose end is
 * known; dropped: how many datagrams of all flows the network dropped, RTCP too. */
std::string summarise (const Options &options, const RccWorld *world, const Cross &cross,
    const Media &media);

/* sim/summary.h; once. */
std::string json (const RccWorld *world, const Cross &cross);

/* Everything but packets.csv; the summary last, so that where it stands all does. */
void writeResults (const Options &options, const RccWorld *world, const Cross &cross,
    const std::string &summary);

} // namespace sim

#endif
