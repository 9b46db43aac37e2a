-- An endpoint of which nothing is known but that it speaks OpenAI's format:
-- the fields that all of them document, and nothing private.
return {
  cap = "max_tokens",
  seed = "seed",
  stop = 4,
  ranges = { temperature = { 0, 2 }, top_p = { 0, 1 } },
  json = { object = { response_format = { type = "json_object" } } },
  system = "system",
  usage = true,
  auth = { header = "Authorization", prefix = "Bearer " },
}
