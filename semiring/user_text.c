/* Name and source text of user-defined types and operators. */
#include "semiring/user_text.h"

#include <ctype.h>
#include <string.h>

const char grid_no_name[] = "user-defined";
uint64_t grid_text_settings;

static bool is_identifier(const char *s) {
  if (!isalpha((unsigned char)*s) && *s != '_') return false;
  for (; *s; s++)
    if (!isalnum((unsigned char)*s) && *s != '_') return false;
  return true;
}

GrB_Info grid_user_text_check(const grid_user_text *u, const char *call) {
  if (u->text == NULL) return GrB_SUCCESS;
  if (u->name == NULL)
    return grid_fail(NULL, GrB_NULL_POINTER, "%s: argument name is NULL, and definition is given", call);
  if (!is_identifier(u->name) || strlen(u->name) > GRID_NAME_MAX)
    return grid_fail(
        NULL, GrB_INVALID_VALUE,
        "%s: argument name is \"%s\"; a definition needs an identifier of C of at most %d letters", call,
        u->name, GRID_NAME_MAX);
  return GrB_SUCCESS;
}

GrB_Info grid_user_operator_check(const void *op, bool has_f, GrB_Type z, GrB_Type x, GrB_Type y,
                                  const grid_user_text *u, const char *call) {
  GrB_Info info = grid_semiring_check_init(call);
  if (info != GrB_SUCCESS) return info;
  if (op == NULL) return grid_fail(NULL, GrB_NULL_POINTER, "%s: argument op is NULL", call);
  if (!has_f) return grid_fail(NULL, GrB_NULL_POINTER, "%s: argument f is NULL", call);
  TRY(grid_check_object(z, NULL, call, "ztype"));
  TRY(grid_check_object(x, NULL, call, "xtype"));
  TRY(grid_check_object(y, NULL, call, "ytype"));
  info = grid_user_text_check(u, call);
done:
  return info;
}

static const char *copy_string(char **at, const char *s) {
  if (s == NULL) return NULL;
  char *start = *at;
  size_t bytes = strlen(s) + 1;
  memcpy(start, s, bytes);
  *at += bytes;
  return start;
}

void *grid_user_text_object(size_t size, grid_user_text *u) {
  size_t more = (u->name ? strlen(u->name) + 1 : 0) + (u->text ? strlen(u->text) + 1 : 0);
  char *o = grid_calloc(1, size + more);
  if (o == NULL) return NULL;
  char *at = o + size;
  u->name = copy_string(&at, u->name);
  u->text = copy_string(&at, u->text);
  return o;
}
