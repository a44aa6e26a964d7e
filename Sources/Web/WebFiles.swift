/// The look and the code that pages in a browser share: that of an app, and the report of scenarios.
package enum WebFiles {
  /// A style sheet: the colors of light and dark pages, fonts, and changes of the state.
  package static var look: [UInt8] { PackageResources.look_css }
  /// A module of JavaScript that makes elements.
  package static var elements: [UInt8] { PackageResources.elements_js }
}
