local system = require "core.system"

local tmp = os.getenv("TMP") or system.temporary("/tmp")

local function read(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read("a")
  file:close()
  return text
end

-- Whether a process of that number is there and is no zombie.
local function is_alive(pid)
  local file = io.open("/proc/" .. pid .. "/stat")
  local line = file and file:read("a")
  if file then file:close() end
  return line ~= nil and string.match(line, "%) (%a)") ~= "Z"
end

local function wait_until(condition)
  local until_then = system.monotonic() + 10
  while not condition() and system.monotonic() < until_then do
    system.run { "sleep", "0.02" }
  end
  return condition()
end

-- A shell whose child sleeps; the child's number goes into a file.
local function sleeper(path)
  return { "sh", "-c", "sleep 600 & echo $! >" .. path .. "; wait" }
end

local function pid_in(path)
  assert.is_true(wait_until(function ()
    return system.exists(path) and read(path) ~= ""
  end))
  return string.match(read(path), "%d+")
end

describe("core.system.start", function ()
  it("runs beside us, into files", function ()
    local p <close> = system.start({ "sh", "-c", "read x; echo out; echo err >&2; exit 3" },
      { output = tmp .. "/o", errors = tmp .. "/e" })
    assert.equal(3, p:wait(10))
    assert.equal(3, p:wait())
    assert.equal("out\n", read(tmp .. "/o"))
    assert.equal("err\n", read(tmp .. "/e"))
  end)

  it("waits no longer than it is told", function ()
    local p <close> = system.start { "sleep", "600" }
    assert.is_nil(p:wait())
    assert.is_nil(p:wait(0.05))
    p:stop()
    assert.equal(137, p:wait(10))
  end)

  it("raises where nothing could be started", function ()
    local good, problem = pcall(system.start, { "no-such-program" })
    assert.is_false(good)
    assert.equal("io", problem.code)
    assert.equal("no-such-program: No such file or directory", problem.message)
    assert.has_error(function () system.start({ "true" }, { putput = "x" }) end)
    assert.has_error(function () system.start {} end)
  end)

  it("ends with its handle", function ()
    local pid
    do
      local p <close> = system.start(sleeper(tmp .. "/pid"))
      pid = pid_in(tmp .. "/pid")
      assert.is_nil(p:wait())
    end
    assert.is_true(wait_until(function () return not is_alive(pid) end))
  end)

  it("ends with us, even if we are killed", function ()
    local script, path = tmp .. "/parent.lua", tmp .. "/orphan"
    system.write(script, string.format([[
      local system = require "core.system"
      system.write("%s.parent", tostring(system.pid()))
      local p = system.start { "sh", "-c", "sleep 600 & echo $! >%s; wait" }
      p:wait(600)]], path, path))
    for _, signal in ipairs { "KILL", "TERM", "INT" } do
      system.remove(path)
      local parent <close> = system.start { "ecrb", "lua", script }
      local pid = pid_in(path)
      assert.is_true(is_alive(pid))
      system.run { "kill", "-" .. signal, pid_in(path .. ".parent") }
      assert.is_true(wait_until(function () return not is_alive(pid) end))
      assert.is_truthy(parent:wait(10))
    end
  end)
end)

describe("core.system", function ()
  it("knows how many processors there are", function ()
    assert.is_true(system.cpus() >= 1)
  end)

  it("waits for a lock when it is patient", function ()
    local path = tmp .. "/lock"
    local script = tmp .. "/holder.lua"
    system.write(script, "local s = require 'core.system'\nlocal l <close> = s.lock('"
      .. path .. "')\ns.write('" .. path .. ".held', '')\ns.run { 'sleep', '0.3' }\n")
    local holder <close> = system.start { "ecrb", "lua", script }
    assert.is_true(wait_until(function () return system.exists(path .. ".held") end))
    assert.is_nil(system.lock(path))
    local lock <close> = system.lock(path, true)
    assert.is_truthy(lock)
    assert.equal(0, holder:wait(10))
  end)
end)
