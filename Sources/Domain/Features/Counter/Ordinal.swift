extension Int {
  /// The number as an English ordinal: 1st, 2nd, 3rd, 11th, 112th, -1st.
  public var ordinal: String {
    let suffix =
      switch (magnitude % 100, magnitude % 10) {
      case (11...13, _): "th"
      case (_, 1): "st"
      case (_, 2): "nd"
      case (_, 3): "rd"
      default: "th"
      }
    return "\(self)\(suffix)"
  }
}
