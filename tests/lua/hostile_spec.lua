-- Scripts of one to five lines that mean harm, or that a tired author might
-- write, and exactly what becomes of them.

local sandbox = require "core.sandbox"
local frozen = require "ecrb.frozen"

local limits = { instructions = 1e7, memory = 8e6, seconds = 100 }

local function run(source, most)
  local chunk = sandbox.compile("script.lua", source)
  return sandbox.run(most or limits, chunk, frozen.environment {})
end

local steps = "the task ran for more than its 10000000 instructions"
local memory = "the task needs more than its 8.0 MB of memory"
local regex = "script.lua:1: the regular expression takes too long on this "
  .. "text: make it more specific, or the text shorter"

local function read_only(name)
  return "script.lua:1: string." .. name
    .. " cannot be set: string is read-only"
end

local function no_pattern(name)
  return "script.lua:1: scripts have no string." .. name
    .. ", whose patterns could run without end: use find(text, regex)"
end

describe("a hostile script", function ()
  for source, message in pairs {
    -- time
    ["while true do end"] = steps,
    ["while true do pcall(function () while true do end end) end"] = steps,
    ["repeat local ok = pcall(error) until false"] = steps,
    ["local function f() return f() end f()"] = steps,
    ["for i = 1, math.huge do end"] = steps,
    ["::again:: goto again"] = steps,
    ["local function f() pcall(f) pcall(f) end f()"] = steps,
    ["local function f() local ok, e = pcall(f) error(e, 0) end f()"]
      = "script.lua:1: pcall inside more than 200 calls",
    ["local s = ('x'):rep(1e6) while true do tonumber(s) end"] = steps,
    ["local t = {} for i = 1, 1e4 do t[i] = i end while true do pairs(t) end"]
      = steps,
    ["local t = {} for i = 1, 1e9 do t[1] = { i } end"] = steps,
    ["return (''):rep(1 << 60)"] = steps,
    ["table.move({}, 1, 1 << 62, 1)"] = steps,
    ["table.move({}, -1 << 62, 1 << 62, 1)"] = steps,
    ["table.concat({}, '', -1 << 62, 1 << 62)"] = steps,
    ["table.unpack({}, 1, 1 << 62)"] = steps,
    ["local t = {} table.sort(t, function () while true do end end) "
      .. "t = { 1, 2 } table.sort(t, function () while true do end end)"]
      = steps,
    ["local s = ('a'):rep(1e6) while true do s = s:upper() end"] = steps,
    ["find(('a'):rep(40) .. '!', '(a+)+[bc]')"] = regex,
    ["find('a', ('('):rep(3000) .. 'a' .. (')'):rep(3000))"]
      = "script.lua:1: bad argument #2 to 'find' (the regular expression is "
      .. "longer than 4096 bytes)",
    ["find('a', '((a{1,900}){1,900}){1,900}')"]
      = "script.lua:1: bad argument #2 to 'find' (regular expression, at byte "
      .. "27: regular expression is too large)",
    ["find(('a'):rep(1e6), '(?R)')"] = regex,
    ["find(('a'):rep(2e5), 'a*a*[bc]')"] = regex,
    ["find(('a'):rep(1e6), 'a*[bc]')"] = regex,
    ["pcall(find, ('a'):rep(40), '(a+)+[bc]') while true do end"] = steps,
    -- memory
    ["local t = {} for i = 1, 1e9 do t[i] = i end"] = memory,
    ["local s = 'x' while true do s = s .. s end"] = memory,
    ["local s = 'x' while true do pcall(function () s = s .. s end) end"]
      = memory,
    ["local t = {} while true do t[#t + 1] = {} pcall(error, t) end"] = memory,
    ["return ('x'):rep(1e7)"] = memory,
    ["return ('x'):rep(1e4, ('y'):rep(1e4))"] = memory,
    ["return ('x'):rep(1e5, ('y'):rep(1e5))"]
      = "script.lua:1: resulting string too large",
    ["local t = {} for i = 1, 1e5 do t[i] = ('x'):rep(100) end "
      .. "return table.concat(t)"] = memory,
    ["local function f() return 1 + f() end f()"] = memory,
    ["local s = {} for i = 1, 1e6 do s = { s, s } end"] = memory,
    -- the shared world
    ["x = 1"] = "script.lua:1: assignment to the global `x`: write `local x`; "
      .. "scripts have no globals",
    ["return x"] = "script.lua:1: unknown name `x`: scripts have locals and "
      .. "the words of `ecrb help api`",
    ["string.upper = nil"] = read_only "upper",
    ["string.new = 1"] = read_only "new",
    ["local s = 'x' return s:match('x')"] = no_pattern "match",
    ["return ('x'):gsub('x', 'y')"] = no_pattern "gsub",
    ["return string.find('x', 'x')"] = no_pattern "find",
    ["for w in string.gmatch('x', 'x') do end"] = no_pattern "gmatch",
    ["return string.dump(function () end)"]
      = "script.lua:1: scripts have no string.dump",
    ["return ('x').foo"] = "script.lua:1: scripts have no string.foo",
    ["table.insert(math, 1)"] = "script.lua:1: bad argument #1 to 'insert' "
      .. "(the table is read-only)",
    ["table.sort(string)"] = "script.lua:1: bad argument #1 to 'sort' "
      .. "(the table is read-only)",
    ["return string.format('%p', {})"] = "script.lua:1: bad argument #1 to "
      .. "'format' (scripts have no '%p')",
    -- errors
    ["error({})"] = { code = "script",
      message = "an error value that is a table without a message" },
    ["error({ message = {} })"] = { code = "script",
      message = "an error value that is a table without a message" },
    ["error({ code = 'x', message = 'a\\27[2Jb' })"] = { code = "x",
      message = "a\\x1B[2Jb" },
    ["error(nil)"] = "an error value that is a nil without a message",
    ["error(print)"] = "script.lua:1: unknown name `print`: scripts have "
      .. "locals and the words of `ecrb help api`",
    ["error(('x'):rep(1e6), 0)"] = string.rep("x", 2000)
      .. "... (1000000 bytes in all)",
    ["error('\\27]0;title\\7', 0)"] = "\\x1B]0;title\\x07",
  } do
    it("ends: " .. source, function ()
      local started = os.clock()
      local ok, err = run(source)
      assert.is_false(ok)
      assert.same(message, type(message) == "string" and type(err) == "table"
        and err.message or err)
      assert.is_true(os.clock() - started < 10)
    end)
  end

  it("is told apart by its code", function ()
    local _, err = run "while true do end"
    assert.equal("limit", err.code)
    _, err = run "return ('x'):rep(1e7)"
    assert.equal("limit", err.code)
  end)

  it("cannot outlive its seconds", function ()
    local _, err = run("while true do end",
      { instructions = 1e15, seconds = 0.2 })
    assert.equal("the task ran for more than its 0.2 seconds", err.message)
  end)

  it("does not pay for the time in which the process was stopped", function ()
    local system = require "core.system"
    local path = os.getenv "TMP" .. "/stopped.lua"
    system.write(path, [[
      local _, err = require "core.sandbox".run({ seconds = 0.4,
        instructions = 1e15 }, function () while true do end end)
      print(err.message, os.clock() > 0.35)
    ]])
    assert.same({ 0, "the task ran for more than its 0.4 seconds\ttrue\n" },
      { system.run { "sh", "-c", "ecrb lua " .. path .. [[ & job=$!
        sleep 0.2; kill -STOP $job; sleep 1; kill -CONT $job; wait $job]] } })
  end)

  it("leaves nothing behind for the next one", function ()
    for _ = 1, 3 do
      assert.is_false((run "local t = {} for i = 1, 1e9 do t[i] = i end"))
    end
    assert.same({ true, 4 }, { run "return 2 + 2" })
    collectgarbage()
    collectgarbage()
    local before = collectgarbage "count"
    for _ = 1, 20 do run "local s = 'x' while true do s = s .. s end" end
    collectgarbage()
    collectgarbage()
    assert.is_true(collectgarbage "count" < before + 100)
  end)

  it("does not see the patterns that the policy has", function ()
    assert.equal("x", ("x"):match "x")
    assert.is_false(getmetatable "")
  end)
end)

