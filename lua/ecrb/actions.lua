-- A command whose first word names an action: `ecrb care score ...`. Each
-- action is a module FOLDER.NAME, loaded when it is asked for, with a summary,
-- configure and run, as a command has them.

local function load(folder, name)
  return require("ecrb." .. folder .. "." .. name)
end

-- The command `folder` with the actions `names`.
return function (folder, summary, names)
  local command = { summary = summary }

  function command.configure(parser)
    local parts = {}
    parser:require_command(true):command_target("action")
    for _, name in ipairs(names) do
      local action = load(folder, name)
      local words = string.gsub(action.summary, "^%l", string.upper)
      local part = parser:command(name, words .. ".")
      part:usage_max_width(80):help_max_width(80)
      parts[name] = part
      for inner, deeper in pairs(action.configure(part) or {}) do
        parts[name .. " " .. inner] = deeper
      end
    end
    return parts
  end

  -- What an action adds to its help.
  function command.more_help(words)
    for _, name in ipairs(names) do
      local action = words[1] == name and load(folder, name)
      if action and action.more_help then return action.more_help(words) end
    end
    return ""
  end

  function command.run(args)
    return load(folder, args.action).run(args)
  end

  return command
end
