-- Persons: a list whose records are edited through handles.

group("persons", { tags = { "persons" } }, function()
  scenario("are fetched from the built-in source", function()
    expect.changes(persons.fetch, {
      persons = {
        { id = 1, name = "Majid", age = 27 },
        { id = 2, name = "John", age = 31 },
        { id = 3, name = "Fred", age = 25 },
      },
    })
  end)

  scenario("get new ids when they are fetched again", function()
    persons.fetch()
    local john = persons[2]
    persons.fetch()
    expect.equal(persons[2], { id = 5, name = "John", age = 31 })
    expect.error(function() return john.name end, { code = "not_found" })
  end)

  scenario("are added after the others", function()
    persons.fetch()
    local ann = expect.changes(function() return persons.add({ name = "Ann", age = 30.0 }) end, {
      ["persons[4]"] = { id = 4, name = "Ann", age = 30 },
    })
    expect.equal({ #persons, ann.id, persons.get(4).name, math.type(ann.age) }, { 4, 4, "Ann", "integer" })
  end)

  scenario("are removed by id", function()
    persons.fetch()
    expect.changes(function() persons.remove(2) end, { ["persons.removed"] = { { id = 2, name = "John", age = 31 } } })
    expect.equal(#persons, 2)
    expect.equal(persons[2], { id = 3, name = "Fred", age = 25 })
  end)

  scenario("are shown with name and age", function()
    persons.fetch()
    expect.equal("It is " .. persons[2], "It is person 2: John, 31")
  end)

  each({
    get = function(id) persons.get(id) end, edit = function(id) persons.edit(id, { age = 1 }) end,
    remove = function(id) persons.remove(id) end,
  }, "aren't found by an unknown id", function(use)
    persons.fetch()
    expect.unchanged(function() expect.error(function() use(99) end, { code = "not_found" }) end)
  end)
end)

group("an edit of a person", { tags = { "persons" } }, function()
  before(persons.fetch)

  scenario("by assigning a field shows in the list and in every handle", function()
    local john, again = persons[2], persons.get(2)
    expect.changes(function() persons[2].name = "Jane" end, { ["persons[2].name"] = "Jane" })
    expect.equal({ john.name, again.name }, { "Jane", "Jane" })
  end)

  scenario("of several fields is one action", function()
    expect.actions(function()
      expect.changes(function() persons.edit(2, { name = "Jane", age = 28 }) end, {
        ["persons[2].name"] = "Jane", ["persons[2].age"] = 28,
      })
    end, { 'persons.edit(2, {name = "Jane", age = 28})' })
  end)

  scenario("to the same values, or of no field, is none", function()
    expect.actions(function()
      persons[2].name = "John"
      persons.edit(2, { name = "John", age = 31 })
      persons.edit(2, {})
    end, {})
  end)

  scenario("goes to the person of the handle, wherever they are in the list", function()
    local fred = persons[3]
    persons.remove(1)
    expect.changes(function() fred.age = 26 end, { ["persons[2].age"] = 26 })
  end)

  scenario("through a handle on a person who was removed is an error, and never another person's", function()
    local john = persons[2]
    persons.remove(2)
    expect.unchanged(function()
      expect.error(function() john.name = "Jane" end, { code = "not_found" })
      expect.error(function() return john.age end, { code = "not_found" })
      expect.error(function() for _ in pairs(john) do end end, { code = "not_found" })
    end)
    expect.equal(tostring(john), "person 2 (removed)")
    store.undo()
    expect.equal(john.name, "John")
  end)

  each({
    ["an empty name"] = { { name = "" }, "empty_name" },
    ["a blank name"] = { { name = " " }, "empty_name" },
    ["an age below 0"] = { { age = -1 }, "age_out_of_range" },
    ["an age above 150"] = { { age = 151 }, "age_out_of_range" },
    ["the least integer for an age"] = { { age = math.mininteger }, "age_out_of_range" },
    ["the greatest integer for an age"] = { { age = math.maxinteger }, "age_out_of_range" },
    ["one wrong field of two"] = { { name = "Jane", age = 200 }, "age_out_of_range" },
  }, "is refused, and changes nothing", function(fields, code)
    expect.unchanged(function()
      expect.error(function() persons.edit(2, fields) end, { code = code })
      expect.error(function()
        persons.add({ name = fields.name or "Jane", age = fields.age or 28 })
      end, { code = code })
    end)
  end)

  scenario("of a field that doesn't exist names those that do", function()
    expect.unchanged(function()
      expect.error(function() persons.edit(2, { nmae = "Jane" }) end, {
        code = "unknown_field", message = expect.like("name"),
      })
      expect.error(function() persons[2].nmae = "Jane" end)
      expect.error(function() persons.add({ name = "Jane" }) end, "age: missing")
    end)
  end)

  scenario("by assigning a wrong value is refused, too", function()
    expect.unchanged(function()
      expect.error(function() persons[2].name = "" end, { code = "empty_name" })
      expect.error(function() persons[2].age = 151 end, { code = "age_out_of_range" })
    end)
  end)

  each({ { 0 }, { 150 } }, "can make the age %d", function(age)
    expect.changes(function() persons[1].age = age end, { ["persons[1].age"] = age })
  end)
end)

group("fetching persons", { tags = { "persons", "async" } }, function()
  scenario("reads a file", function()
    local path = tmp() .. "/persons.json"
    local file <close> = assert(io.open(path, "w"))
    file:write('[{"name": "Ann", "age": 30}]'):flush()
    expect.changes(function() persons.fetch(path) end, { ["persons[1]"] = { id = 1, name = "Ann", age = 30 } })
  end)

  scenario("asks first, and then waits", function()
    local answering = stub(persons.fetch, function() task.sleep(60) return { { name = "Ann", age = 30 } } end)
    local fetching = task.spawn(persons.fetch, "https://example.com/persons.json")
    expect.equal(persons.loading, true)
    expect.changes(function() clock.advance(60) end, {
      ["persons.loading"] = false, ["persons[1]"] = { id = 1, name = "Ann", age = 30 },
    })
    fetching:await()
    expect.called(answering, { "https://example.com/persons.json" })
  end)

  each({
    { "missing", "not_readable" }, { "not JSON", "source_not_json", "no" },
    { "without an age", "source_wrong_shape", '[{"name": "Ann"}]' },
    { "with an age out of range", "source_wrong_shape", '[{"name": "Ann", "age": 151}]' },
    { "with an empty name", "source_wrong_shape", '[{"name": "", "age": 15}]' },
  }, "fails for a file that is %s, and keeps the persons", function(_, code, content)
    persons.fetch()
    local path = tmp() .. "/persons.json"
    if content then
      local file <close> = assert(io.open(path, "w"))
      file:write(content)
    end
    expect.changes(function() expect.error(function() persons.fetch(path) end, { code = code }) end, {
      ["persons.error"] = expect.like("persons%.json: "),
    })
    expect.equal({ persons.loading, #persons }, { false, 3 })
    expect.changes(persons.fetch, { ["persons.error"] = expect.none, persons = expect.any("table") })
  end)
end)

-- The values follow from the signatures: names, ages, and the ids of persons who exist.
property("persons always have a name and an age", { actions = { "persons" }, runs = 10, length = 20 }, function()
  invariant(function()
    local ids = {}
    for _, person in ipairs(persons) do
      expect.matches(person.name, "%S")
      expect.truthy(person.age >= 0 and person.age <= 150)
      expect.falsy(ids[person.id])
      ids[person.id] = true
    end
  end)
end)
