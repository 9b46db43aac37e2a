local sched = require "core.sched"
local system = require "core.system"

-- Runs the functions as root tasks; how it ended and {ok, value} of each.
local function run(functions, options)
  options = options or {}
  local loop, given, out = options.loop or sched.loop(), 0, {}
  local how = loop:run {
    next = function ()
      given = given + 1
      return functions[given], given, options.limits
    end,
    done = function (ok, value, tag) out[tag] = { ok, value } end,
    width = options.width or 100, tick = options.tick,
  }
  return out, how
end

local function outcome(f, options)
  local out = run({ f }, options)
  return out[1][1], out[1][2]
end

describe("loop:run", function ()
  it("gives each task's outcome under its tag", function ()
    local out, how = run {
      function () return "value" end,
      function () error "broken" end,
      function () error({ code = "gone", class = "run", message = "m" }) end,
      function () end,
    }
    assert.equal("done", how)
    assert.same({ true, "value" }, out[1])
    assert.is_false(out[2][1])
    assert.matches("sched_spec.lua:%d+: broken$", out[2][2])
    assert.same({ code = "gone", class = "run", message = "m" }, out[3][2])
    assert.same({ true }, out[4])
  end)

  it("asks again for what was held back when a task has ended", function ()
    local given, alive, most = 0, 0, 0
    local how = sched.loop():run {
      width = 10, done = function () alive = alive - 1 end,
      next = function ()
        if alive == 2 then return false end
        given = given + 1
        if given > 5 then return nil end
        alive = alive + 1
        most = math.max(most, alive)
        return function () sched.sleep(0.001) end
      end,
    }
    assert.same({ "done", 6, 2, 0 }, { how, given, most, alive })
  end)

  it("keeps no more than `width` tasks alive", function ()
    local alive, most, functions = 0, 0, {}
    for i = 1, 20 do
      functions[i] = function ()
        alive = alive + 1
        most = math.max(most, alive)
        sched.sleep(0.001)
        alive = alive - 1
      end
    end
    run(functions, { width = 3 })
    assert.equal(3, most)
  end)

  it("runs a thousand tasks one at a time", function ()
    local functions = {}
    for i = 1, 1000 do functions[i] = function () return i end end
    local out = run(functions, { width = 1 })
    assert.same({ true, 1000 }, out[1000])
  end)

  it("resumes by completion, and results stand by tag", function ()
    local order, functions = {}, {}
    for i = 1, 3 do
      functions[i] = function ()
        sched.sleep(0.02 * (4 - i))
        order[#order + 1] = i
        return i
      end
    end
    local out = run(functions)
    assert.same({ 3, 2, 1 }, order)
    assert.same({ { true, 1 }, { true, 2 }, { true, 3 } }, out)
  end)

  it("wakes equal sleepers in the order in which they slept in", function ()
    local order, functions = {}, {}
    for i = 1, 50 do
      functions[i] = function ()
        sched.sleep(0)
        order[#order + 1] = i
      end
    end
    run(functions)
    for i = 1, 50 do assert.equal(i, order[i]) end
  end)

  it("ticks at most four times a second", function ()
    local ticks = 0
    run({ function () sched.sleep(0.6) end },
      { tick = function () ticks = ticks + 1 end })
    assert.is_true(ticks >= 2 and ticks <= 4)
  end)

  it("refuses nonsense, and itself inside a task", function ()
    local loop = sched.loop()
    for field, spec in pairs {
      next = { done = print }, done = { next = print },
      width = { next = print, done = print, width = 0 },
      with = { next = print, done = print, with = 1 },
    } do
      assert.error_matches(function () loop:run(spec) end, field)
    end
    local ok, message = outcome(function ()
      sched.loop():run { next = print, done = print }
    end)
    assert.is_false(ok)
    assert.matches("loop:run inside a task or another loop:run$", message)
  end)

  it("cleans up where the policy's own functions raise", function ()
    local loop, closed = sched.loop(), false
    local i = 0
    assert.has_error(function ()
      loop:run { width = 2, done = function () error("in done", 0) end,
                 next = function ()
                   i = i + 1
                   if i == 1 then return function () sched.sleep(0) end end
                   return function ()
                     local _ <close> = setmetatable({}, { __close = function ()
                       closed = true
                     end })
                     sched.sleep(100)
                   end
                 end }
    end, "in done")
    assert.is_true(closed)
    assert.same({ true, 1 }, { outcome(function () return 1 end,
      { loop = loop }) })
  end)

  it("stays small over a long stream of tasks", function ()
    local given, loop = 0, sched.loop()
    local function stream(n)
      given = 0
      loop:run { width = 50, done = function () end, next = function ()
        given = given + 1
        return given <= n and function () sched.sleep(0) end or nil
      end }
      collectgarbage()
      collectgarbage()
      return collectgarbage "count"
    end
    local before = stream(2000)
    assert.is_true(stream(30000) < before + 20)
  end)

  it("needs some two KB for a task that waits", function ()
    local functions, held = {}, nil
    local before = collectgarbage "count"
    for i = 1, 3500 do
      functions[i] = function ()
        sched.sleep(0.2)
        held = held or collectgarbage "count"
      end
    end
    run(functions, { width = 3500 })
    assert.is_true((held - before) / 3500 < 5)
  end)
end)

describe("sched.sample", function ()
  it("gives results in the order of the numbers", function ()
    local ok, results = outcome(function ()
      return sched.sample(3, function (i)
        sched.sleep(0.005 * (4 - i))
        if i == 2 then error({ code = "lost", message = "gone" }) end
        return i * 10
      end)
    end)
    assert.is_true(ok)
    assert.same({ { ok = true, value = 10 },
      { ok = false, value = { code = "lost", message = "gone" } },
      { ok = true, value = 30 } }, results)
  end)

  it("nests, and takes none at all", function ()
    local _, results = outcome(function ()
      return sched.sample(2, function (i)
        local inner = sched.sample(2, function (j)
          sched.sleep(0)
          return i * 10 + j
        end)
        return inner[1].value + inner[2].value
      end)
    end)
    assert.same({ 23, 43 }, { results[1].value, results[2].value })
    assert.same({ true, {} }, { outcome(function ()
      return sched.sample(0, print)
    end) })
  end)

  it("ends the children that wait with a task over its limit", function ()
    local closed = 0
    local function close()
      return setmetatable({}, { __close = function () closed = closed + 1 end })
    end
    local out = run({ function ()
      sched.sample(3, function (i)
        if i == 3 then
          sched.sleep(0.01)
          while true do end
        end
        local _ <close> = close()
        sched.sleep(100)
      end)
    end }, { limits = { instructions = 1e5 } })
    assert.is_false(out[1][1])
    assert.equal("limit", out[1][2].code)
    assert.equal("the task ran for more than its 100000 instructions",
      out[1][2].message)
    assert.equal(2, closed)
  end)

  it("bounds how deep", function ()
    local function nest(n) return sched.sample(1, function ()
      return n > 1 and nest(n - 1) or "bottom"
    end) end
    local function bottom(result)
      local value = result[1].value
      return type(value) == "table" and bottom(value) or value
    end
    local _, result = outcome(function () return nest(16) end)
    assert.equal("bottom", bottom(result))
    _, result = outcome(function () return nest(17) end)
    assert.matches("sample inside 16 others$", bottom(result))
  end)

  it("bounds how many", function ()
    local ok, message = outcome(function () sched.sample(1e6, print) end)
    assert.is_false(ok)
    assert.matches("from 0 to 10000 children", message)
    ok, message = outcome(function ()
      sched.sample(10000, function () sched.sleep(1) end)
    end, { limits = { memory = 1e6 } })
    assert.is_false(ok)
    assert.equal("the task needs more than its 1.0 MB of memory",
      message.message)
  end)
end)

-- Who entered, in order, and n functions that call f(enter).
local function in_turn(gate, n, f)
  local order, functions = {}, {}
  for i = 1, n do
    functions[i] = function ()
      f(function ()
        gate:enter()
        order[#order + 1] = i
        sched.sleep(0.001)
        gate:leave()
      end)
    end
  end
  return order, functions
end

describe("sched.gate", function ()
  it("lets in so many, in their turn", function ()
    local gate, inside, most, order = sched.gate(2), 0, 0, {}
    local functions = {}
    for i = 1, 10 do
      functions[i] = function ()
        gate:enter()
        order[#order + 1] = i
        inside = inside + 1
        most = math.max(most, inside)
        sched.sleep(0.001)
        inside = inside - 1
        gate:leave()
      end
    end
    run(functions)
    assert.equal(2, most)
    for i = 1, 10 do assert.equal(i, order[i]) end
    assert.same({ 0, 0 }, { gate:state() })
  end)

  it("lets those of the earliest root in first, again and again", function ()
    local order, functions = in_turn(sched.gate(1), 6, function (enter)
      for _ = 1, 3 do enter() end
    end)
    run(functions, { width = 3 })
    assert.equal("1 1 1 2 2 2 3 3 3 4 4 4", table.concat(order, " ", 1, 12))
  end)

  it("counts children with their root", function ()
    local order, functions = in_turn(sched.gate(2), 6, function (enter)
      sched.sample(4, enter)
    end)
    run(functions, { width = 3 })
    assert.equal("1 1 1 1 2 2 2 2 3 3 3 3", table.concat(order, " ", 1, 12))
  end)

  it("lets all take turns when no more are to come", function ()
    local order, functions = in_turn(sched.gate(1), 3, function (enter)
      for _ = 1, 3 do enter() end
    end)
    run(functions)
    assert.equal("1 2 3 1 2 3 1 2 3", table.concat(order, " "))
  end)

  it("gets back the place of a task that dies inside", function ()
    local gate = sched.gate(1)
    local out = run {
      function () gate:enter() sched.sleep(0.001) error "inside" end,
      function () gate:enter() return "entered" end,
    }
    assert.same({ true, "entered" }, out[2])
    assert.same({ 0, 0 }, { gate:state() })
  end)

  it("can be made wider and narrower", function ()
    local gate, entered = sched.gate(0), 0
    local functions = { function ()
      sched.sleep(0.005)
      assert(select(2, gate:state()) == 2)
      gate:width(2)
      return gate:width()
    end }
    for i = 2, 3 do
      functions[i] = function ()
        gate:enter()
        entered = entered + 1
      end
    end
    assert.same({ true, 2 }, run(functions)[1])
    assert.equal(2, entered)
  end)

  it("says when nobody can go on", function ()
    assert.error_matches(function ()
      run { function () sched.gate(0):enter() end }
    end, "every task waits at a gate that nobody will leave")
  end)

  it("refuses who has not entered", function ()
    local gate = sched.gate(1)
    assert.error_matches(function () gate:leave() end,
      "gate:leave without gate:enter in this task")
    assert.error_matches(function () gate:enter() end,
      "gate:enter waits, and only a task of a running loop may wait")
    assert.error_matches(function () sched.gate(-1) end, "0 or more")
  end)
end)

-- A server that answers `{}` after the `wait` (ms) that a path asks for.
local function start_server()
  local build = string.match(os.getenv "ECRB_TEST_PROGRAM",
    "^(.*/%.build/%w+)/ecrb$") or ".build/opt"
  local server = io.popen("echo $$; exec " .. build
    .. "/tests/faultd --seconds 60 --content hello")
  local pid, port = server:read("l", "l")
  return "http://127.0.0.1:" .. port .. "/v1/x", function ()
    os.execute("kill " .. pid)
    server:close()
  end
end

describe("sched.fetch", function ()
  local url, stop_server
  setup(function () url, stop_server = start_server() end)
  teardown(function () stop_server() end)

  it("hands over a whole response", function ()
    local _, response = outcome(function ()
      return sched.fetch { url = url, body = '{"model":"m"}' }
    end)
    assert.equal("done", response.ending)
    assert.equal(200, response.status)
    assert.matches("hello", response.body)
    assert.matches("[Cc]ontent%-[Ll]ength: %d+\r\n", response.headers)
    assert.is_true(response.total >= response.first_byte)
    assert.equal("", response.detail)
  end)

  it("runs many at once, results by task", function ()
    local functions, started = {}, system.monotonic()
    for i = 1, 100 do
      functions[i] = function ()
        local wait = 100 + (i * 37) % 100
        return sched.fetch { url = url .. "?wait=" .. wait .. "&status="
          .. 200 + i, body = "{}" }.status
      end
    end
    local out = run(functions)
    for i = 1, 100 do assert.same({ true, 200 + i }, out[i]) end
    assert.is_true(system.monotonic() - started < 5)
  end)

  it("counts the response against the task's memory", function ()
    local out = run({ function ()
      local kept = {}
      for i = 1, 10000 do
        kept[i] = sched.fetch { url = url, body = "{}" }.body .. i
      end
      return #kept
    end }, { limits = { memory = 200000 } })
    assert.equal("the task needs more than its 0.2 MB of memory",
      out[1][2].message)
  end)

  it("is cancelled with its task, and at the second stop", function ()
    local started, loop = system.monotonic(), sched.loop()
    local function ask() return sched.fetch { url = url .. "?wait=30000",
                                              body = "{}" } end
    local out = run({
      function ()
        return sched.sample(2, function (i)
          if i == 1 then return ask() end
          sched.sleep(0.02)
          while true do end
        end)
      end,
      ask,
      function ()
        sched.sleep(0.1)
        loop:stop "later"
        loop:stop "now"
        sched.sleep(9)
      end,
    }, { loop = loop, limits = { instructions = 1e5 } })
    assert.equal("limit", out[1][2].code)
    for i = 2, 3 do
      assert.same({ code = "cancelled", message = "now" }, out[i][2])
    end
    assert.is_true(system.monotonic() - started < 5)
  end)

  it("reports how a request ended", function ()
    local ok, response = outcome(function ()
      return sched.fetch { url = "http://127.0.0.1:1/", body = "{}",
                           headers = { "Content-Type: application/json" } }
    end)
    assert.is_true(ok)
    assert.equal("connect", response.ending)
    assert.equal(0, response.status)
    assert.equal("", response.body)
    assert.matches("port 1", response.detail)
  end)

  it("refuses nonsense by field", function ()
    for message, spec in pairs {
      ["field 'url' is missing"] = {},
      ["field 'url' is no text"] = { url = 1 },
      ["header 1 is no text"] = { url = "x", headers = { 1 } },
      ["'headers' is a list"] = { url = "x", headers = "y" },
      ["method 'GET' does not fit"] = { url = "x", body = "", method = "GET" },
      ["unknown field 'uri'"] = { uri = "x" },
    } do
      local ok, why = outcome(function () sched.fetch(spec) end)
      assert.is_false(ok)
      assert.matches(message, why)
    end
  end)
end)

describe("waiting", function ()
  it("is refused where nothing can wait, with the reason", function ()
    local _, message = outcome(function ()
      table.sort({ 3, 2, 1 }, function (a, b)
        sched.sleep(0)
        return a < b
      end)
    end)
    assert.matches("sleep waits, and nothing may wait inside 'sort': call it "
      .. "before or after", message)
    assert.error_matches(function () sched.sleep(1) end,
      "sleep waits, and only a task of a running loop may wait")
    _, message = outcome(function ()
      coroutine.wrap(function () sched.sleep(1) end)()
    end)
    assert.matches("nor may a coroutine inside one", message)
    _, message = outcome(function () coroutine.yield() end)
    assert.equal("a script yielded by itself; it may only wait in fetch, "
      .. "sleep, sample and gate:enter", message)
    assert.is_false((outcome(function () sched.sleep(-1) end)))
    assert.is_false((outcome(function () sched.sleep(0 / 0) end)))
  end)

  it("goes through pcall and metamethods of Lua", function ()
    local _, value = outcome(function ()
      local slow = setmetatable({}, { __index = function (_, key)
        sched.sleep(0)
        return key
      end, __add = function () sched.sleep(0) return 5 end })
      local _, caught = pcall(function () sched.sleep(0) error("x", 0) end)
      return slow.a .. (slow + 1) .. caught
    end)
    assert.equal("a5x", value)
  end)

  it("does not count against the seconds", function ()
    assert.same({ true, "slept" }, { outcome(function ()
      sched.sleep(0.2)
      return "slept"
    end, { limits = { seconds = 0.1 } }) })
  end)
end)

describe("stopping", function ()
  it("cancels who cannot go on and starts nobody", function ()
    local loop, reached = sched.loop(), {}
    local functions = {
      function () sched.sleep(100) reached[1] = true end,
      function () sched.gate(0):enter() reached[2] = true end,
      function () sched.sleep(0.01) loop:stop("enough") sched.sleep(100) end,
      function ()
        sched.sleep(0.01)
        pcall(sched.fetch, { url = "http://127.0.0.1:1/" })
        reached[4] = true
      end,
      function () reached[5] = true end,
    }
    local out, how = run(functions, { loop = loop, width = 4 })
    assert.equal("stopped", how)
    for i = 1, 4 do
      assert.same({ false, { code = "cancelled", message = "enough" } },
        { out[i][1], out[i][2] })
    end
    assert.is_nil(out[5])
    assert.same({}, reached)
    assert.equal("enough", loop:stopping())
  end)

  it("lets a request under way finish", function ()
    local url, stop_server = start_server()
    local loop, status = sched.loop(), nil
    local out = run({
      function ()
        status = sched.fetch { url = url .. "?wait=300", body = "{}" }.status
        return "finished"
      end,
      function () sched.sleep(0.05) loop:stop() end,
      function () sched.sleep(0.1) return "too late" end,
    }, { loop = loop })
    stop_server()
    assert.equal(200, status)
    assert.same({ true, "finished" }, out[1])
    assert.equal("cancelled", out[3][2].code)
  end)

  it("heeds signals: once, then at once", function ()
    local script = os.getenv "TMP" .. "/interrupted.lua"
    system.write(script, [[
      local sched = require "core.sched"
      local i = 0
      io.stdout:setvbuf "no"
      print(sched.loop():run {
        width = 2,
        next = function ()
          i = i + 1
          if i == 1 then
            return function () print "begun" sched.sleep(100) end, 1
          elseif i == 2 then
            return function () while true do end end, 2, { instructions = 1e12, seconds = 1e3 }
          end
          return print, i
        end,
        done = function (ok, err, tag)
          print(tag, ok, err.code, err.message)
        end })
    ]])
    local code, output = system.run { "sh", "-c", "ecrb lua " .. script
      .. [[ & job=$!; sleep 0.5; kill -INT $job; sleep 0.3; kill -INT $job
      wait $job]] }
    assert.same({ 0, "begun\n2\tfalse\tcancelled\tinterrupted\n"
      .. "1\tfalse\tcancelled\tinterrupted\ninterrupted\n" }, { code, output })
  end)
end)

describe("a promise", function ()
  -- A loop in a coroutine, and what its tasks returned; resume it with `turn`.
  local function in_turns(functions)
    local out = {}
    local co = coroutine.create(function ()
      local how
      out.values, how = run(functions)
      return how
    end)
    return function ()
      local ok, how = coroutine.resume(co)
      assert.is_true(ok, how)
      return coroutine.status(co) == "dead" and how or nil, out.values
    end
  end

  it("is kept by whoever runs the loop, in any order", function ()
    local promises, functions, order = {}, {}, {}
    for i = 1, 3 do
      promises[i] = sched.promise()
      functions[i] = function ()
        local value = promises[i]:wait()
        order[#order + 1] = i
        return value
      end
    end
    local turn = in_turns(functions)
    assert.is_nil(turn())
    assert.is_nil(turn())
    for _, i in ipairs { 3, 1 } do promises[i]:keep("value " .. i) end
    assert.is_nil(turn())
    assert.same({ 3, 1 }, order)
    promises[2]:keep(nil)
    local how, values = turn()
    assert.equal("done", how)
    assert.same({ { true, "value 1" }, { true }, { true, "value 3" } }, values)
  end)

  it("may be kept before anybody waits, once, and by another task", function ()
    local early, other = sched.promise(), sched.promise()
    early:keep(7)
    assert.error_matches(function () early:keep(8) end, "kept already")
    local out = run {
      function () return early:wait() + other:wait() end,
      function () other:keep(1) end,
    }
    assert.same({ true, 8 }, out[1])
  end)

  it("is for one task, and for tasks alone", function ()
    local promise = sched.promise()
    assert.error_matches(function () promise:wait() end, "only a task")
    local turn = in_turns { function () return promise:wait() end,
                            function () return promise:wait() end }
    assert.is_nil(turn())
    promise:keep(1)
    local how, out = turn()
    assert.equal("done", how)
    assert.is_true(out[1][1])
    assert.matches("another task waits", out[2][2])
  end)

  it("that nobody can keep is an error, not a wait without end", function ()
    assert.error_matches(function ()
      run { function () sched.promise():wait() end }
    end, "a promise that nobody will keep")
  end)

  it("is waited for while the loop stops, and forgotten at the second stop", function ()
    for stops = 1, 2 do
      local loop, promise, out = sched.loop(), sched.promise(), nil
      local turn = coroutine.wrap(function ()
        out = run({ function () return promise:wait() end }, { loop = loop })
        return "over"
      end)
      assert.is_nil(turn())
      for _ = 1, stops do loop:stop("enough") end
      if stops == 1 then
        assert.is_nil(turn())
        promise:keep("at last")
      end
      assert.equal("over", turn())
      if stops == 1 then
        assert.same({ true, "at last" }, out[1])
      else
        assert.same({ false, { code = "cancelled", message = "enough" } }, out[1])
      end
    end
  end)
end)
