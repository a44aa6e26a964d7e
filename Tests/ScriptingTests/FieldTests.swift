import SampleApp
import Testing
import TestSupport

@MainActor
@Suite("Fields of the modules")
struct FieldTests {
  private let app: AppInLua

  init() throws { app = try AppInLua() }

  @Test(
    "in scripts",
    arguments: LuaCase.list(
      """
      -- that don't exist raise an error with those that do, and the closest name
      return counter.cuont
      --> unknown_field: counter has no field 'cuont'; did you mean 'count'? It has: alert,…
      counter.cuont = 1
      --> unknown_field: counter has no field 'cuont'; did you mean 'count'? It has: alert,…
      return favorites.zzzzzzzz
      --> unknown_field: favorites has no field 'zzzzzzzz'. It has: add, clear, remove…
      return oracle[true]
      --> unknown_field: oracle has no field with a boolean for a name. It has: ask, nth…
      return todo.items.first
      --> unknown_field: todo.items has no field 'first'. It has: count, csv, find, get, …
      todo.items.first = 1
      --> unknown_field: todo.items has no field 'first'. It has: count, csv, find, get, …
      return todo.add('x').txt
      --> unknown_field: todo.item has no field 'txt'; did you mean 'text'? It has: done, id, text…
      \(Persons.three) persons[1].nmae = 'x'
      --> unknown_field: person has no field 'nmae'; did you mean 'name'? It has: age, id, name…
      -- differ from elements: a missing position is nil, whatever the number
      favorites.add(2) todo.add("milk") persons.add({ name = "Ann", age = 30 })
      for _, list in ipairs({ favorites, todo.items, persons }) do
        for _, position in ipairs({ 0, 2, -1, 1.5, 1/0, math.maxinteger, math.mininteger }) do
          assert(list[position] == nil)
        end
      end
      return favorites[1.0], todo.items[1.0].text, persons[1.0].name --> 2 milk Ann
      -- of todo.items are a sequence that always shows the current list
      local items, seen = todo.items, {}
      for _, text in ipairs({ "c", "b", "a" }) do todo.add(text) end
      for i, item in ipairs(items) do seen[#seen + 1] = i .. item.text end
      for i, item in pairs(items) do seen[#seen + 1] = i .. item.text end
      todo.remove(items[2].id)
      return table.concat(seen, " "), #items, items[2].text, items == todo.items
      --> 1a 2b 3c 1a 2b 3c 2 c true
      -- of the state's copy are independent: changing them changes nothing in the app
      todo.add("milk") \(Persons.three)
      local state = store.state()
      state.todo.items[1].text = "x"
      state.persons[1].name = "x"
      return type(state.persons[1]), todo.items[1].text, persons[1].name --> table milk Majid
      -- that are read-only say so
      counter.alert = 1 --> read_only_field: counter.alert is read-only and can't be assigned
      counter.increment = 1
      --> read_only_field: counter.increment is a function and can't be assigned
      todo.items = {} --> read_only_field: todo.items is read-only and can't be assigned
      favorites[1] = 2 --> read_only_field: the elements of favorites can't be assigned
      todo.items[1] = 'x' --> read_only_field: the elements of todo.items can't be assigned
      todo.add('x').id = 2 --> read_only_field: todo.item.id is read-only and can't be assigned
      """))
  func scripts(example: LuaCase) async throws { try await app.state.check(example) }

  @Test("are all listed by pairs")
  func pairs() async throws {
    for module in app.session.modules where !["favorites", "persons"].contains(module.name) {
      let names = try await app.text(
        """
        local names = {}
        for name in pairs(\(module.name)) do names[#names + 1] = name end
        table.sort(names)
        return table.concat(names, " ")
        """)
      let listed = Set(names.split(separator: " ").map(String.init))
      let documented = Set(module.documentation.map(\.name))
      // pairs leaves out fields that are nil.
      #expect(
        documented.subtracting(listed)
          .isSubset(of: ["modal", "alert", "error", "step", "last_query"]))
      #expect(listed.isSubset(of: documented))
    }
  }
}
