internal import CCurl
import PrimereplFoundation

extension URL {
  /// Reads an address, whose host may have an international name, such as "bücher.example".
  ///
  /// FoundationEssentials percent-encodes these, so libcurl writes them in ASCII: "xn--bcher-kva.example". It is loaded only
  /// then.
  init?(webAddress text: String, relativeTo base: URL? = nil) {
    let url = URL(string: text, relativeTo: base)?.absoluteURL
    let hasEncodedHost = url?.host(percentEncoded: true)?.contains("%") ?? true
    if hasEncodedHost, text.utf8.contains(where: { $0 >= 0x80 }), let ascii = Self.ascii(text, base)
    {
      self.init(string: ascii)
    } else if let url {
      self = url
    } else {
      return nil
    }
  }

  /// An address in ASCII; nil if libcurl can't read it either, or isn't there.
  private static func ascii(_ text: String, _ base: URL?) -> String? {
    // libcurl's strings end at a NUL.
    guard !text.utf8.contains(0) else { return nil }
    do throws(HTTPFailure) {
      let library = try CurlLibrary.loaded()
      guard let handle = library.makeURL() else { return nil }
      defer { library.freeURL(handle) }
      for part in [base?.absoluteString, text].compactMap(\.self) {
        guard library.setURL(handle, CURLUPART_URL, part, UInt32(CURLU_URLENCODE)) == CURLUE_OK
        else { return nil }
      }
      var ascii: UnsafeMutablePointer<CChar>?
      guard ccurl_get_ascii_address(library.getURL, handle, &ascii) == CURLUE_OK, let ascii
      else { return nil }
      defer { library.free(ascii) }
      return String(cString: ascii)
    } catch {
      // The request would fail by that, too, and says so.
      return nil
    }
  }
}
