local import = require "core.import"
local nomenclature = require "ecrb.import.nomenclature"
local release = dofile("tests/lua/care_release.lua")
local reports = require "ecrb.import.report"
local trees = require "ecrb.import.tree"

-- What a file tells, as lines.
local function told(text)
  local path, lines = release.write("nomenclature.txt", text), {}
  local function say(...) lines[#lines + 1] = table.concat({ ... }, " ") end
  nomenclature.read(path, {
    live = function (ec, name) say("live", ec, name or "-") end,
    inner = function (ec, name) say("inner", ec, name) end,
    gone = function (ec, to) say("gone", ec, table.concat(to, ",")) end,
  })
  return lines
end

local function refused(text)
  local good, problem = pcall(told, text)
  assert.is_false(good)
  return (string.gsub(type(problem) == "table" and problem.message or problem,
    "^.*/nomenclature", "nomenclature"))
end

local ENZYME = [[
CC   ENZYME nomenclature database
CC
//
ID   1.1.1.1
DE   alcohol dehydrogenase.
AN   aldehyde reductase.
DR   P07327, ADH1A_HUMAN;  P28469, ADH1A_MACMU;
//
ID   1.1.1.5
DE   Transferred entry: 1.1.1.303 and
DE   1.1.1.304.
//
ID   1.1.1.74
DE   Deleted entry.
//
ID   9.9.9.1
DE   Transferred entry: 3.1.1.1.
//
ID   3.1.1.n2
DE   a carboxylesterase (preliminary)
DE   of two lines.
//
]]

local DUMP = [[
<?xml version="1.0"?>
<mysqldump>
<database name="ec">
	<table_data name="cite"><row><field name="ec_num">broken</field></row></table_data>
	<table_data name="class">
	<row>
		<field name="class">1</field>
		<field name="subclass">14</field>
		<field name="subsubclass">0</field>
		<field name="heading">Acting on &lt;i&gt;paired&lt;/i&gt; donors</field>
	</row>
	</table_data>
	<table_data name="entry">
	<row>
		<field name="ec_num">1.1.1.1</field>
		<field name="accepted_name">&amp;beta;-alcohol
 dehydrogenase</field>
	</row><row><field name="ec_num">1.1.1.2</field><field name="accepted_name">x</field></row>
	</table_data>
	<table_data name="hist">
	<row>
		<field name="ec_num">1.1.1.1</field>
		<field name="action">created</field>
	</row>
	<row>
		<field name="ec_num">1.1.1.5</field>
		<field name="action">transferred</field>
		<field name="note">Transferred entry. Now
 &lt;a href="query.php?ec=1.1.1.303"&gt;EC 1.1.1.303&lt;/a&gt; and EC 1.1.1.304</field>
		<field name="history">EC 1.1.1.5 created 1961</field>
	</row>
	<row>
		<field name="ec_num">1.1.1.70</field>
		<field name="action">transferred</field>
		<field name="note" xsi:nil="true" />
		<field name="history">EC 1.1.1.70 created 1972, transferred 1981 to EC 1.2.1.3</field>
	</row>
	<row>
		<field name="ec_num">1.1.1.74</field>
		<field name="action">deleted</field>
	</row>
	</table_data>
</database>
</mysqldump>
]]

describe("nomenclature", function ()
  it("reads Expasy's enzyme.dat", function ()
    assert.same({ "live 1.1.1.1 alcohol dehydrogenase", "gone 1.1.1.5 1.1.1.303,1.1.1.304",
      "gone 1.1.1.74 ", "gone 9.9.9.1 3.1.1.1",
      "live 3.1.1.n2 a carboxylesterase (preliminary) of two lines" }, told(ENZYME))
  end)

  it("reads Expasy's enzclass.txt", function ()
    assert.same({ "inner 1.-.-.- Oxidoreductases",
      "inner 1.1.-.- Acting on the CH-OH group of donors",
      "inner 1.10.3.- With oxygen as acceptor" }, told(
      "---------------\n        ENZYME nomenclature database\n---------------\n\n"
      .. "1. -. -.-  Oxidoreductases.\n1. 1. -.-   Acting on the CH-OH group of donors.\n"
      .. "1.10. 3.-    With oxygen as acceptor.\n\n------\nCopyrighted by the SIB\n"))
  end)

  it("reads ExplorEnz's dump", function ()
    assert.same({ "inner 1.14.-.- Acting on paired donors",
      "live 1.1.1.1 beta-alcohol dehydrogenase", "live 1.1.1.2 x",
      "gone 1.1.1.5 1.1.1.303,1.1.1.304", "gone 1.1.1.70 1.2.1.3", "gone 1.1.1.74 " },
      told(DUMP))
  end)

  it("reads ExplorEnz's tables and plain ones", function ()
    assert.same({ "live 1.1.1.1 alcohol dehydrogenase" }, told(
      "ec_num\taccepted_name\tstatus\n1.1.1.1\talcohol <i>dehydrogenase</i>\t\n"))
    assert.same({ "gone 1.1.1.5 1.1.1.303" }, told(
      "ec_num,action,note\n1.1.1.5,transferred,now EC 1.1.1.303\n1.1.1.1,modified,\n"))
    assert.same({ "inner 1.-.-.- Oxidoreductases", "inner 1.1.1.- With NAD" }, told(
      "class\tsubclass\tsubsubclass\theading\n1\t0\t0\tOxidoreductases\n1\t1\t1\tWith NAD\n"))
    assert.same({ "live 1.1.1.1 -", "live 2.1.1.n7 -" }, told("1.1.1.1\n\nEC 2.1.1.n7\n"))
    assert.same({ "live 1.1.1.1 a", "inner 1.1.-.- b", "live 1.1.1.2 -" },
      told("ec\tname\n1.1.1.1\ta\n1.1\tb\n1.1.1.2\t-\n"))
  end)

  it("refuses what it cannot read, by file and line", function ()
    for text, expected in pairs {
      [""] = "nomenclature.txt: is empty",
      ["a,b\n"] = "nomenclature.txt:1: is no EC list, no table with the columns `ec` and `name`, "
        .. "none of CARE's text2EC.csv, Expasy's enzyme.dat or enzclass.txt, ExplorEnz's dump "
        .. "or tables",
      ["1.1.1.1\nenzyme\n"] = "nomenclature.txt:2: `enzyme` is no EC number",
      ["ID   1.1.1.1\nDE   a.\n"] =
        "nomenclature.txt:1: the file ends inside the entry 1.1.1.1; fetch it again",
      ["ID   1.1.1.1\nID   1.1.1.2\n"] =
        "nomenclature.txt:2: ID: the entry of line 1 has no end (`//`)",
      ["ID   1.1.1\n"] = "nomenclature.txt:1: ID: `1.1.1` is no complete EC number",
      ["ID   1.1.1.1\n//\n"] = "nomenclature.txt:1: the entry 1.1.1.1 has no DE line",
      ["ec_num,accepted_name\nx,y\n"] = "nomenclature.txt:2: ec_num: `x` is no EC number",
      ["ec\tname\n1.1.1.1.1\ta\n"] = "nomenclature.txt:2: `1.1.1.1.1` is no EC number",
    } do
      assert.equal(expected, refused(text))
    end
  end)

  it("ends on any bytes", function ()
    local seed = 1
    local function below(n)
      seed = (seed * 6364136223846793005 + 1442695040888963407) & 0x7fffffffffffffff
      return (seed >> 33) % n
    end
    for _, text in ipairs { ENZYME, DUMP } do
      for _ = 1, 200 do
        local at, byte = below(#text) + 1, string.char(1 + below(255))
        local changed = string.sub(text, 1, at - 1) .. byte .. string.sub(text, at + 1 + below(9))
        local good, problem = pcall(told, changed)
        if not good then
          local message = type(problem) == "table" and problem.message or problem
          assert.is_truthy(string.find(message, "nomenclature.txt", 1, true), message)
        end
      end
    end
  end)
end)

describe("the tree of an import", function ()
  local function grown(text, how)
    local builder, report = import.builder(1), reports.new()
    local tree = trees.new(builder, report)
    local n = tree[how](tree, release.write("tree.txt", text))
    return tree, n, builder, report
  end

  it("has the live entries as leaves", function ()
    local tree, n, builder = grown(ENZYME, "leaves")
    assert.equal(2, n)
    assert.is_true(builder:lists("1.1.1.1"))
    assert.is_true(builder:lists("3.1.1.n2"))
    assert.is_false(builder:lists("1.1.1.5"))
    assert.equal("ec\tstatus\tnow\n1.1.1.5\ttransferred\t1.1.1.303;1.1.1.304\n"
      .. "1.1.1.74\tdeleted\t-\n9.9.9.1\ttransferred\t3.1.1.1\n", tree:superseded())
  end)

  it("follows transfers forward, over steps and around circles", function ()
    local tree = grown("ec_num,action,note\n1.1.1.1,transferred,now EC 1.1.1.2\n"
      .. "1.1.1.2,transferred,\"now EC 1.1.1.3, EC 1.1.1.4\"\n1.1.1.3,deleted,\n"
      .. "1.1.1.8,transferred,now EC 1.1.1.9\n1.1.1.9,transferred,now EC 1.1.1.8\n", "names")
    assert.same({ "1.1.1.4" }, tree:now("1.1.1.1"))
    assert.same({}, tree:now("1.1.1.8"))
    assert.same({}, tree:now("1.1.1.3"))
  end)

  it("says which labels are superseded", function ()
    local tree, _, _, report = grown(ENZYME, "names")
    tree:say_superseded { { id = "P1", labels = { "1.1.1.5", "1.1.1.1" } },
      { id = "P2", labels = { "1.1.1.74" } }, { id = "P3", labels = { "1.1.1.5" } } }
    assert.same({ "nomenclature: 3 numbers are transferred or deleted; 2 of them are labels "
      .. "here", "superseded label: 1.1.1.5 is now 1.1.1.303, 1.1.1.304 (P1, P3)",
      "superseded label: 1.1.1.74 is deleted (P2)" }, report:text())
  end)
end)
