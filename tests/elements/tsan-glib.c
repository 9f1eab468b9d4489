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

#pragma GCC visibility push(default)    /* for the plugins */

void __tsan_acquire (void *);
void __tsan_release (void *);

/* Any thread may be the first. */
static gpointer
look_up (gpointer *real, const gchar *name)
{
  if (!__atomic_load_n (real, __ATOMIC_RELAXED))
    __atomic_store_n (real, dlsym (RTLD_NEXT, name), __ATOMIC_RELAXED);
  return __atomic_load_n (real, __ATOMIC_RELAXED);
}

#define REAL(name) \
  static gpointer found; \
  __typeof__ (name) *const real = (__typeof__ (name) *) look_up (&found, #name)

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

/* GstHarness hands buffers and events over by these. */
void
g_async_queue_push (GAsyncQueue *queue, gpointer data)
{
  REAL (g_async_queue_push);
  __tsan_release (queue);
  real (queue, data);
}

#define POPS(name, parameters, arguments) \
  gpointer \
  name parameters \
  { \
    gpointer data; \
    REAL (name); \
    data = real arguments; \
    __tsan_acquire (queue); \
    return data; \
  }

/* *INDENT-OFF* */
POPS (g_async_queue_pop, (GAsyncQueue *queue), (queue))
POPS (g_async_queue_try_pop, (GAsyncQueue *queue), (queue))
POPS (g_async_queue_timeout_pop, (GAsyncQueue *queue, guint64 timeout), (queue, timeout))
/* *INDENT-ON* */
