/* l_survey.c: core.import.survey. */
#include "ecrb_import.h"

#include "binding.h"
#include "import.h"

static int push_survey(lua_State *L) {
  const ecrb_survey *s = lua_touserdata(L, 1);
  lua_createtable(L, 0, 6);
  bind_set_integer(L, "records", (lua_Integer)s->records);
  bind_set_integer(L, "residues", (lua_Integer)s->residues);
  bind_set_integer(L, "empty", (lua_Integer)s->empty);
  bind_set_integer(L, "odd", (lua_Integer)s->odd);
  bind_set_span(L, "sha256", ecrb_span_of(s->sha256));
  lua_createtable(L, (int)s->n_repeats, 0);
  for (size_t i = 0; i < s->n_repeats; i++) {
    lua_pushinteger(L, (lua_Integer)s->repeats[i] + 1);
    lua_rawseti(L, -2, (lua_Integer)i + 1);
  }
  lua_setfield(L, -2, "repeats");
  return 1;
}

/*** core.import.survey(path) -> survey
**
** Reads a whole FASTA file. survey = {records =, residues =, empty =, odd =
** (records whose letters were changed), sha256 = (over ids and sequences),
** repeats = {numbers, from 1, of records that repeat an earlier one}}. Raises
** for one id with two sequences.
*/
int import_survey(lua_State *L) {
  const char *path = import_check_lasting(L, 1);
  ecrb_survey survey;
  ecrb_err err;
  int status;
  lua_pushcfunction(L, push_survey);
  bind_check(L, ecrb_fasta_survey(path, &survey, &err), &err);
  lua_pushlightuserdata(L, &survey);
  status = lua_pcall(L, 1, 1, 0);
  ecrb_survey_free(&survey);
  return status == LUA_OK ? 1 : lua_error(L);
}
