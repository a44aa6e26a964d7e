/// What a declaration says of the feature's tab in a browser.
package struct PageLayout: Sendable {
  /// The names of the members that come first, in their order: fields, derived values, and functions of all kinds.
  package internal(set) var order: [String] = []
  /// The names of the members that aren't shown.
  package internal(set) var hidden: [String] = []
  /// The names of the columns of lists, in their order; others have all.
  package internal(set) var columns: [String: [String]] = [:]
  /// The name of the function whose form is open at first; nil for none.
  package internal(set) var main: String?
}
