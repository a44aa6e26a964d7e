import Foundation
import Testing

@testable import PrimereplLoading

@Suite("A redirect")
struct RedirectPolicyTests {
  private func target(
    _ policy: RedirectPolicy, from address: String, to location: String
  ) throws -> String? {
    let url = try #require(URL(string: address))
    var reply = HTTPReply(status: 302)
    reply.location = location
    return policy.target(of: reply, from: url)?.absoluteString
  }

  @Test("to the same server may step up from http to https")
  func upgrade() throws {
    let target = try target(.sameServer, from: "http://a.org/x", to: "https://A.org/y")
    #expect(target == "https://A.org/y")
  }

  @Test(
    "to another host, port or subdomain isn't to the same server",
    arguments: [
      "https://b.org/", "https://a.org:444/", "https://www.a.org/", "//b.org/",
      "https://a.org@b.org/",
    ])
  func otherServer(location: String) throws {
    #expect(try target(.sameServer, from: "https://a.org/x", to: location) == nil)
  }

  @Test(
    "to what isn't the address of a web server leads nowhere",
    arguments: [
      "file:///etc/passwd", "FILE:///etc/passwd", "mailto:a@b", "ftp://127.0.0.1/",
      "GOPHER://127.0.0.1:1/_x", "http://a%00b/", "http://[::", "//", "",
    ])
  func nowhere(location: String) throws {
    #expect(try target(.anyServer, from: "http://a.org/x", to: location) == nil)
  }

  @Test("never leads from https to http")
  func downgrade() throws {
    #expect(try target(.anyServer, from: "https://a.org/x", to: "http://a.org/x") == nil)
    #expect(try target(.sameServer, from: "https://a.org/x", to: "http://a.org/x") == nil)
  }
}
