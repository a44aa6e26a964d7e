import StateStore
extension Landmarks {
  /// A landmark of a source, which is checked when it is decoded.
  struct SourceRecord: Decodable, Identifiable, Sendable {
    let landmark: Landmark

    var id: Int { landmark.id }

    private enum CodingKeys: CodingKey {
      case name, latitude, longitude
    }

    init(from decoder: any Decoder) throws {
      landmark = try Landmark(from: decoder)
      let container = try decoder.container(keyedBy: CodingKeys.self)
      func check(_ key: CodingKeys, _ isRight: Bool, _ problem: String) throws {
        guard isRight else {
          throw JSONProblem(container.codingPath + [key], problem)
        }
      }
      try check(.name, !landmark.name.isBlank, "is empty")
      try check(
        .latitude, (-90.0...90.0).contains(landmark.latitude),
        "\(landmark.latitude) isn't from -90 to 90")
      try check(
        .longitude, (-180.0...180.0).contains(landmark.longitude),
        "\(landmark.longitude) isn't from -180 to 180")
    }
  }
}
