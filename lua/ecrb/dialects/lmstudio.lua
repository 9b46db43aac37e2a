-- LM Studio: structured output by schema only.
return {
  base = "compatible",
  json = { schema = "nested" },
  choices = { shape = "schema", at = { "response_format" } },
}
