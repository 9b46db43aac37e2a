-- Why a call can fail, and what each cause means for the call and for the
-- endpoint. Policy stands in this table; nothing else decides by a cause.
--
--   class    retry     the same call may succeed later
--            item      this call is lost, the next one may be fine
--            endpoint  no call will succeed until somebody acts
--            run       the request itself is wrong, everywhere
--   budget   `wire` or `body`: which number of attempts bounds the retries
--   lasting  a call that fails so is not worth repeating when no call has
--            succeeded yet: after a few alike the endpoint is given up
--   shrink   fewer calls at once from now on
--   stall    no more calls at once until things move again
--   breaker  counts towards leaving the endpoint alone for a while
--   unreached  the request did not come to the endpoint: nobody bills it
--   remedy   what the user can do
return {
  -- transport
  dns = { class = "retry", budget = "wire", lasting = true, breaker = true,
          unreached = true,
          remedy = "check the host name in the base URL and the network" },
  connect = { class = "retry", budget = "wire", lasting = true,
              breaker = true, unreached = true,
              remedy = "check that the server runs and the port is right" },
  tls = { class = "endpoint", unreached = true,
          remedy = "certificates are always verified; mend the server's "
            .. "certificate or the base URL" },
  handshake = { class = "retry", budget = "wire", breaker = true,
                unreached = true },
  reset = { class = "retry", budget = "wire", breaker = true },
  cut = { class = "retry", budget = "wire" },
  timeout = { class = "retry", budget = "wire", stall = true },
  transport = { class = "retry", budget = "wire" },
  too_large = { class = "item",
                remedy = "`clocks = { body = BYTES }` in the model's entry in "
                  .. "models.lua sets another limit" },

  too_many_values = { class = "item" },

  -- refused by status or code
  rate_limited = { class = "retry", budget = "wire", shrink = true },
  overloaded = { class = "retry", budget = "wire", shrink = true,
                 breaker = true },
  server_error = { class = "retry", budget = "wire", breaker = true },
  try_later = { class = "retry", budget = "wire" },
  quota = { class = "endpoint",
            remedy = "the quota is used up: run the same command again when "
              .. "it is renewed" },
  money = { class = "endpoint",
            remedy = "pay or raise the limit, then run the same command "
              .. "again" },
  bad_key = { class = "endpoint", remedy = "check the key" },
  no_model = { class = "endpoint",
               remedy = "check the model's name and the base URL" },
  redirect = { class = "endpoint",
               remedy = "redirects are not followed, lest the key go to a "
                 .. "stranger: name the final base URL" },
  unsupported_parameter = {
    class = "run",
    remedy = "choose another value, or name the parameter in `omit` of the "
      .. "model's entry in models.lua" },
  bad_request = { class = "item", lasting = true },
  context_overflow = { class = "item" },
  request_too_large = { class = "item" },
  refused = { class = "item" },

  -- HTTP 200, and yet no reply
  bad_response = { class = "retry", budget = "body" },
  no_choice = { class = "retry", budget = "body" },
  interrupted = { class = "retry", budget = "body" },
  unfinished = { class = "retry", budget = "body" },
  unknown_finish = { class = "item" },
  truncated = { class = "item" },
  budget_exhausted = { class = "item" },
  empty_answer = { class = "item" },
  no_answer = { class = "item" },
  tool_call = { class = "item" },
  prompt_truncated = {
    class = "item",
    remedy = "raise the server's context size; the prompt was cut" },
  constraint_not_applied = { class = "item" },
  wrong_model = { class = "endpoint",
                  remedy = "name the model that the endpoint serves, or list "
                    .. "it under `accepts` in models.lua" },

  -- ours
  budget = { class = "run" },
  paused = { class = "endpoint" },
  program = { class = "retry" }, -- the function of an embedding program
}
