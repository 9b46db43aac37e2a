local system = require "core.system"

describe("core.system", function ()
  local folder
  before_each(function () folder = system.temporary(os.getenv "TMP") end)
  after_each(function () system.remove(folder) end)

  local function slurp(path)
    local file = assert(io.open(path))
    local text = file:read "a"
    file:close()
    return text
  end

  it("makes folders with what is missing above them", function ()
    system.mkdir(folder .. "/a/b//c/")
    system.mkdir(folder .. "/a/b/c")
    assert.equal("folder", system.kind(folder .. "/a/b/c"))
    system.write(folder .. "/file", "")
    assert.error_matches(function () system.mkdir(folder .. "/file/x") end,
      "Not a directory")
    assert.error_matches(function () system.mkdir(folder .. "/file") end,
      "Not a directory")
  end)

  it("tells kinds apart", function ()
    system.write(folder .. "/file", "x")
    assert.equal("file", system.kind(folder .. "/file"))
    assert.equal("other", system.kind("/dev/null"))
    assert.is_nil(system.kind(folder .. "/none"))
    assert.is_true(system.exists(folder .. "/file"))
    assert.is_false(system.exists(folder .. "/none"))
  end)

  it("lists names in the order of their bytes", function ()
    for _, name in ipairs { "b", "a", "B", ".c" } do
      system.write(folder .. "/" .. name, "")
    end
    assert.same({ ".c", "B", "a", "b" }, system.list(folder))
  end)

  it("writes files whole, renames and removes them", function ()
    system.write(folder .. "/a", "old")
    system.write(folder .. "/a", "new\0text")
    assert.equal("new\0text", slurp(folder .. "/a"))
    system.rename(folder .. "/a", folder .. "/b")
    assert.same({ "b" }, system.list(folder))
    system.remove(folder .. "/b")
    system.remove(folder .. "/b")
    assert.same({}, system.list(folder))
  end)

  it("exchanges files and folders", function ()
    system.write(folder .. "/a", "file")
    system.mkdir(folder .. "/b")
    system.exchange(folder .. "/a", folder .. "/b")
    assert.equal("folder", system.kind(folder .. "/a"))
    assert.equal("file", slurp(folder .. "/b"))
    assert.same({ "a", "b" }, system.list(folder))
    local good, problem = pcall(system.exchange, folder .. "/a", folder .. "/c")
    assert.is_false(good)
    assert.equal(folder .. "/a <-> " .. folder .. "/c: No such file or directory",
      problem.message)
  end)

  it("removes a link and not what it points at", function ()
    system.mkdir(folder .. "/kept")
    system.write(folder .. "/kept/file", "x")
    system.mkdir(folder .. "/gone")
    system.run { "ln", "-s", folder .. "/kept", folder .. "/gone/link" }
    system.remove(folder .. "/gone")
    assert.same({ "kept" }, system.list(folder))
    assert.equal("x", slurp(folder .. "/kept/file"))
  end)

  it("raises what the system refuses, with the path", function ()
    local ok, err = pcall(system.write, folder .. "/none/file", "x")
    assert.is_false(ok)
    assert.equal("io", err.code)
    assert.equal(folder .. "/none/file: No such file or directory", err.message)
    assert.equal(err.message, tostring(err))
    assert.error_matches(function () system.list(folder .. "/none") end,
      "No such file")
    assert.error_matches(function () system.rename(folder .. "/x", "y") end,
      "x %-> y: No such file")
    assert.error_matches(function () system.temporary(folder .. "/x") end,
      "No such file")
  end)

  it("leaves nothing behind where a file cannot be put in place", function ()
    system.mkdir(folder .. "/taken/x")
    assert.has_error(function () system.write(folder .. "/taken", "x") end)
    assert.same({ "taken" }, system.list(folder))
  end)

  it("locks against others until released", function ()
    local path = folder .. "/lock"
    local lock = system.lock(path)
    assert.is_nil(system.lock(path))
    lock:release()
    lock:release()
    do
      local inner <close> = system.lock(path)
      assert.is_truthy(inner)
    end
    assert.is_truthy(system.lock(path))
    assert.error_matches(function () system.lock(folder .. "/a/b") end,
      "No such file")
  end)

  it("runs programs without a shell", function ()
    assert.same({ 0, "$HOME *\n" }, { system.run { "echo", "$HOME *" } })
    assert.same({ 3, "err\n" }, { system.run { "sh", "-c",
      "echo err >&2; exit 3" } })
    assert.same({ 137, "" }, { system.run { "sh", "-c", "kill -9 $$" } })
    assert.same({ 0, "" }, { system.run { "cat" } })
    local code, output = system.run { "seq", "100000" }
    assert.same({ 0, 588895 }, { code, #output })
    assert.same({ 4 }, { system.run({ "sh", "-c", "exit 4" },
      { terminal = true }) })
    assert.error_matches(function () system.run { "no-such-program" } end,
      "^no%-such%-program: No such file")
    assert.error_matches(function () system.run({ "true" }, { tty = 1 }) end,
      "unknown field 'tty'")
    assert.has_error(function () system.run {} end)
  end)

  it("tells the time and the place", function ()
    assert.is_true(system.monotonic() <= system.monotonic())
    assert.is_true(math.abs(system.now() - os.time()) < 2)
    assert.is_true(system.cpu() > 0)
    assert.equal("folder", system.kind(system.self .. "/lua/ecrb"))
    assert.equal(os.getenv "HOME", system.home)
    assert.is_nil(system.getenv "ECRB_NO_SUCH_VARIABLE")
    assert.is_true(system.columns() > 0)
    assert.is_false(system.isatty(0))
  end)

  it("puts no file in the place of a pipe or a device", function ()
    local path = os.tmpname()
    os.remove(path)
    assert(os.execute("mkfifo " .. path))
    local good, problem = pcall(system.write, path, "x")
    local kind = system.kind(path)
    os.remove(path)
    assert.is_false(good)
    assert.equal(path .. ": is a device or a pipe; name a file", problem.message)
    assert.equal("other", kind)
  end)
end)
