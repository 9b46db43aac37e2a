-- Runs one busted spec inside ecrb and reports it in TAP:
--   ecrb lua tests/busted.lua tests/lua/NAME_spec.lua

arg = { [0] = arg[0], "-o", "tests/tap.lua", arg[1] }
require "busted.runner"({ standalone = false })
