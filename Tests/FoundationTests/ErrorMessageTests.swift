import Foundation
import PrimereplFoundation
import Testing

@Suite("The message of an error of Foundation")
struct ErrorMessageTests {
  private struct Localized: LocalizedError {
    var errorDescription: String? { "The shop is closed." }
  }

  private struct Other: Error {}

  @Test("of a file names it, and says what the system says")
  func file() {
    let error = #expect(throws: CocoaError.self) {
      try Data(contentsOf: URL(filePath: "/nowhere/list.txt"))
    }
    #expect(error?.localizedMessage == "/nowhere/list.txt: No such file or directory")
  }

  @Test("that isn't known has its code")
  func unknown() {
    #expect(CocoaError(.userCancelled).localizedMessage == "it can't be used (code 3072)")
  }

  @Test("with a description is that, and others have none")
  func others() {
    #expect(Localized().localizedMessage == "The shop is closed.")
    #expect(Other().localizedMessage == nil)
  }
}
