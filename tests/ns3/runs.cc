/* SPDX-License-Identifier: GPL-2.0-only */
#include "runs.h"

#include <cstdlib>
#include <filesystem>
#include <list>
#include <vector>

#include <glib/gstdio.h>

namespace {

struct Temporary {
  std::list<std::string> paths;

  ~Temporary ()
  {
    for (const std::string &path : paths)
      std::filesystem::remove_all (path);
  }

  std::string
  make ()
  {
    gchar *path = g_dir_make_tmp ("rcc-ns3-XXXXXX", nullptr);

    g_assert_nonnull (path);
    paths.push_back (path);
    g_free (path);
    return paths.back ();
  }
};

Temporary temporary;

} // namespace

sim::Options
options (const std::string &words)
{
  sim::Options o;
  gchar **argv = nullptr;
  gint argc = 0;
  std::vector<char *> kept;

  g_assert_true (g_shell_parse_argv (("rccns3 " + words).c_str (), &argc, &argv, nullptr));
  kept.assign (argv, argv + argc + 1);
  try {
    sim::parseOptions (argc, kept.data (), o);
  } catch (...) {
    g_strfreev (argv);
    throw;
  }
  g_strfreev (argv);
  return o;
}

std::string
run (const std::string &words)
{
  try {
    const std::string summary = sim::run (options (words));

    g_test_message ("rccns3 %s\n%s", words.c_str (), summary.c_str ());
    return summary;
  } catch (const sim::Error &e) {
    g_error ("%s", e.what ());
  }
  return {};
}

double
value (const std::string &summary, const std::string &line, const std::string &key)
{
  const std::string all = "\n" + summary;
  size_t at = all.find ("\n" + line + " ");
  const size_t end = all.find ('\n', at + 1);

  g_assert_true (at != std::string::npos);
  at = all.find (" " + key + "=", at);
  g_assert_true (at != std::string::npos && at < end);
  return strtod (all.c_str () + at + key.size () + 2, nullptr);
}

std::string
complaint (const std::string &words)
{
  try {
    sim::run (options (words));
  } catch (const sim::Error &e) {
    return e.what ();
  }
  return {};
}

std::string
folder ()
{
  return temporary.make ();
}

std::string
scenario (const std::string &text)
{
  const std::string path = folder () + "/scenario";

  g_assert_true (g_file_set_contents (path.c_str (), text.c_str (), -1, nullptr));
  return path;
}

std::string
contents (const std::string &folder, const std::string &name)
{
  gchar *data = nullptr;
  gsize size = 0;
  std::string text;

  if (!g_file_get_contents ((folder + "/" + name).c_str (), &data, &size, nullptr))
    g_error ("%s is not there", name.c_str ());
  text.assign (data, size);
  g_free (data);
  return text;
}
