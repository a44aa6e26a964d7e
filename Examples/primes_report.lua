-- Reports on the primes up to powers of ten.
-- Run it with: primerepl Examples/primes_report.lua [largest exponent, 6 by default]

local largest = math.tointeger(tonumber(arg[1] or "6"))
assert(largest and largest >= 1, "usage: primes_report.lua [largest exponent]")

print(("%-8s %8s %10s %12s"):format("n", "pi(n)", "last prime", "n-th prime"))
for exponent = 1, largest do
  local n = math.tointeger(10 ^ exponent)
  print(("10^%-5d %8d %10d %12d"):format(exponent, prime.count(n), prime.previous(n), prime.nth(n)))
end

print()
for _, n in ipairs({ 60, 1001, 65537, 600851475143, math.maxinteger }) do
  local factors = prime.factor(n)
  if #factors == 1 then
    print(n .. " is prime; the next is " .. prime.next(n))
  else
    print(n .. " = " .. table.concat(factors, " * "))
  end
end
