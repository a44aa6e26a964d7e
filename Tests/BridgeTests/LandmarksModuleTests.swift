import Foundation
import PrimereplDomain
import StateStore
import Testing

@MainActor
@Suite("landmarks")
struct LandmarksModuleTests {
  private let app: AppInLua

  init() throws { app = try AppInLua() }

  /// Runs Lua text after the built-in landmarks were loaded.
  private func text(_ source: String) async throws -> String {
    try await app.text("landmarks.load() \(source)")
  }

  @Test("is empty before landmarks are loaded")
  func empty() async throws {
    #expect(
      try await app.text(
        """
        return #landmarks.all, #landmarks.visible(), landmarks.selected, landmarks.show_favorites_only
        """) == "0 0 nil false")
  }

  @Test("loads a dozen, each with all its fields")
  func loads() async throws {
    #expect(
      try await text(
        """
        local l = landmarks.all[1]
        return #landmarks.all, l.id, l.name, l.park, l.state, l.category, l.latitude, l.longitude,
          l.is_favorite, l.is_featured
        """)
        == "12 1 Turtle Rock Joshua Tree National Park California Rocks 34.011 -116.167 true false")
  }

  @Test("loads another file, and keeps the old list if that fails")
  func loadsFile() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).json")
    let record = """
      {"id": 5, "name": "N", "park": "P", "state": "S", "category": "C", "latitude": 1,
       "longitude": 2, "is_favorite": false, "is_featured": true}
      """
    try Data("[\(record)]".utf8).write(to: file)
    defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: file) } }
    #expect(
      try await text(
        "landmarks.load('\(file.path)') return #landmarks.all, landmarks.get(5), landmarks.get(5).latitude"
      ) == "1 ☆ N 1.0")
    try Data("[\(record), \(record)]".utf8).write(to: file)
    #expect(
      try await app.text(
        """
        local ok, err = pcall(landmarks.load, "\(file.path)")
        return ok, err.code, err.message:match("json: (.*)"), #landmarks.all
        """) == "false source_wrong_shape record 2: id: 5 is the id of record 1 already 1")
  }

  @Test("shows all or only favorites, as a new table of the records")
  func visible() async throws {
    #expect(
      try await text(
        """
        local all = #landmarks.visible()
        landmarks.show_favorites_only = true
        local rows = {}
        for i, landmark in ipairs(landmarks.visible()) do rows[i] = tostring(landmark) end
        return all, table.concat(rows, ", "), landmarks.visible()[2] == landmarks.all[3]
        """) == "12 ★ Turtle Rock, ★ Chilkoot Trail, ★ Delicate Arch, ★ Crater Lake true")
  }

  @Test("toggles by id, from the list or the detail, and the row leaves at once")
  func toggles() async throws {
    #expect(
      try await text(
        """
        landmarks.show_favorites_only = true
        local detail = landmarks.get(3)
        landmarks.select(detail.id)
        local row = landmarks.visible()[2]
        local on = landmarks.toggle_favorite(row.id)
        local left = #landmarks.visible()
        local off = detail.is_favorite
        detail.is_favorite = true
        return row == detail, on, left, off, row.is_favorite, #landmarks.visible(), landmarks.selected
        """) == "true false 3 false true 4 3")
  }

  @Test("prints a row with its star, and marks a removed one")
  func prints() async throws {
    #expect(
      try await text(
        """
        local rock, creek = landmarks.all[1], landmarks.all[2]
        local text = tostring(rock) .. ", " .. tostring(creek)
        landmarks.toggle_favorite(2)
        return text, tostring(creek)
        """) == "★ Turtle Rock, ☆ Silver Salmon Creek ★ Silver Salmon Creek")
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).json")
    try Data("[]".utf8).write(to: file)
    defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: file) } }
    #expect(
      try await text("local rock = landmarks.all[1] landmarks.load('\(file.path)') return rock")
        == "landmark 1 (removed)")
  }

  @Test("selects one or none, and a load clears a stale selection")
  func selects() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).json")
    try Data("[]".utf8).write(to: file)
    defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: file) } }
    #expect(
      try await text(
        """
        landmarks.select(2) local a = landmarks.selected
        landmarks.deselect() local b = landmarks.selected
        landmarks.select(2) landmarks.load() local c = landmarks.selected
        landmarks.load("\(file.path)")
        return a, b, c, landmarks.selected
        """) == "2 nil 2 nil")
  }

  @Test(
    "doesn't find ids that never existed",
    arguments: ["get", "toggle_favorite", "select"],
    ["0", "-1", "99", "math.maxinteger", "math.mininteger"])
  func notFound(function: String, id: String) async {
    #expect(
      await app.failure("landmarks.load() landmarks.\(function)(\(id))")?.code == "not_found")
  }

  @Test(
    "accepts only booleans for boolean fields",
    arguments: [
      "landmarks.show_favorites_only = 1", "landmarks.show_favorites_only = nil",
      "landmarks.all[1].is_favorite = 'true'", "landmarks.all[1].is_favorite = nil",
    ])
  func booleans(code: String) async {
    let error = await app.failure("landmarks.load() \(code)")
    #expect(error?.code == "bad_argument")
    #expect(error?.message.contains("(boolean expected, got ") == true)
  }

  @Test("lists a landmark's fields by pairs, in their order")
  func pairs() async throws {
    #expect(
      try await text(
        """
        local names = {}
        for name in pairs(landmarks.all[1]) do names[#names + 1] = name end
        return table.concat(names, " ")
        """)
        == "id name park state category latitude longitude is_favorite is_featured")
  }
}
