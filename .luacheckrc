std = "lua54"
max_line_length = 100
color = false
codes = true
include_files = { "**/*.lua" }

-- What a method script finds (`ecrb help api`).
stds.method = {
  read_globals = {
    "about", "answer", "ask", "candidate_text", "candidate_words", "candidates", "channels",
    "children", "choice", "consensus", "descriptors", "ec", "elected",
    "evidence", "evidence_text", "field", "find", "gold", "known", "lost",
    "menu_text", "menu_tools", "method", "motif_text", "motifs", "note",
    "observation_text", "prompt", "ranking", "reaction_text", "retrieve", "sample", "settled", "split",
    "thought_text", "vote",
  },
}

files["lua/ecrb/walk.lua"].std = "lua54+method"
files["methods"].std = "lua54+method"
files["examples/*.lua"].std = "lua54+method"
files["tests/lua"].std = "lua54+busted"
files["tests/busted.lua"].globals = { "arg" }
