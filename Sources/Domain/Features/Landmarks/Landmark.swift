public import StateStore
/// A place worth a visit.
public struct Landmark: Record, FieldRecord {
  /// What the landmark is known by; its file says it.
  public let id: Int
  /// The name, which isn't blank.
  public let name: String
  /// The park it is in.
  public let park: String
  /// The state it is in.
  public let state: String
  /// What kind of place it is, such as "Lakes".
  public let category: String
  /// Degrees north, from -90 to 90.
  public let latitude: Double
  /// Degrees east, from -180 to 180.
  public let longitude: Double
  /// Whether people like it best; the only thing they can change.
  public var isFavorite: Bool
  /// Whether it is shown before others.
  public let isFeatured: Bool

  private enum CodingKeys: String, CodingKey {
    case id, name, park, state, category, latitude, longitude
    case isFavorite = "is_favorite"
    case isFeatured = "is_featured"
  }

  /// Makes a landmark.
  public init(
    id: Int, name: String, park: String, state: String, category: String, latitude: Double,
    longitude: Double, isFavorite: Bool = false, isFeatured: Bool = false
  ) {
    self.id = id
    self.name = name
    self.park = park
    self.state = state
    self.category = category
    self.latitude = latitude
    self.longitude = longitude
    self.isFavorite = isFavorite
    self.isFeatured = isFeatured
  }

  /// The name after a star, which is filled for a favorite: `★ Turtle Rock`, `☆ Silver Salmon Creek`.
  public var row: String { "\(isFavorite ? "★" : "☆") \(name)" }

  /// What scripts and files call the parts.
  public static let fields: [RecordField<Landmark>] = [
    .constant("id", \.id), .constant("name", \.name), .constant("park", \.park),
    .constant("state", \.state), .constant("category", \.category),
    .constant("latitude", \.latitude), .constant("longitude", \.longitude),
    .field("is_favorite", \.isFavorite), .constant("is_featured", \.isFeatured),
  ]

  /// Reads a landmark as sources have it.
  public init(fromDocument decoder: any Decoder) throws {
    self = try Landmarks.SourceRecord(from: decoder).landmark
  }
}
