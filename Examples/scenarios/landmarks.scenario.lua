-- Landmarks: a list with a filter, its favorites, and the one that is selected.

local function names(list)
  local found = {}
  for index, landmark in ipairs(list) do found[index] = landmark.name end
  return found
end

-- Writes landmarks to a file, and returns its path.
local function write(content)
  local path = tmp() .. "/places.json"
  local file <close> = assert(io.open(path, "w"))
  file:write(type(content) == "string" and content or json.encode(content))
  return path
end

local function place(changes)
  local landmark = {
    id = 1, name = "Old Mill", park = "Mill Park", state = "Ohio", category = "Mills", latitude = 40.5,
    longitude = -82.25, is_favorite = false, is_featured = false,
  }
  for name, value in pairs(changes or {}) do landmark[name] = value end
  return landmark
end

group("loading landmarks", { tags = { "landmarks" } }, function()
  scenario("reads a dozen built-in ones", function()
    expect.changes(landmarks.load, { ["landmarks.all"] = expect.any("table") })
    expect.equal(#landmarks.all, 12)
    expect.equal(landmarks.all[1], {
      id = 1, name = "Turtle Rock", park = "Joshua Tree National Park", state = "California", category = "Rocks",
      latitude = 34.011, longitude = -116.167, is_favorite = true, is_featured = false,
    })
  end)

  -- A snapshot is a file beside this one; --update writes it anew.
  scenario("shows each with a star, filled for favorites", function()
    landmarks.load()
    local rows = {}
    for index, landmark in ipairs(landmarks.all) do rows[index] = tostring(landmark) end
    expect.equal(rows[1], "★ Turtle Rock")
    expect.equal(rows[2], "☆ Silver Salmon Creek")
    expect.snapshot("rows", table.concat(rows, "\n"))
  end)

  scenario("reads another file, and drops a selection that isn't in it", function()
    landmarks.load()
    landmarks.select(5)
    local rock = landmarks.all[1]
    expect.changes(function() landmarks.load(write({ place({ id = 20 }) })) end, {
      ["landmarks.all"] = { place({ id = 20 }) },
      ["landmarks.selected"] = expect.none,
    })
    expect.equal(tostring(rock), "landmark 1 (removed)")
  end)

  scenario("can be answered by a stub", function()
    local answering = stub(landmarks.load, function() return { place() } end)
    landmarks.load("https://example.com/places.json")
    expect.equal(names(landmarks.all), { "Old Mill" })
    expect.called(answering, { "https://example.com/places.json" })
  end)

  each({
    { "bad JSON", "[", "source_not_json" },
    { "no list", "{}", "source_wrong_shape" },
    { "a missing field", { { id = 1, name = "Old Mill" } }, "source_wrong_shape", "park" },
    { "an empty name", { place(), place({ id = 2, name = "" }) }, "source_wrong_shape", "name" },
    { "a latitude out of range", { place({ latitude = 91 }) }, "source_wrong_shape", "latitude" },
    { "a longitude out of range", { place({ longitude = -181 }) }, "source_wrong_shape", "longitude" },
    { "a duplicate id", { place(), place() }, "source_wrong_shape", "id" },
  }, "refuses %s, naming file and field, and keeps the old list", function(_, content, code, field)
    landmarks.load()
    local path = write(content)
    expect.unchanged(function()
      local problem = expect.error(function() landmarks.load(path) end, { code = code })
      expect.matches(tostring(problem), "^.*places%.json: ")
      if field then expect.contains(tostring(problem), field) end
    end)
  end)

  scenario("refuses a file that is missing", function()
    expect.unchanged(function()
      expect.error(function() landmarks.load("no-such-file.json") end, { code = "not_readable" })
    end)
  end)
end)

group("favorite landmarks", { tags = { "landmarks" } }, function()
  before(landmarks.load)

  scenario("are all that is shown, if asked", function()
    expect.equal(#landmarks.visible(), 12)
    expect.changes(function() landmarks.show_favorites_only = true end, { ["landmarks.show_favorites_only"] = true })
    expect.equal(names(landmarks.visible()), { "Turtle Rock", "Chilkoot Trail", "Delicate Arch", "Crater Lake" })
    expect.truthy(landmarks.visible()[2] == landmarks.all[3])
    expect.equal(#landmarks.all, 12)
  end)

  scenario("are toggled by id, whatever is shown", function()
    landmarks.show_favorites_only = true
    local is_favorite = expect.changes(function() return landmarks.toggle_favorite(8) end, {
      ["landmarks.all[8].is_favorite"] = false,
    })
    expect.equal(is_favorite, false)
    expect.equal(names(landmarks.visible()), { "Turtle Rock", "Chilkoot Trail", "Crater Lake" })
  end)

  scenario("are the same in the list and in detail", function()
    local row, detail = landmarks.visible()[2], landmarks.get(2)
    expect.changes(function() detail.is_favorite = true end, { ["landmarks.all[2].is_favorite"] = true })
    expect.equal(tostring(row), "★ Silver Salmon Creek")
    expect.changes(function() row.is_favorite = false end, { ["landmarks.all[2].is_favorite"] = false })
    expect.equal(detail.is_favorite, false)
  end)

  scenario("leave the list at once when they are toggled off, and stay selected", function()
    landmarks.show_favorites_only = true
    landmarks.select(3)
    landmarks.toggle_favorite(3)
    expect.equal(names(landmarks.visible()), { "Turtle Rock", "Delicate Arch", "Crater Lake" })
    expect.equal(landmarks.selected, 3)
  end)

  scenario("are the only thing of a landmark that changes", function()
    expect.unchanged(function() expect.error(function() landmarks.get(1).name = "Rock" end) end)
  end)

  each({ { 1 }, { "true" }, {} }, "are set by booleans only", function(value)
    expect.unchanged(function()
      expect.error(function() landmarks.get(1).is_favorite = value end, { code = "bad_argument" })
      expect.error(function() landmarks.show_favorites_only = value end, { code = "bad_argument" })
    end)
  end)
end)

group("the selected landmark", { tags = { "landmarks" } }, function()
  before(landmarks.load)

  scenario("is one, shown or not, or none", function()
    landmarks.show_favorites_only = true
    expect.changes(function() landmarks.select(2) end, { ["landmarks.selected"] = 2 })
    expect.changes(function() landmarks.select(1) end, { ["landmarks.selected"] = 1 })
    expect.changes(landmarks.deselect, { ["landmarks.selected"] = expect.none })
    expect.actions(landmarks.deselect, {})
  end)

  each({
    get = function(id) landmarks.get(id) end, select = function(id) landmarks.select(id) end,
    toggle_favorite = function(id) landmarks.toggle_favorite(id) end,
  }, "exists: an unknown id isn't found", function(use)
    expect.unchanged(function()
      for _, id in ipairs({ 0, 13, -1, math.maxinteger }) do
        expect.error(function() use(id) end, { code = "not_found" })
      end
    end)
  end)
end)

property("what is shown follows from the filter", { actions = { "landmarks" }, runs = 5, length = 20 }, function()
  landmarks.load()
  invariant(function()
    local favorites = 0
    for _, landmark in ipairs(landmarks.all) do
      if landmark.is_favorite then favorites = favorites + 1 end
    end
    expect.equal(#landmarks.visible(), landmarks.show_favorites_only and favorites or #landmarks.all)
    if landmarks.selected then landmarks.get(landmarks.selected) end
  end)
end)
