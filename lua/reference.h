/* reference.h: the documentation of core.*, which the build collects from the
** bindings (lua/apidoc.lua). */
#ifndef REFERENCE_H
#define REFERENCE_H

typedef struct reference_entry {
  const char *call, *text;
} reference_entry;

extern const reference_entry reference_entries[]; /* ends with NULLs */

#endif
