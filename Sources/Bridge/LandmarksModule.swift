public import Domain
public import Scripting
internal import StateStore
public import Lua

extension Landmarks: ScriptableFeature {
  /// What the module is for.
  public static let help = "Landmarks: load, filter the favorites, select one."

  /// The codes of its errors.
  public static let errorCodes = [
    "not_found"
  ]

  /// The classes of the module's records and lists.
  public static var objectTypes: [any LuaExposed.Type] {
    [LiveRecord<Landmark>.self, LiveList<Landmark>.self]
  }

  /// The function that asks a service.
  public static var stubbable: [String] { ["load"] }

  /// Adds the landmarks and the selection.
  public static func describe(_ module: FeatureModule<Landmarks>) {
    let logic = LandmarksLogic(store: module.store, services: App.services(module.services))
    module.addLandmarks(of: module.store, logic)
    module.addSelection(of: module.store, logic)
  }
}

extension FeatureModule<Landmarks> {
  fileprivate func addLandmarks(of store: Store, _ logic: LandmarksLogic) {
    let records = records(
      \.all, missing: LandmarksError.notFound,
      assigning: .assign(\.isFavorite) { .setFavorite(id: $0, isFavorite: $1) })
    let all = LiveList(records)
    asyncFunction(
      "load", "source",
      help: "Replaces the landmarks with the built-in ones, or with those of a JSON file or URL.",
      example: "landmarks.load()"
    ) { (source: String?) in { try await logic.load(from: source) } }
    property(
      "all", help: "All landmarks, in the order of their file.",
      example: "print(#landmarks.all, landmarks.all[1])"
    ) { all }
    function(
      "visible", help: "The landmarks that are shown: all, or only the favorites.",
      example: "for _, landmark in ipairs(landmarks.visible()) do print(landmark) end"
    ) { () in store.state(of: Landmarks.self).visible.map { records[$0.id] } }
    property(
      "show_favorites_only", help: "Whether only favorites are shown; assignable.",
      example: "landmarks.show_favorites_only = true",
      get: { store.state(of: Landmarks.self).showFavoritesOnly },
      set: { try store.send(.setShowFavoritesOnly($0), to: Landmarks.self) })
    function(
      "get", "id",
      help:
        "The landmark with an id: name, park, state, category, latitude and so on; assign is_favorite to set it.",
      example: "print(landmarks.get(1).park)"
    ) { (id: Int) in try records.existing(id) }
    function(
      "toggle_favorite", "id",
      help: "Toggles whether a landmark is a favorite; returns whether it is one now.",
      example: "landmarks.toggle_favorite(2)"
    ) { (id: Int) in try logic.toggleFavorite(id) }
  }

  fileprivate func addSelection(of store: Store, _ logic: LandmarksLogic) {
    function(
      "select", "id", help: "Selects a landmark, shown or not.", example: "landmarks.select(2)"
    ) { (id: Int) in try store.send(.select(id: id), to: Landmarks.self) }
    property(
      "selected", help: "The id of the landmark that is selected; or nil.",
      example: "print(landmarks.selected)"
    ) { store.state(of: Landmarks.self).selected }
    function("deselect", help: "Selects no landmark.", example: "landmarks.deselect()") {
      () in try logic.deselect()
    }
  }
}

extension Landmark: ScriptableRecord {
  /// The type's name in scripts.
  public static var luaTypeName: String { "landmark" }
  /// The list's name in scripts.
  public static var luaListName: String { "landmarks.all" }

  /// The record as `tostring` shows it.
  public var luaText: String { row }
}

extension Landmarks {
  /// An action as Lua text.
  public static func luaText(of action: Action) -> String {
    switch action {
    case .loadRequested(_, let source): "landmarks.load(\(source?.luaLiteral ?? ""))"
    case .loadFailed(_, let message): "landmarks.load() --> failed: \(message.onOneLine)"
    case .loadSucceeded(_, let landmarks):
      "landmarks.load() --> \(landmarks.count) \(landmarks.count == 1 ? "landmark" : "landmarks")"
    case .setFavorite(let id, let isFavorite):
      "landmarks.get(\(id.luaLiteral)).is_favorite = \(isFavorite)"
    case .setShowFavoritesOnly(let isOn): "landmarks.show_favorites_only = \(isOn)"
    case .select(let id): "landmarks.select(\(id.luaLiteral))"
    case .deselect: "landmarks.deselect()"
    }
  }
}
