/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * tsan-glib.c - GLib's locks, as ThreadSanitizer sees them
 *
 * GLib and GStreamer are not built with it, and their locks are futexes: without this, all
 * that is handed from one thread to another by them would be a report.  Linked into tests
 * where b_sanitize is thread; what libraries call comes here, too.
 */
#include <dlfcn.h>
#include <glib.h>

void __tsan_acquire (void *);
void __tsan_release (void *);
/* Of threads that GLib makes itself, TSan knows all. */

#define REAL(name) \
  static __typeof__ (name) *real; \
  if (!real) \
    real = (__typeof__ (name) *) dlsym (RTLD_NEXT, #name)

#define LOCKS(name, type) \
  void \
  name (type *lock) \
  { \
    REAL (name); \
    real (lock); \
    __tsan_acquire (lock); \
  }

#define UNLOCKS(name, type) \
  void \
  name (type *lock) \
  { \
    REAL (name); \
    __tsan_release (lock); \
    real (lock); \
  }

#define TRIES(name, type) \
  gboolean \
  name (type *lock) \
  { \
    gboolean have; \
    REAL (name); \
    have = real (lock); \
    if (have) \
      __tsan_acquire (lock); \
    return have; \
  }

/* *INDENT-OFF* */
LOCKS (g_mutex_lock, GMutex)
UNLOCKS (g_mutex_unlock, GMutex)
TRIES (g_mutex_trylock, GMutex)
LOCKS (g_rec_mutex_lock, GRecMutex)
UNLOCKS (g_rec_mutex_unlock, GRecMutex)
TRIES (g_rec_mutex_trylock, GRecMutex)
LOCKS (g_rw_lock_writer_lock, GRWLock)
UNLOCKS (g_rw_lock_writer_unlock, GRWLock)
LOCKS (g_rw_lock_reader_lock, GRWLock)
UNLOCKS (g_rw_lock_reader_unlock, GRWLock)
/* *INDENT-ON* */

void
g_cond_wait (GCond *cond, GMutex *lock)
{
  REAL (g_cond_wait);
  __tsan_release (lock);
  real (cond, lock);
  __tsan_acquire (lock);
}

gboolean
g_cond_wait_until (GCond *cond, GMutex *lock, gint64 end)
{
  gboolean woken;
  REAL (g_cond_wait_until);
  __tsan_release (lock);
  woken = real (cond, lock, end);
  __tsan_acquire (lock);
  return woken;
}
