#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  @Suite("Where the system allows no threads", .timeLimit(.minutes(5)))
  struct ThreadLimitTests {
    @Test("the command says so and fails")
    func refused() async throws {
      var runner = CommandRunner()
      // As an ordinary user, since there is no limit for root.
      let becomesUser = geteuid() == 0 ? "setpriv --reuid 65534 --clear-groups " : ""
      runner.preparation = #"exec \#(becomesUser)prlimit --nproc=1 "$0" "$@"; true"#
      let result = try await runner.run(["-e", "print(1)"])
      #expect(result.status == .exited(1))
      #expect(result.error.hasPrefix("primerepl: the system allows no further thread ("))
      #expect(result.output == "")
    }
  }
#endif
