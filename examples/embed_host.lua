-- What embed_host.c runs: EC numbers from the command line, level by level,
-- with a function that the C program lends.

local ec = require "core.ec"

for _, text in ipairs(arg) do
  local number, level = ec.parse(text)
  print(number or text .. " is no EC number", level and twice(level)) -- luacheck: ignore 113
end
