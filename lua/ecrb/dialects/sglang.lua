-- SGLang. A constraint on a reasoning model needs `--reasoning-parser` at the
-- server, so that it begins after the thinking.
return {
  base = "vllm",
  choices = { shape = "regex", at = { "regex" } },
}
