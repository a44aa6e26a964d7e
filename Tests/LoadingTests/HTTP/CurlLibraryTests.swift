import Testing

@testable import PrimereplLoading

@Suite("The library libcurl")
struct CurlLibraryTests {
  @Test(
    "that can't be loaded, or isn't libcurl, is an error",
    arguments: ["libnowhere.so.9", "libm.so.6"])
  func missing(name: String) {
    let failure = #expect(throws: HTTPFailure.self) { try CurlLibrary(names: [name]) }
    guard case .unavailable(let obstacle) = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
    #expect(obstacle.reason.contains(name))
    #expect(obstacle.reason.contains("install it"))
    #expect(failure?.isTransient == false)
  }
}
