-- busted's results as TAP. (busted's own TAP output breaks on a spec that
-- does not load and hides what was wrong with it.)

local busted = require "busted"

return function ()
  local handler = require "busted.outputHandlers.base"()
  local number = 0

  local function say(verdict, name, message)
    number = number + 1
    name = string.gsub(name, "%c", " ")
    io.write(verdict, " ", number, " - ", name, "\n")
    if message then
      message = type(message) == "string" and message
        or require "pl.pretty".write(message)
      io.write("# ", (string.gsub(message, "\n", "\n# ")), "\n")
    end
    io.flush()
  end

  local report = {
    success = function (name)
      say("ok", name)
    end,
    pending = function (name)
      local reason = handler.pendings[#handler.pendings].message or "pending"
      say("ok", "# SKIP " .. name .. ": "
        .. string.gsub(reason, "^[^:]+:%d+: ", ""))
    end,
    failure = function (name)
      say("not ok", name, handler.failures[#handler.failures].message)
    end,
    error = function (name)
      say("not ok", name, handler.errors[#handler.errors].message)
    end,
  }

  function handler.testEnd(element, _, status)
    report[status](handler.getFullName(element))
    return nil, true
  end

  function handler.error(element, _, message)
    if element.descriptor ~= "it" then
      say("not ok", element.name or element.descriptor, message)
    end
    return nil, true
  end

  function handler.suiteEnd()
    io.write("1..", number, "\n")
    return nil, true
  end

  busted.subscribe({ "suite", "end" }, handler.suiteEnd)
  busted.subscribe({ "test", "end" }, handler.testEnd,
    { predicate = handler.cancelOnPending })
  busted.subscribe({ "error" }, handler.error)
  return handler
end
