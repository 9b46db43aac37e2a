-- alone(loop, f, how) runs a function as the only task of an event loop. `how`, which
-- may be left out: tag and limits of the task, and tick, as loop:run wants them.
-- Returns how the loop ended; whether f returned, nil where it never ended; and what
-- it returned or raised.

return function (loop, f, how)
  how = how or {}
  local begun, ok, value = false, nil, nil
  local ended = loop:run {
    width = 1, tick = how.tick,
    next = function ()
      if begun then return nil end
      begun = true
      return f, how.tag, how.limits
    end,
    done = function (good, result) ok, value = good, result end,
  }
  return ended, ok, value
end
