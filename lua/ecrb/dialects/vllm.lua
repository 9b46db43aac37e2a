-- vLLM 0.12 and later: `structured_outputs` in place of the `guided_*` fields,
-- which it now ignores without a word. The chat template's name for thinking
-- is Qwen's; for DeepSeek's template change `thinking` in models.lua.
return {
  base = "compatible",
  thinking = {
    on = { chat_template_kwargs = { enable_thinking = true } },
    off = { chat_template_kwargs = { enable_thinking = false } },
  },
  json = { object = { response_format = { type = "json_object" } },
           schema = "nested" },
  choices = { shape = "list", at = { "structured_outputs", "choice" } },
}
