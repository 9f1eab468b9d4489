/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * guard.h - bytes that end where memory does: who reads one more is ended by the system
 */
#ifndef RCC_GUARD_H
#define RCC_GUARD_H

#include <glib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "wire/bytes.h"

#define GUARD_ROOM 4096                 /* the most that fits */

/* Its copy, until the next one's. */
static inline RccBytes
guarded (const guint8 *data, gsize size)
{
  static guint8 *end;

  g_assert_cmpuint (size, <=, GUARD_ROOM);
  if (!end) {
    const gsize page = (gsize) sysconf (_SC_PAGESIZE);
    const gsize room = (GUARD_ROOM + page - 1) / page * page;
    guint8 *pages = mmap (NULL, room + page, PROT_READ | PROT_WRITE,
        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    g_assert_true (pages != MAP_FAILED);
    end = pages + room;
    g_assert_cmpint (mprotect (end, page, PROT_NONE), ==, 0);
  }
  memcpy (end - size, data, size);
  return (RccBytes) { end - size, size };
}

#endif
