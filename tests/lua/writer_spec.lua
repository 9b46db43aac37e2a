-- Files that come into being whole, and what is no file (ecrb/writer.lua,
-- ecrb/regular.lua, ecrb/lines.lua).

local lines = require "ecrb.lines"
local log = require "ecrb.repl.log"
local regular = require "ecrb.regular"
local system = require "core.system"
local writer = require "ecrb.writer"

describe("a file", function ()
  local tmp
  before_each(function () tmp = system.temporary(os.getenv "TMP") end)
  after_each(function () system.remove(tmp) end)

  local function text(path)
    local file <close> = assert(regular(path))
    return file:read "a"
  end

  local function pipe()
    assert(os.execute("mkfifo '" .. tmp .. "/pipe'"))
    return tmp .. "/pipe"
  end

  it("comes into being whole, or not at all", function ()
    local path = tmp .. "/file"
    assert.equal(7, writer.whole(path, function (file)
      file:write("old\n")
      return 7
    end))
    assert.has_error(function ()
      writer.whole(path, function (file)
        file:write("ne")
        error("no more room", 0)
      end)
    end, "no more room")
    assert.equal("old\n", text(path))
    assert.same({ "file" }, system.list(tmp))
  end)

  it("that is a pipe is written to, and stays one", function ()
    local path = pipe()
    assert(os.execute(string.format("cat '%s' >'%s/got' &", path, tmp)))
    writer.whole(path, function (file) file:write("through\n") end)
    assert(os.execute(string.format("while [ ! -s '%s/got' ]; do sleep 0.01; done", tmp)))
    assert.equal("through\n", text(tmp .. "/got"))
    assert.equal("other", system.kind(path))
  end)

  it("that is a pipe is not read, nor a log", function ()
    local path = pipe()
    local refusal = path .. ": is a pipe or a device, not a file on a disk; copy it into one"
    assert.same({ nil, refusal }, { regular(path) })
    assert.has_error(function () lines(path) end, refusal)
    assert.has_error(function () log.open(path) end, refusal)
  end)
end)
