-- Questions about primes, which need no app.

group("primes", { tags = { "primes" } }, function()
  -- Carmichael numbers and strong pseudoprimes to small bases are the ones that quick tests take for primes.
  each({
    { 2, true }, { 3, true }, { 97, true }, { 299210837, true }, { 16777213, true }, { 2147483647, true },
    { 9223372036854775783, true }, { 1, false }, { 0, false }, { -7, false }, { 9, false }, { 561, false },
    { 16777217, false }, { 3215031751, false }, { 3825123056546413051, false }, { math.maxinteger, false },
    { math.mininteger, false },
  }, "are told from other numbers: %d is one: %s", function(number, is_prime)
    expect.equal(prime.is(number), is_prime)
  end)

  -- p(10^k). The large ones are computed in a child process; time stands still until they are.
  each({
    { 1, 2 }, { 10, 29 }, { 100, 541 }, { 1000, 7919 }, { 10000, 104729 }, { 100000, 1299709 },
    { 1000000, 15485863 }, { 10000000, 179424673 }, { 100000000, 2038074743 }, { 1000000000, 22801763489 },
    { 10000000000, 252097800623 }, { 100000000000, 2760727302517 }, { 1000000000000, 29996224275833 },
  }, "are numbered: the %dth is %d", function(n, expected)
    expect.equal(prime.nth(n), expected)
    expect.equal(prime.count(expected), n)
    expect.equal(prime.count(expected - 1), n - 1)
  end)

  scenario("begin with the 1st, and end with the last that can be computed", function()
    for _, n in ipairs({ 0, -1, math.mininteger, 216289611853439385, math.maxinteger }) do
      expect.error(function() prime.nth(n) end, { code = "out_of_range" })
    end
    for _, x in ipairs({ 1, 0, -1, math.mininteger }) do expect.equal(prime.count(x), 0) end
  end)

  scenario("have neighbors", function()
    expect.equal(prime.next(7), 11)
    expect.equal(prime.previous(7), 5)
    expect.equal(prime.next(math.mininteger), 2)
    expect.equal(prime.previous(math.maxinteger), 9223372036854775783)
    expect.error(function() prime.previous(2) end, { code = "out_of_range" })
    expect.error(function() prime.next(9223372036854775783) end, { code = "out_of_range" })
  end)

  scenario("are the factors of every other number", function()
    expect.equal(prime.factor(60), { 2, 2, 3, 5 })
    expect.equal(prime.factor(97), { 97 })
    expect.equal(prime.factor(1), {})
    expect.error(function() prime.factor(0) end, { code = "out_of_range" })
  end)

  -- Random numbers of a scenario follow from its name, so a failure can be repeated.
  scenario("multiply to the number that they are the factors of", function()
    for _ = 1, 100 do
      local number = math.random(2, 1 << 40)
      local product = 1
      for _, factor in ipairs(prime.factor(number)) do
        expect.truthy(prime.is(factor))
        product = product * factor
      end
      expect.equal(product, number)
    end
  end)

  scenario("can be answered by a stub, so that a long computation takes no time", function()
    local answering = stub(prime.nth, function(n) return n * 10 end)
    expect.equal(prime.nth(216289611853439384), 2162896118534393840)
    counter.count = 3
    expect.equal(counter.ask_nth_prime(), 30)
    expect.called(answering, { 3 })
  end)
end)
