internal import CCurl
import PrimereplFoundation
import PrimereplPlatform

/// A transfer in progress: libcurl's easy handle, and the part of the reply that has arrived.
///
/// It lives on the transfer thread; libcurl has a pointer to it until it is closed.
final class ActiveTransfer {
  let deadline: ContinuousClock.Instant

  /// libcurl's handle, which identifies the transfer in its messages.
  let handle: UnsafeMutableRawPointer

  private let transfer: HTTPTransfer
  private let multi: CurlMulti
  private let errorText: UnsafeMutablePointer<CChar>

  /// The lines of the request's headers, which libcurl doesn't copy; nil if there are none.
  private var headerLines: UnsafeMutablePointer<curl_slist>?

  private var reader: ReplyReader

  /// The result that was decided before libcurl finished.
  private var verdict: Result<HTTPReply, HTTPFailure>?

  /// Whether no socket could be opened because too many are open.
  private var lacksDescriptors = false

  private var library: CurlLibrary { multi.library }

  /// Starts a transfer whose turn has come; nil if it ended at once.
  init?(_ transfer: HTTPTransfer, in multi: CurlMulti) {
    transfer.beginTurn()
    guard transfer.timeLimit > .zero else {
      transfer.end(.failure(.timedOut))
      return nil
    }
    guard let handle = multi.library.curl_easy_init() else {
      transfer.end(.failure(.connection(.other)))
      return nil
    }
    self.transfer = transfer
    self.multi = multi
    self.handle = handle
    deadline = .now.advanced(by: transfer.timeLimit)
    reader = ReplyReader(maximumSize: transfer.maximumSize, memory: transfer.memory)
    errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
    errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    let isReady = setOptions() && library.curl_multi_add_handle(multi.handle, handle) == CURLM_OK
    if !isReady {
      finish(.failure(.connection(.other)))
      return nil
    }
  }

  deinit {
    errorText.deallocate()
  }

  // MARK: - The end

  /// Closes the connection if the reply is no longer awaited, and returns whether it did.
  func closeIfCancelled() -> Bool {
    guard transfer.hasEnded else { return false }
    close()
    return true
  }

  func finish(_ result: Result<HTTPReply, HTTPFailure>) {
    close()
    transfer.end(result)
  }

  func finish(_ code: CURLcode) {
    let result = verdict ?? (code == CURLE_OK ? reader.result : .failure(failure(code)))
    let retryAfter = retryAfter
    finish(
      result.map { reply in
        var reply = reply
        reply.retryAfter = retryAfter
        return reply
      })
  }

  private func close() {
    // For a handle that was never added, libcurl only returns an error.
    _ = library.curl_multi_remove_handle(multi.handle, handle)
    library.curl_easy_cleanup(handle)
    library.curl_slist_free_all(headerLines)
    headerLines = nil
  }

  private func failure(_ code: CURLcode) -> HTTPFailure {
    if code == CURLE_FILESIZE_EXCEEDED { return .tooLarge }
    if code == CURLE_OPERATION_TIMEDOUT { return .timedOut }
    // libcurl reports data after the compressed part of a body this way, and an invalid trailer of a chunked body.
    if code == CURLE_WRITE_ERROR {
      return .connection(reader.hasCoding ? .undecodable : .notHTTP)
    }
    let detail = String(cString: errorText)
    // libcurl's message if it can't start the thread that looks up a name.
    if detail.contains("thread failed to start") { return .unavailable(.noThread) }
    let problem = ConnectionProblem(code, detail: detail)
    switch problem {
    case .hostNotFound, .cannotConnect, .insecure, .other:
      return lacksDescriptors || OpenDescriptors.isLimitReached
        ? .unavailable(.tooManyOpenFiles) : .connection(problem)
    case .badAddress, .lost, .notHTTP, .undecodable, .headersTooLarge:
      return .connection(problem)
    }
  }

  // MARK: - Callbacks

  private func stops(_ decision: ReplyReader.Verdict) -> Bool {
    guard case .stop(let result) = decision else { return false }
    verdict = result
    return true
  }

  private var status: Int {
    var status = 0
    let code = ccurl_get_long(library, handle, CURLINFO_RESPONSE_CODE, &status)
    return code == CURLE_OK ? status : 0
  }

  /// The time to wait that the reply's fields ask for, as libcurl reads them.
  private var retryAfter: Duration {
    var seconds: curl_off_t = 0
    let code = ccurl_get_offset(library, handle, CURLINFO_RETRY_AFTER, &seconds)
    return code == CURLE_OK ? .seconds(seconds) : .zero
  }

  private static func of(_ context: UnsafeMutableRawPointer) -> ActiveTransfer {
    Unmanaged.fromOpaque(context).takeUnretainedValue()
  }

  private static let receiveBody: curl_write_callback = { bytes, size, count, context in
    guard let context else { return 0 }
    let transfer = ActiveTransfer.of(context)
    let piece = UnsafeRawBufferPointer(start: bytes, count: size * count)
    // Returning fewer bytes than were given stops the transfer.
    return transfer.stops(transfer.reader.read(body: piece)) ? 0 : piece.count
  }

