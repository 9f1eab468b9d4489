/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "drawpage.h"

#include <string.h>

char *
rcc_quote_command (int argc, char **argv)
{
  GString *s = g_string_new (NULL);

  for (int i = 0; i < argc; i++) {
    g_autofree char *name = i ? g_strdup (argv[i]) : g_path_get_basename (argv[i]);
    const char *plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
        "0123456789-_./:=,+@%";

    if (i)
      g_string_append_c (s, ' ');
    if (*name && strspn (name, plain) == strlen (name))
      g_string_append (s, name);
    else {
      g_autofree char *quoted = g_shell_quote (name);

      g_string_append (s, quoted);
    }
  }
  return g_string_free (s, FALSE);
}

/* Beside the sources while they are there, else where it was installed. */
static const char *
find_script (void)
{
  return g_file_test (REPORT_SOURCE, G_FILE_TEST_EXISTS) ? REPORT_SOURCE : REPORT_INSTALLED;
}

gboolean
rcc_draw_page (const char *directory, const char *output, GError **error)
{
  const char *argv[] = { "/usr/bin/python3", find_script (), directory, output ? "-o" : NULL,
    output, NULL
  };
  g_autofree char *complaint = NULL;
  const char *last;
  gint status = 0;

  if (!g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_STDOUT_TO_DEV_NULL, NULL, NULL, NULL,
          &complaint, &status, error)) {
    g_prefix_error (error, "the page was not drawn: ");
    return FALSE;
  }
  if (g_spawn_check_wait_status (status, NULL))
    return TRUE;
  g_strchomp (complaint);
  last = strrchr (complaint, '\n');
  g_set_error (error, G_SPAWN_ERROR, G_SPAWN_ERROR_FAILED, "the page was not drawn: %s",
      last ? last + 1 : complaint);
  return FALSE;
}
