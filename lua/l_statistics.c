/* l_statistics.c: core.statistics, figures over plain columns. */
#include "l_statistics.h"

#include <lauxlib.h>
#include <lua.h>

#include "modules.h"

static const luaL_Reg functions[] = {
    {"aurc", statistics_aurc},
    {"compare", statistics_compare},
    {"critical", statistics_critical},
    {"draws", statistics_draws},
    {"ece", statistics_ece},
    {"holm", statistics_holm},
    {"macro", statistics_macro},
    {"mcnemar", statistics_mcnemar},
    {"mean_ece", statistics_mean_ece},
    {"means", statistics_means},
    {"numbers", statistics_numbers},
    {"ratio", statistics_ratio},
    {"risk_curve", statistics_risk_curve},
    {"scaled", statistics_scaled},
    {"selective", statistics_selective},
    {"student", statistics_student},
    {"temperature", statistics_temperature},
    {"wilson", statistics_wilson},
    {NULL, NULL}};

int luaopen_core_statistics(lua_State *L) {
  statistics_open_draws(L);
  statistics_open_numbers(L);
  luaL_newlib(L, functions);
  return 1;
}