  private static let receiveHeader: curl_write_callback = { bytes, size, count, context in
    guard let context else { return 0 }
    let transfer = ActiveTransfer.of(context)
    let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
    let verdict = transfer.reader.read(header: line, status: { transfer.status })
    return transfer.stops(verdict) ? 0 : line.count
  }

  private static let openSocket: curl_opensocket_callback = { context, _, address in
    guard let context, let address = address?.pointee else { return CURL_SOCKET_BAD }
    let descriptor = socket(address.family, address.socktype, address.protocol)
    if descriptor < 0 {
      ActiveTransfer.of(context).lacksDescriptors = errno == EMFILE || errno == ENFILE
      return CURL_SOCKET_BAD
    }
    // The processes that we start don't need it.
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    return descriptor
  }

  // MARK: - Options

  /// Returns whether libcurl accepts all options.
  private func setOptions() -> Bool {
    let context = Unmanaged.passUnretained(self).toOpaque()
    let credentials = transfer.address.credentials
    let texts: [(CURLoption, String?)] = [
      (CURLOPT_URL, transfer.address.text),
      (CURLOPT_USERNAME, credentials?.user),
      (CURLOPT_PASSWORD, credentials?.password),
      (CURLOPT_USERAGENT, ProcessInfo.processInfo.processName),
      (CURLOPT_ACCEPT_ENCODING, "gzip, deflate"),
    ]
    let numbers: [(CURLoption, Int)] = [
      // A process with several threads can't use signals to end a look-up.
      (CURLOPT_NOSIGNAL, 1),
      // The address and the policy decide about redirects, not libcurl.
      (CURLOPT_FOLLOWLOCATION, 0),
      (CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1)),
      (CURLOPT_HTTP09_ALLOWED, 0),
      (CURLOPT_NETRC, Int(CURL_NETRC_IGNORED.rawValue)),
      // A request leaves nothing behind for the next one.
      (CURLOPT_FRESH_CONNECT, 1),
      (CURLOPT_FORBID_REUSE, 1),
      // A proxy's reply to CONNECT isn't the server's.
      (CURLOPT_SUPPRESS_CONNECT_HEADERS, 1),
      // The transfer's own deadline comes first.
      (CURLOPT_CONNECTTIMEOUT, 86_400),
    ]
    let receivers: [(CURLoption, CURLoption, curl_write_callback)] = [
      (CURLOPT_WRITEDATA, CURLOPT_WRITEFUNCTION, Self.receiveBody),
      (CURLOPT_HEADERDATA, CURLOPT_HEADERFUNCTION, Self.receiveHeader),
    ]
    // The length that the reply to a HEAD request announces isn't that of its own body.
    let maximumSize = transfer.request.method == "HEAD" ? 0 : transfer.maximumSize
    var codes = [
      ccurl_allow_web_only(library, handle), ccurl_allow_quick_exit(library, handle),
      ccurl_set_socket_opener(library, handle, Self.openSocket),
      ccurl_set_pointer(library, handle, CURLOPT_OPENSOCKETDATA, context),
      ccurl_set_pointer(library, handle, CURLOPT_ERRORBUFFER, errorText),
      ccurl_set_offset(library, handle, CURLOPT_MAXFILESIZE_LARGE, curl_off_t(maximumSize)),
    ]
    for case (let option, let text?) in texts {
      codes.append(ccurl_set_text(library, handle, option, text))
    }
    for (option, number) in numbers {
      codes.append(ccurl_set_long(library, handle, option, number))
    }
    for (data, function, receiver) in receivers {
      codes.append(ccurl_set_pointer(library, handle, data, context))
      codes.append(ccurl_set_receiver(library, handle, function, receiver))
    }
    return codes.allSatisfy { $0 == CURLE_OK } && setMethodAndBody() && setHeaders()
  }

  private func setMethodAndBody() -> Bool {
    let (method, body) = (transfer.request.method, transfer.request.body)
    if method == "HEAD" {
      return ccurl_set_long(library, handle, CURLOPT_NOBODY, 1) == CURLE_OK
    }
    let code =
      body?.withUnsafeBytes { ccurl_set_body(library, handle, $0.baseAddress, $0.count) }
      ?? ccurl_set_long(library, handle, CURLOPT_HTTPGET, 1)
    guard code == CURLE_OK else { return false }
    // Only the word in the request line: libcurl treats the request as a GET or a POST.
    return ccurl_set_text(library, handle, CURLOPT_CUSTOMREQUEST, method) == CURLE_OK
  }

  private func setHeaders() -> Bool {
    let request = transfer.request
    // To libcurl, a semicolon means an empty value, and a colon alone removes its own header.
    var lines = request.headers.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" }
    if request.body != nil {
      // Servers that don't know it would delay the body by a second.
      if !request.hasHeader("expect") { lines.append("Expect:") }
      // Otherwise it is that of a form.
      if !request.hasHeader("content-type") { lines.append("Content-Type:") }
    }
    for line in lines {
      // Without memory, it returns nil and leaves the list as it was.
      guard let list = library.curl_slist_append(headerLines, line) else { return false }
      headerLines = list
    }
    guard let headerLines else { return true }
    return ccurl_set_pointer(library, handle, CURLOPT_HTTPHEADER, headerLines) == CURLE_OK
  }
}