describe("a tame script", function ()
  for source, value in pairs {
    ["return ('ab'):rep(2, '-'):upper()"] = "AB-AB",
    ["local t = { 3, 1, 2 } table.sort(t) return table.concat(t, ' ')"]
      = "1 2 3",
    ["local t = { 1, 3 } table.insert(t, 2, 2) table.remove(t, 1) "
      .. "return table.concat(t, ' ')"] = "2 3",
    ["return table.concat(table.move({ 1, 2, 3 }, 2, 3, 1), ' ')"] = "2 3 3",
    ["return select('#', table.unpack({ 1, 2, 3 }))"] = 3,
    ["local s = '' for k, v in pairs { b = 1, a = 2, [2] = 3, [1] = 4 } do "
      .. "s = s .. k .. v end return s"] = "1423a2b1",
    ["local t = { a = 1, b = 2, c = 3 } for k in pairs(t) do t[k] = nil end "
      .. "for k in pairs(t) do return k end return 'empty'"] = "empty",
    ["return tostring({}) .. tostring(pairs) .. tostring(1.5)"]
      = "tablefunction1.5",
    ["return string.format('%s %d %q', {}, 3, 'x')"] = 'table 3 "x"',
    ["return utf8.len('é') + utf8.codepoint('a')"] = 98,
    ["local ok, e = pcall(error, 'x') return e"] = "x",
    ["return math.type(3) .. math.max(1, 2)"] = "integer2",
    ["return ..."] = nil,
  } do
    it("runs: " .. source, function ()
      local ok, result = run(source)
      assert.is_true(ok)
      if value ~= nil then assert.equal(value, result) end
    end)
  end

  it("sorts stably, whatever the comparator does", function ()
    local _, sum = run [[
      local t = {}
      for i = 1, 1000 do t[i] = { key = i % 7, place = i } end
      table.sort(t, function (a, b) return a.key < b.key end)
      for i = 2, 1000 do
        assert(t[i - 1].key < t[i].key
          or t[i - 1].key == t[i].key and t[i - 1].place < t[i].place)
      end
      table.sort(t, function () return true end)
      return #t]]
    assert.equal(1000, sum)
  end)

  it("is named by file and line where it does not compile", function ()
    assert.same({ false, "m.lua:2: unexpected symbol near '='" },
      { pcall(sandbox.compile, "m.lua", "#!/bin/ecrb\nlocal x = = 1") })
    assert.has_error(function () sandbox.compile("m.lua", "\27Lua") end)
    assert.same({ true, 5 }, { run "#!/usr/bin/env ecrb\nreturn 5" })
  end)
end)

describe("sandbox.frozen", function ()
  it("is a read-only copy, to its depth", function ()
    local original = { 1, 2, sub = { x = 1 } }
    original.self = original
    local proxy = sandbox.frozen(original, "thing")
    original[1] = 9
    assert.equal(1, proxy[1])
    assert.equal(2, #proxy)
    assert.equal(proxy, proxy.self)
    assert.has_error(function () proxy.y = 1 end,
      "thing.y cannot be set: thing is read-only")
    assert.has_error(function () proxy.sub.x = 2 end,
      "field 'x' cannot be set: the table is read-only")
    local seen = {}
    for key in pairs(proxy) do seen[#seen + 1] = key end
    assert.same({ 1, 2, "self", "sub" }, seen)
    assert.equal(proxy, sandbox.frozen(proxy))
    assert.is_false(getmetatable(proxy))
  end)
end)

describe("sandbox.message", function ()
  it("is a safe text of any error value", function ()
    local trap = setmetatable({ message = "m" }, {
      __tostring = function () error "ran" end,
      __index = function () error "ran" end })
    assert.equal("m", sandbox.message(trap))
    assert.equal("7", sandbox.message(7))
    assert.equal("a\\x00b", sandbox.message("a\0b"))
    assert.equal("an error value that is a boolean without a message",
      sandbox.message(false))
  end)
end)

describe("hostile text", function ()
  local reading = require "ecrb.reading"
  local blanks = string.rep(" ", 100000)

  it("is trimmed and split in one pass", function ()
    local started = os.clock()
    local ok, parts = run("return split('a' .. (' '):rep(1e5) .. 'b', ';')[1]")
    assert.is_true(ok)
    assert.equal(100002, #parts)
    assert.equal("a" .. blanks .. "b",
      (reading.field("ACTION: a" .. blanks .. "b", "ACTION")))
    assert.is_true(os.clock() - started < 2)
  end)
end)
