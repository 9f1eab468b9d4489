/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "about.h"

#include <string.h>
#include <sys/utsname.h>

static char *
link_text (const CallOptions *o)
{
  if (o->mode == CALL_BOTH)
    return g_strdup (o->link);
  return o->mode == CALL_SEND ? g_strdup_printf ("UDP to %s, port %u", o->host, o->port)
      : g_strdup_printf ("UDP, port %u", o->port);
}

static char *
film_text (const CallOptions *o)
{
  g_autofree char *name = NULL;

  if (o->mode == CALL_RECEIVE)
    return g_strdup ("the other end's");
  name = g_path_get_basename (o->input);
  return g_strdup_printf ("%s, %d x %d, %d pictures a second", name, o->width, o->height, o->fps);
}

/* As in "x264enc (gst-plugins-ugly 1.26.2)". */
static char *
encoder_text (const Call *call)
{
  GstElementFactory *factory;
  GstPlugin *plugin;
  char *text;

  if (!call->encoder)
    return g_strdup ("the other end's");
  factory = gst_element_get_factory (call->encoder);
  plugin = gst_plugin_feature_get_plugin (GST_PLUGIN_FEATURE (factory));
  text = g_strdup_printf ("%s (%s %s)", GST_OBJECT_NAME (factory),
      plugin ? gst_plugin_get_source (plugin) : "built in",
      plugin ? gst_plugin_get_version (plugin) : "");
  g_clear_pointer (&plugin, gst_object_unref);
  return text;
}

static char *
controller_text (const CallOptions *o)
{
  const char *profile = o->profile ? o->profile : o->variant;

  return g_strconcat (o->cc->name, profile ? ", profile " : "", profile ? profile : "",
      ", feedback ", o->feedback_name ? o->feedback_name : "none", NULL);
}

/* The first processor's, where the kernel tells. */
static char *
processor_text (void)
{
  g_autofree char *all = NULL;
  const char *found = NULL;

  if (g_file_get_contents ("/proc/cpuinfo", &all, NULL, NULL))
    found = strstr (all, "model name");
  found = found ? strchr (found, ':') : NULL;
  return found ? g_strstrip (g_strndup (found + 1, strcspn (found + 1, "\n"))) : NULL;
}

static char *
machine_text (void)
{
  g_autofree char *processor = processor_text ();
  struct utsname system;

  if (uname (&system))
    return NULL;
  return g_strdup_printf ("%s, %u cores, %s %s", processor ? processor : system.machine,
      g_get_num_processors (), system.sysname, system.release);
}

/* Takes @text; NULL: that is not known. */
static void
add (GPtrArray *about, const char *name, char *text)
{
  if (!text)
    return;
  g_ptr_array_add (about, g_strdup (name));
  g_ptr_array_add (about, text);
}

GPtrArray *
call_about (const Call *call)
{
  GPtrArray *about = g_ptr_array_new_with_free_func (g_free);
  guint major, minor, micro, nano;

  gst_version (&major, &minor, &micro, &nano);
  add (about, "link", link_text (call->options));
  add (about, "film", film_text (call->options));
  add (about, "encoder", encoder_text (call));
  add (about, "controller", controller_text (call->options));
  add (about, "gstreamer", g_strdup_printf ("%u.%u.%u", major, minor, micro));
  add (about, "machine", machine_text ());
  return about;
}
