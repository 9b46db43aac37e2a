-- `ecrb bench ...`: benchmarks made, checked and looked at. Each action is a
-- module ecrb/bench/NAME.lua with a summary, configure and run.

local command = { name = "bench", summary = "Makes, checks and shows benchmarks" }

local actions = { "import", "check", "show" }

local function load(name)
  return require("ecrb.bench." .. name)
end

function command.configure(p)
  local parts = {}
  p:require_command(true):command_target("action")
  for _, name in ipairs(actions) do
    local action = load(name)
    local part = p:command(name, action.summary .. ".")
    part:usage_max_width(80):help_max_width(80)
    parts[name] = part
    for inner, parser in pairs(action.configure(part) or {}) do
      parts[name .. " " .. inner] = parser
    end
  end
  return parts
end

function command.run(args)
  return load(args.action).run(args)
end

return command
