/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sim/json.h"

#include <locale.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#define WHOLE 9007199254740992.0        /* 2^53: up to there a double has all of them */
#define BROKEN 2                        /* members of objects so deep have lines of their own */

/* --- what stands between values ------------------------------------------- */

static unsigned
objects (const RccJson *j)
{
  unsigned n = 0;

  for (unsigned i = 0; i < j->depth; i++)
    n += j->closing[i] == '}';
  return n;
}

static void
indent (RccJson *j, unsigned n)
{
  fputc ('\n', j->out);
  for (unsigned i = 0; i < n; i++)
    fputs ("  ", j->out);
}

static void
begin_value (RccJson *j, const char *name)
{
  const bool inside = j->depth > 0;
  const bool line = inside && j->closing[j->depth - 1] == '}' && objects (j) <= BROKEN;

  if (inside && j->begun[j->depth - 1])
    fputs (line ? "," : ", ", j->out);
  if (line)
    indent (j, objects (j));
  if (inside)
    j->begun[j->depth - 1] = true;
  if (name)
    fprintf (j->out, "\"%s\": ", name);
}

static void
begin_group (RccJson *j, const char *name, char opening, char closing)
{
  begin_value (j, name);
  fputc (opening, j->out);
  j->closing[j->depth] = closing;
  j->begun[j->depth++] = false;
}

void
rcc_json_object (RccJson *j, const char *name)
{
  begin_group (j, name, '{', '}');
}

void
rcc_json_array (RccJson *j, const char *name)
{
  begin_group (j, name, '[', ']');
}

void
rcc_json_end (RccJson *j)
{
  const unsigned n = objects (j);
  const unsigned last = --j->depth;

  if (j->closing[last] == '}' && j->begun[last] && n <= BROKEN)
    indent (j, n - 1);
  fputc (j->closing[last], j->out);
  if (j->depth == 0)
    fputc ('\n', j->out);
}

/* --- values --------------------------------------------------------------- */

/* As printf() makes it, with a point where the locale has something else. */
static void
put_number (RccJson *j, const char *text)
{
  const char *point = localeconv ()->decimal_point;
  const char *found = strcmp (point, ".") ? strstr (text, point) : NULL;

  if (found)
    fprintf (j->out, "%.*s.%s", (int) (found - text), text, found + strlen (point));
  else
    fputs (text, j->out);
}

static void
put_double (RccJson *j, const char *name, const char *text, double value)
{
  begin_value (j, name);
  if (isfinite (value))
    put_number (j, text);
  else
    fputs ("null", j->out);
}

void
rcc_json_number (RccJson *j, const char *name, double value)
{
  const bool whole = value == floor (value) && fabs (value) < WHOLE;
  char text[64] = "";

  snprintf (text, sizeof text, whole ? "%.0f" : "%.10g", value);
  put_double (j, name, text, value);
}

void
rcc_json_rounded (RccJson *j, const char *name, double value, int digits)
{
  char text[400] = "";                  /* of the largest double, and some digits */

  snprintf (text, sizeof text, "%.*f", digits, value);
  put_double (j, name, text, value);
}

void
rcc_json_count (RccJson *j, const char *name, uint64_t value)
{
  begin_value (j, name);
  fprintf (j->out, "%llu", (unsigned long long) value);
}

void
rcc_json_flag (RccJson *j, const char *name, bool value)
{
  begin_value (j, name);
  fputs (value ? "true" : "false", j->out);
}

/* --- text ----------------------------------------------------------------- */

/* How many bytes the character at @s has; 0: it is none (RFC 3629, 3 and 4). */
static size_t
utf8_length (const unsigned char *s)
{
  static const unsigned least[] = { 0, 0, 0x80, 0x800, 0x10000 };
  const size_t n = s[0] < 0x80 ? 1 : s[0] < 0xc0 ? 0 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3
      : s[0] < 0xf8 ? 4 : 0;
  unsigned code = n > 1 ? s[0] & (0xffu >> (n + 1)) : s[0];

  for (size_t i = 1; i < n; i++) {
    if ((s[i] & 0xc0) != 0x80)
      return 0;
    code = code << 6 | (s[i] & 0x3fu);
  }
  if (n == 0 || code < least[n] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
    return 0;
  return n;
}

static void
put_character (FILE *out, const unsigned char *s, size_t n)
{
  if (n == 0)
    fputs ("\xef\xbf\xbd", out);
  else if (*s == '"' || *s == '\\')
    fprintf (out, "\\%c", *s);
  else if (*s < 0x20)
    fprintf (out, "\\u%04x", *s);
  else
    fwrite (s, 1, n, out);
}

void
rcc_json_text (RccJson *j, const char *name, const char *text)
{
  begin_value (j, name);
  if (!text) {
    fputs ("null", j->out);
    return;
  }
  fputc ('"', j->out);
  for (const unsigned char *s = (const unsigned char *) text; *s;) {
    const size_t n = utf8_length (s);

    put_character (j->out, s, n);
    s += n ? n : 1;
  }
  fputc ('"', j->out);
}
