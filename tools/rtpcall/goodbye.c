/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A goodbye (BYE) may be lost as any packet.  The other end would wait then, and count a picture
 * that stands.  rtpsession says it once, so it is sent again.
 */
#include "goodbye.h"

#include "wire/rtcp.h"

#define AGAIN 2
#define AGAIN_MS 100                    /* a queue that was full has room again */

gboolean
call_has_goodbye (GstBuffer *rtcp)
{
  GstMapInfo map;
  gboolean found;

  if (!gst_buffer_map (rtcp, &map, GST_MAP_READ))
    return FALSE;
  found = rcc_rtcp_has ((RccBytes) { map.data, map.size }, RCC_RTCP_BYE);
  gst_buffer_unmap (rtcp, &map);
  return found;
}

typedef struct {
  GSocket *socket;
  GSocketAddress *to;
  GBytes *bytes;                        /* NULL: nothing is to be sent again */
  guint sent;
} Goodbye;

static void
goodbye_free (gpointer data)
{
  Goodbye *g = data;

  g_object_unref (g->socket);
  g_object_unref (g->to);
  g_clear_pointer (&g->bytes, g_bytes_unref);
  g_free (g);
}

static gboolean
send_again (gpointer data)
{
  Goodbye *g = data;
  gsize size;
  const char *bytes = g_bytes_get_data (g->bytes, &size);

  g_socket_send_to (g->socket, g->to, bytes, size, NULL, NULL);
  return ++g->sent < AGAIN ? G_SOURCE_CONTINUE : G_SOURCE_REMOVE;
}

/* The element may be gone before the last is sent. */
static GstPadProbeReturn
on_rtcp (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  GstBuffer *rtcp = GST_PAD_PROBE_INFO_BUFFER (info);
  Goodbye *g = data, *again;
  gpointer bytes;
  gsize size;

  if (!call_has_goodbye (rtcp))
    return GST_PAD_PROBE_OK;
  gst_buffer_extract_dup (rtcp, 0, -1, &bytes, &size);
  again = g_new0 (Goodbye, 1);
  *again = (Goodbye) { g_object_ref (g->socket), g_object_ref (g->to),
    g_bytes_new_take (bytes, size), 0 };
  g_timeout_add_full (G_PRIORITY_DEFAULT, AGAIN_MS, send_again, again, goodbye_free);
  return GST_PAD_PROBE_REMOVE;
}

void
call_repeat_goodbye (GstElement *sink, GSocket *socket, GSocketAddress *to)
{
  GstPad *pad = gst_element_get_static_pad (sink, "sink");
  Goodbye *g = g_new0 (Goodbye, 1);

  *g = (Goodbye) { g_object_ref (socket), g_object_ref (to), NULL, 0 };
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, on_rtcp, g, goodbye_free);
  gst_object_unref (pad);
}
