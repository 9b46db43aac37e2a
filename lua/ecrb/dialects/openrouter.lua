-- OpenRouter. Without `require_parameters` it drops what an upstream does not
-- know. Pin the upstream for a reproducible run: in models.lua,
--   body = { provider = { only = { "NAME" }, allow_fallbacks = false } }
return {
  base = "compatible",
  always = { provider = { require_parameters = true } },
  thinking = {
    on = { reasoning = { enabled = true } },
    off = { reasoning = { effort = "none" } },
    budget = { reasoning = { max_tokens = "$value" } },
    effort = { reasoning = { effort = "$value" } },
    efforts = { "minimal", "low", "medium", "high", "xhigh" },
  },
  json = { object = { response_format = { type = "json_object" } },
           schema = "nested" },
  choices = { shape = "schema", at = { "response_format" } },
}
