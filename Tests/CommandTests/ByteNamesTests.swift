import Testing
import TestSupport

/// Names of files, arguments and code whose bytes aren't UTF-8, as the shell gives them.
@Suite("Bytes that aren't UTF-8")
struct ByteNamesTests {
  @Test(
    "in a shell",
    arguments: ShellCase.list(
      #"""
      # are valid in code
      $ primerepl -e "$(printf 'print(#"\377", ("\303"):byte())')"
      1\#t195
      # name a script, and are its arguments and its name in tracebacks
      $ f="$(printf 's\377.lua')"
      > echo 'print(arg[0]:byte(2), (...):byte(), arg[1]:byte())' > "$f"
      > echo 'function f() error("x") end f()' >> "$f"
      > primerepl "$f" "$(printf '\376')"
      255\#t254\#t254
      …s\xff.lua:2: x
      …  in function 'f' (s\xff.lua:2)
      …
      [1]
      # name a state file, by the option and by the environment
      $ primerepl --state "$(printf 'bad\377')" -e 'print(counter.increment())'
      1
      $ PRIMEREPL_STATE="$(printf 'bad\377')" primerepl -e 'print(counter.increment())'
      2
      $ LC_ALL=C ls -b | grep bad
      bad\377
      # are shown in messages: of a state file, an option, a script and a module
      $ f="$(printf 'text\377')"; echo text > "$f"; primerepl --state "$f" -e 'print(1)'
      …text\xff: not a state file…
      [1]
      $ primerepl "$(printf -- '--\377')"
      …'--\xff'…
      [64]
      $ primerepl "$(printf 'no\377.lua')"
      primerepl: cannot read no\xff.lua: No such file or directory
      [1]
      $ primerepl -l "$(printf 'no\377')"
      …module 'no\xff' not found…
      [1]
      # arrive unchanged from standard input, as a script and at the prompt, which shows escapes
      $ printf 'print(#"\377\303")\n' | primerepl -
      2
      $ printf 'print(#"\377\303")\n"\376"\n' | primerepl --ephemeral -i
      …> 2
      …> "\xfe"
      …
      """#))
  func shell(example: ShellCase) async throws { try await CommandRunner().check(example) }
}
