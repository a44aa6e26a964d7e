import Foundation
import Testing

@testable import PrimereplDomain
@testable import StateStore

@Suite("A Wolfram|Alpha configuration")
struct WolframConfigurationTests {
  @Test("is the service itself without an app id unless the environment says more")
  func defaults() throws {
    let configuration = try WolframClient.Configuration(environment: [:])
    #expect(configuration.appID == nil)
    #expect(configuration.baseURL.absoluteString == "https://api.wolframalpha.com")
    #expect(configuration.timeout == .seconds(30))
    #expect(!WolframClient(configuration: configuration).isConfigured)
  }

  @Test("comes from the environment, without blanks around the values")
  func environment() throws {
    let configuration = try WolframClient.Configuration(environment: [
      "WOLFRAM_APP_ID": " SECRET\n", "PRIMEREPL_WOLFRAM_URL": "http://127.0.0.1:8080/base ",
    ])
    #expect(configuration.baseURL.absoluteString == "http://127.0.0.1:8080/base")
    #expect(WolframClient(configuration: configuration).isConfigured)
  }

  @Test("treats blank values as missing")
  func blank() throws {
    let configuration = try WolframClient.Configuration(environment: [
      "WOLFRAM_APP_ID": " ", "PRIMEREPL_WOLFRAM_URL": "",
    ])
    #expect(configuration.appID == nil)
    #expect(configuration.baseURL == WolframClient.Configuration.defaultBaseURL)
  }

  @Test(
    "refuses an invalid address",
    arguments: [
      "localhost", "localhost:8080", "ftp://a.org", "file:///tmp", "http://", "http:///x",
      "http://a b.org", "http://a.org/?x=1", "https://a.org#x", "://",
    ])
  func badAddress(address: String) {
    let error = #expect(throws: WolframError.self) {
      try WolframClient.Configuration(environment: ["PRIMEREPL_WOLFRAM_URL": address])
    }
    #expect(error?.code == "invalid_base_url")
    #expect(error?.message.contains("PRIMEREPL_WOLFRAM_URL") == true)
  }

  @Test("prints its app id as bullets, however it is printed")
  func secret() throws {
    let configuration = WolframClient.Configuration(appID: "SECRET")
    let appID = try #require(configuration.appID)
    let client = WolframClient(configuration: configuration)
    for value: Any in [appID, configuration, client, [appID], Optional(appID) as Any] {
      var dumped = ""
      dump(value, to: &dumped)
      for text in [String(describing: value), String(reflecting: value), "\(value)", dumped] {
        #expect(!text.contains("SECRET"))
      }
    }
    #expect("\(appID)" == "••••••")
    #expect(appID.debugDescription == "••••••")
    #expect(Mirror(reflecting: appID).children.isEmpty)
  }
}
