public import Foundation

extension WolframClient {
  /// What a client needs to know: the app id, where the service is, and how long to wait for it.
  public struct Configuration: Sendable {
    /// The service itself.
    public static let defaultBaseURL: URL = {
      guard let url = URL(string: "https://api.wolframalpha.com") else {
        preconditionFailure("a literal address can be read")
      }
      return url
    }()

    /// The client's timeout; the service gives up after 20 s of its own.
    public static let defaultTimeout: Duration = .seconds(30)

    /// The app id, a secret; without one every request is refused with `noAppID`.
    public let appID: WolframAppID?

    /// The address that the service's paths are appended to.
    public let baseURL: URL

    /// The limit of a whole request, retries included; at most a day.
    public var timeout: Duration

    /// The clock that waits between retries.
    public var clock: any Clock<Duration>

    /// Makes a configuration.
    ///
    /// - Parameters:
    ///   - appID: the app id; nil and blank text mean none.
    ///   - baseURL: where the service is.
    ///   - timeout: the limit of a whole request, retries included.
    ///   - clock: the clock that waits between retries.
    public init(
      appID: String? = nil, baseURL: URL = defaultBaseURL, timeout: Duration = defaultTimeout,
      clock: any Clock<Duration> = ContinuousClock()
    ) {
      self.appID = appID.flatMap(WolframAppID.init)
      self.baseURL = baseURL
      self.timeout = timeout
      self.clock = clock
    }

    /// Makes a configuration from the environment.
    ///
    /// - Parameter environment: `WOLFRAM_APP_ID` and `PRIMEREPL_WOLFRAM_URL` are read; one that is
    ///   absent or blank counts as not set.
    /// - Throws: `WolframError.invalidBaseURL` for an address that can't be the service's.
    public init(environment: [String: String]) throws(WolframError) {
      let address = (environment["PRIMEREPL_WOLFRAM_URL"] ?? "")
        .trimmingCharacters(in: .whitespacesAndNewlines)
      let appID = environment["WOLFRAM_APP_ID"]
      guard !address.isEmpty else {
        self.init(appID: appID)
        return
      }
      guard let url = URL(string: address, encodingInvalidCharacters: false), url.isWebAddress,
        url.query() == nil, url.fragment() == nil
      else { throw WolframError.invalidBaseURL }
      self.init(appID: appID, baseURL: url)
    }
  }
}
