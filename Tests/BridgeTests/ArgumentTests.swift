import Testing

@MainActor
@Suite("Arguments of the functions of our modules")
struct ArgumentTests {
  private let app: AppInLua

  init() throws { app = try AppInLua() }

  @Test(
    "that are positions are named in errors",
    arguments: [
      ("{1, 'x'}", "string at position 2"), ("{1.5}", "1.5 at position 1"), ("'1'", "string"),
      ("{2.0^63}", "9.223372036854776e+18 at position 1"), ("", "no value"),
    ])
  func positions(positions: String, got: String) async {
    let error = await app.failure("favorites.add(2) favorites.remove_at(\(positions))")
    #expect(
      error?.message
        == "bad argument #1 to 'favorites.remove_at' "
        + "(positions: integer|integer[] expected, got \(got))")
  }
}
