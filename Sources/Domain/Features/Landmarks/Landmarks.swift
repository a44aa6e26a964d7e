import PrimereplFoundation
import PrimereplLoading
public import StateStore

/// A list of landmarks: people can mark favorites, and select a landmark to see more of it.
public enum Landmarks: Feature {
  /// "landmarks".
  public static let name = "landmarks"

  /// No landmarks.
  public static var initial: State { State() }

  /// The state of the list.
  public struct State: Codable, Equatable, Sendable {
    /// The landmarks, in the order of their file.
    public internal(set) var all = RecordList<Landmark>()
    /// Whether only favorites are shown.
    public internal(set) var showFavoritesOnly = false
    /// The id of the landmark that is selected, shown or not, or nil.
    public internal(set) var selected: Int?

    /// The landmarks that are shown: all of them, or only the favorites.
    ///
    /// - Complexity: O(landmarks).
    public var visible: [Landmark] {
      showFavoritesOnly ? all.filter(\.isFavorite) : Array(all)
    }

    /// Whether the landmark with an id is a favorite.
    ///
    /// - Throws: `LandmarksError.notFound`.
    public func isFavorite(_ id: Int) throws(LandmarksError) -> Bool {
      guard let landmark = all[id: id] else { throw .notFound(id: id) }
      return landmark.isFavorite
    }
  }

  /// Everything that can happen to the list.
  public enum Action: Codable, Equatable, Sendable {
    /// A landmark becomes a favorite, or stops being one.
    case setFavorite(id: Int, isFavorite: Bool)
    /// Only favorites are shown, or all.
    case setShowFavoritesOnly(Bool)
    /// A landmark is selected, in place of any other.
    case select(id: Int)
    /// The selection is cleared.
    case deselect
  }

  /// Applies an action to the list.
  ///
  /// - Throws: `LandmarksError`, or `RecordListError` for duplicate ids; the state is then unchanged.
  public static func reduce(_ state: inout State, _ action: Action) throws {
    switch action {
    case .setFavorite(let id, let isFavorite):
      let isThere = state.all.update(id: id) { $0.isFavorite = isFavorite }
      guard isThere else { throw LandmarksError.notFound(id: id) }
    case .setShowFavoritesOnly(let isOn):
      state.showFavoritesOnly = isOn
    case .select(let id):
      guard state.all.contains(id: id) else { throw LandmarksError.notFound(id: id) }
      state.selected = id
    case .deselect:
      state.selected = nil
    }
  }

  /// Replaces the landmarks with those of a source.
  public static let load = Request<Landmarks, Source, [Landmark]>(
    "load", isLocal: \.isLocal, isLatest: true,
    ask: { context in
      guard let source = context.question.name else {
        return try DocumentDecoder(source: "landmarks.json").identifiedRecords(
          of: SourceRecord.self, from: Data(PackageResources.landmarks_json))
      }
      return try await context.services.documents.identifiedRecords(
        of: SourceRecord.self, from: source)
    },
    answer: { records, _, _ in records.map(\.landmark) },
    reply: { $0.map(SourceRecord.init) },
    done: { state, landmarks in
      try state.all.replaceAll(with: landmarks)
      if let selected = state.selected, !state.all.contains(id: selected) { state.selected = nil }
    })

  /// All parts of the state.
  public static let fields: [Field<Landmarks>] = [
    .list(
      "all", \.all, help: "All landmarks, in the order of their file.",
      missing: { LandmarksError.notFound(id: $0) },
      .set(\.isFavorite) { .setFavorite(id: $0, isFavorite: $1) }
    )
    .inView("landmarks"),
    .value(
      "show_favorites_only", \.showFavoritesOnly,
      help: "Whether only favorites are shown; assignable."
    ) { .setShowFavoritesOnly($0) },
    .value("selected", \.selected, help: "The id of the landmark that is selected; or nil."),
    .request(load, pending: nil, error: nil),
  ]

  /// The services that the request asks.
  public typealias Services = PrimereplDomain.Services

  /// The codes of its errors.
  public enum ErrorCode: String, FeatureErrorCode {
    case notFound
  }

  /// Checks that the selected landmark exists.
  public static func validate(_ state: inout State) throws {
    if let selected = state.selected, !state.all.contains(id: selected) {
      throw DocumentError("selected", "\(LandmarksError.notFound(id: selected))")
    }
  }
}

/// A place worth a visit.
public struct Landmark: Record, FieldRecord {
  /// The number by which actions name the landmark, from its file.
  public let id: Int
  /// The name, which isn't blank.
  public let name: String
  /// The park it is in.
  public let park: String
  /// The state it is in.
  public let state: String
  /// The kind of place, such as "Lakes".
  public let category: String
  /// Degrees north, from -90 to 90.
  public let latitude: Double
  /// Degrees east, from -180 to 180.
  public let longitude: Double
  /// Whether it is a favorite; the only field that people can change.
  public var isFavorite = false
  /// Whether it is shown before others.
  public internal(set) var isFeatured = false

  private enum CodingKeys: String, CodingKey {
    case id, name, park, state, category, latitude, longitude
    case isFavorite = "is_favorite"
    case isFeatured = "is_featured"
  }

  /// The name after a star, which is filled for a favorite: `★ Turtle Rock`, `☆ Silver Salmon Creek`.
  public var row: String { "\(isFavorite ? "★" : "☆") \(name)" }

  /// The names of the parts in scripts and files.
  public static let fields: [RecordField<Landmark>] = [
    .constant("id", \.id, help: "The landmark's id."),
    .constant("name", \.name, help: "Its name."),
    .constant("park", \.park, help: "The park it is in."),
    .constant("state", \.state, help: "The state it is in."),
    .constant("category", \.category, help: "The kind of place."),
    .constant("latitude", \.latitude, help: "Degrees north."),
    .constant("longitude", \.longitude, help: "Degrees east."),
    .field("is_favorite", \.isFavorite, help: "Whether it is a favorite; assignable."),
    .constant("is_featured", \.isFeatured, help: "Whether it is featured."),
  ]
}

extension Landmark {
  /// Reads a landmark as sources write it.
  public init(fromDocument decoder: any Decoder) throws {
    self = try Landmarks.SourceRecord(from: decoder).landmark
  }
}

/// Why something can't be done with the list of landmarks.
public typealias LandmarksError = FeatureError<Landmarks>

extension LandmarksError {
  package static func notFound(id: Int) -> Self {
    Self(
      .notFound, "No landmark has the id \(id): use the id of a loaded one.")
  }
}

// MARK: - Sources

extension Landmarks {
  /// A landmark of a source, checked when it is decoded.
  struct SourceRecord: Codable, Identifiable, Sendable {
    let landmark: Landmark

    var id: Int { landmark.id }

    init(_ landmark: Landmark) { self.landmark = landmark }

    private enum CodingKeys: CodingKey {
      case name, latitude, longitude
    }

    init(from decoder: any Decoder) throws {
      let landmark = try Landmark(from: decoder)
      func check(_ key: CodingKeys, _ isRight: Bool, _ problem: String) throws {
        guard isRight else { throw DocumentError(decoder.codingPath + [key], problem) }
      }
      try check(.name, !landmark.name.isBlank, "is empty")
      try check(
        .latitude, (-90.0...90.0).contains(landmark.latitude),
        "\(landmark.latitude) isn't from -90 to 90")
      try check(
        .longitude, (-180.0...180.0).contains(landmark.longitude),
        "\(landmark.longitude) isn't from -180 to 180")
      self.landmark = landmark
    }

    func encode(to encoder: any Encoder) throws { try landmark.encode(to: encoder) }
  }
}
