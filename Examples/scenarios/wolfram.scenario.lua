-- Wolfram|Alpha: scenarios have no network, so each gives the answers it needs.

group("Wolfram|Alpha", { tags = { "wolfram" } }, function()
  scenario("can't be reached without a stub", function()
    for _, ask in ipairs({ wolfram.query, wolfram.short_answer, function() return wolfram.nth_prime(17) end }) do
      expect.error(function() ask("prime 17") end, { code = expect.like("^n") })
    end
  end)

  scenario("gives the nth prime", function()
    wolfram.stub({ [17] = 59 })
    expect.equal(wolfram.nth_prime(17), 59)
  end)

  scenario("gives a short answer, or none", function()
    wolfram.stub({ ["distance to the moon"] = "about 384000 km" })
    expect.matches(wolfram.short_answer("distance to the moon"), "%d+ km$")
    expect.error(function() wolfram.short_answer("distance to the mood") end, { code = "not_stubbed" })
  end)

  scenario("gives a whole answer, whose parts can be left out of the stub", function()
    wolfram.stub({
      ["prime 17"] = {
        pods = {
          { title = "Input", subpods = { { plaintext = "p_17" } } },
          { title = "Result", id = "Result", primary = true, subpods = { { plaintext = "59" } } },
        },
        warnings = { "read as a question about primes" },
      },
    })
    local answer = wolfram.query("prime 17")
    expect.truthy(answer.success)
    expect.equal(answer.pods[2].subpods[1].plaintext, "59")
    expect.contains(answer.pods, expect.having({ primary = true, title = "Result" }))
    expect.equal(answer.timed_out, {})
    expect.snapshot("answer", answer)
  end)

  scenario("suggests what was meant", function()
    wolfram.stub(function(question)
      return { success = false, did_you_mean = { (question:gsub("prme", "prime")) } }
    end)
    local answer = wolfram.query("prme 17")
    expect.equal(answer.success, false)
    expect.equal(answer.did_you_mean, { "prime 17" })
  end)

  each({
    "no_app_id", "invalid_app_id", "not_understood", "no_result", "unexpected_answer", "http_status", "timed_out",
    "connection_failed", "cancelled",
  }, "fails with a code that scripts can tell: %s", function(code)
    wolfram.stub(function() error({ code = code, message = "the reason, and what to do" }) end)
    for _, ask in ipairs({ wolfram.query, wolfram.short_answer }) do
      expect.error(function() ask("prime 17") end, { code = code, message = "the reason, and what to do" })
    end
  end)

  scenario("never answers with a guess", function()
    wolfram.stub(function() return "about 59" end)
    expect.error(function() wolfram.nth_prime(17) end, { code = "bad_answer" })
  end)

  scenario("may take its time, which is the scenario's", function()
    local answering = wolfram.stub(function() task.sleep(20) return "yes" end)
    local question = task.spawn(wolfram.short_answer, "is 17 prime?")
    clock.advance(19)
    expect.equal(question.status, "waiting")
    expect.equal(question:await(), "yes")
    expect.near(clock.now(), 20)
    expect.called(answering, { "is 17 prime?" })
  end)

  scenario("can be given up on", function()
    wolfram.stub(function() task.sleep(3600) return "late" end)
    expect.error(function()
      task.timeout(5, function() return wolfram.short_answer("anything") end)
    end)
    expect.near(clock.now(), 5)
  end)
end)
