import PrimereplWeb

enum PageFiles {
  /// The answer with the page for a browser that comes in: it finds the token there.
  static func page(forToken token: String, cookie: String) -> HTTPAnswer {
    let page = String(decoding: PackageResources.page_html, as: UTF8.self)
      .replacing(
        "<head>", with: "<head>\n<meta name=\"token\" content=\"\(token)\">", maxReplacements: 1)
    var answer = HTTPAnswer(type: pageType, Array(page.utf8))
    answer.headers.append(("Set-Cookie", cookie))
    return answer
  }

  private static let pageType = "text/html; charset=utf-8"

  static func answer(for path: String) -> HTTPAnswer? {
    let script = "text/javascript; charset=utf-8"
    return switch path {
    case "/": HTTPAnswer(type: pageType, PackageResources.page_html)
    case "/look.css": HTTPAnswer(type: "text/css; charset=utf-8", WebFiles.look)
    case "/page.css": HTTPAnswer(type: "text/css; charset=utf-8", PackageResources.page_css)
    case "/page.js": HTTPAnswer(type: script, PackageResources.page_js)
    case "/server.js": HTTPAnswer(type: script, PackageResources.server_js)
    case "/elements.js": HTTPAnswer(type: script, WebFiles.elements)
    case "/values.js": HTTPAnswer(type: script, PackageResources.values_js)
    case "/feature.js": HTTPAnswer(type: script, PackageResources.feature_js)
    case "/call.js": HTTPAnswer(type: script, PackageResources.call_js)
    case "/list.js": HTTPAnswer(type: script, PackageResources.list_js)
    case "/chart.js": HTTPAnswer(type: script, PackageResources.chart_js)
    case "/history.js": HTTPAnswer(type: script, PackageResources.history_js)
    case "/console.js": HTTPAnswer(type: script, PackageResources.console_js)
    case "/editor.js": HTTPAnswer(type: script, PackageResources.editor_js)
    case "/favicon.ico": .empty(204)
    default: nil
    }
  }
}
