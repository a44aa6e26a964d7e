import PrimereplWeb

/// The files of the page.
enum PageFiles {
  /// The answer with the file at a path of the site; nil if there is none.
  static func answer(for path: String) -> HTTPAnswer? {
    let script = "text/javascript; charset=utf-8"
    return switch path {
    case "/": HTTPAnswer(type: "text/html; charset=utf-8", PackageResources.page_html)
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
    case "/range.js": HTTPAnswer(type: script, PackageResources.range_js)
    case "/history.js": HTTPAnswer(type: script, PackageResources.history_js)
    case "/console.js": HTTPAnswer(type: script, PackageResources.console_js)
    case "/favicon.ico": .empty(204)
    default: nil
    }
  }
}
