import Scripting
import Testing

@MainActor
@Suite("favorites")
struct FavoritesModuleTests {
  private let app: AppInLua

  init() throws { app = try AppInLua() }

  @Test("adds primes once, in order")
  func adds() async throws {
    #expect(
      try await app.text(
        """
        return favorites.add(7), favorites.add(2), favorites.add(7), #favorites,
          favorites[1], favorites[2], favorites[3], favorites[0], favorites[-1]
        """) == "true true false 2 7 2 nil nil nil")
  }

  @Test("refuses numbers that aren't prime", arguments: ["8", "1", "0", "-7", "math.mininteger"])
  func notPrime(number: String) async throws {
    let error = await app.failure("favorites.add(\(number))")
    #expect(error?.code == "not_prime")
    #expect(try await app.text("return #favorites") == "0")
  }

  @Test("removes, toggles and looks up by number")
  func byNumber() async throws {
    #expect(
      try await app.text(
        """
        favorites.add(2)
        return favorites.contains(2), favorites.remove(2), favorites.remove(2),
          favorites.toggle(3), favorites.contains(3), favorites.toggle(3), favorites.contains(3)
        """) == "true true false true true false false")
  }

  @Test(
    "removes the numbers at positions given in any order",
    arguments: [
      ("2", "2 5 7 11"), ("{1, 3}", "3 7 11"), ("{3, 1}", "3 7 11"), ("{5, 1, 2}", "5 7"),
      ("{2, 2}", "2 5 7 11"), ("{}", "2 3 5 7 11"),
    ])
  func positions(positions: String, left: String) async throws {
    #expect(
      try await app.text(
        """
        for _, p in ipairs({ 2, 3, 5, 7, 11 }) do favorites.add(p) end
        favorites.remove_at(\(positions))
        return table.concat(favorites, " ")
        """) == left)
  }

  @Test(
    "removes nothing when a position is out of range",
    arguments: ["0", "3", "{1, 3}", "-1", "math.mininteger", "math.maxinteger"])
  func badPositions(positions: String) async throws {
    try await app.run("favorites.add(2) favorites.add(3)")
    #expect(
      await app.failure("favorites.remove_at(\(positions))")?.code == "position_out_of_range")
    #expect(try await app.text("return #favorites") == "2")
  }

  @Test("is a sequence to ipairs, pairs, table.concat and table.unpack")
  func sequence() async throws {
    #expect(
      try await app.text(
        """
        favorites.add(5) favorites.add(3)
        local seen = {}
        for i, p in ipairs(favorites) do seen[#seen + 1] = i .. "=" .. p end
        for i, p in pairs(favorites) do seen[#seen + 1] = i .. ":" .. p end
        return table.concat(seen, " "), table.concat(favorites, ","), table.unpack(favorites)
        """) == "1=5 2=3 1:5 2:3 5,3 5 3")
  }

  @Test("returns a list that belongs to the script")
  func list() async throws {
    #expect(
      try await app.text(
        "favorites.add(5) local l = favorites.list() l[1] = 1 return l[1], favorites[1]")
        == "1 5")
  }

  @Test("is empty after clearing")
  func clears() async throws {
    #expect(
      try await app.text("favorites.add(5) favorites.clear() return #favorites, favorites[1]")
        == "0 nil")
  }

  @Test("refuses to assign its elements")
  func assigned() async {
    #expect(await app.failure("favorites[1] = 7")?.code == "read_only_field")
  }
}
