public import StateStore

/// Why something can't be done with the list of landmarks.
public typealias LandmarksError = PlainError<Landmarks>

extension LandmarksError {
  static func notFound(id: Int) -> Self {
    Self(
      "not_found", "There is no landmark with the id \(id): take the id of one that is loaded.")
  }
}
