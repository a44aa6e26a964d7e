-- The sign-up: steps that edit one record, sheets on its summary, and the submission.

-- Fills in what a submission needs.
local function fill_in()
  signup.data.email = "jane@example.com"
  signup.data.password, signup.data.password_confirmation = "secret", "secret"
  signup.data.first_name, signup.data.last_name, signup.data.phone_number = "Jane", "Doe", "555 0100"
  signup.data.topics = { "Testing" }
end

local function go_to(step)
  while signup.step ~= step do signup.next() end
end

group("the steps", { tags = { "signup" } }, function()
  scenario("begin before the first, and go forward one by one", function()
    expect.equal({ signup.step, #signup.path }, { nil, 0 })
    expect.changes(signup.next, { ["signup.path[1]"] = "basics", ["signup.step"] = "basics" })
    expect.changes(signup.next, { ["signup.path[2]"] = "personal_info", ["signup.step"] = "personal_info" })
    expect.equal(signup.next(), "topics")
    signup.data.topics = { "Testing" }
    expect.equal(signup.next(), "summary")
    signup.path[1] = "topics" -- changes a copy
    expect.equal(signup.path, { "basics", "personal_info", "topics", "summary" })
  end)

  scenario("end with the summary", function()
    fill_in()
    go_to("summary")
    expect.unchanged(function() expect.error(signup.next, { code = "no_next_step" }) end)
  end)

  scenario("go back one by one, and not before the beginning", function()
    signup.next()
    signup.next()
    expect.changes(signup.back, { ["signup.path.removed"] = { "personal_info" }, ["signup.step"] = "basics" })
    expect.equal(signup.back(), nil)
    expect.unchanged(function() expect.error(signup.back, { code = "at_root" }) end)
  end)

  scenario("edit one record: nothing is lost by going back and forward", function()
    signup.next()
    signup.data.email = "jane@example.com"
    signup.next()
    signup.data.first_name = "Jane"
    local data = store.state().signup.data
    signup.back()
    signup.back()
    go_to("personal_info")
    expect.equal(store.state().signup.data, data)
  end)

  scenario("can't be left without a topic, and an alert says so", function()
    go_to("topics")
    expect.changes(signup.next, { ["signup.alert"] = { title = "Please choose at least one topic." } })
    expect.equal(signup.step, "topics")
    expect.changes(signup.dismiss_alert, { ["signup.alert"] = expect.none })
    expect.actions(signup.dismiss_alert, {})
    expect.equal(signup.back(), "personal_info")
  end)

  scenario("take the alert away when a topic is chosen", function()
    go_to("topics")
    signup.next()
    expect.changes(function() signup.data.topics = { "Testing" } end, { ["signup.data.topics[1]"] = "Testing" })
    expect.changes(signup.next, {
      ["signup.alert"] = expect.none, ["signup.path[4]"] = "summary", ["signup.step"] = "summary",
    })
  end)

  scenario("start over with a reset, which can be undone", function()
    fill_in()
    go_to("summary")
    local before_reset = store.state()
    signup.reset()
    expect.equal(store.state(), store.new().store.state())
    store.undo()
    expect.equal(store.state(), before_reset)
  end)
end)

group("the record", { tags = { "signup" } }, function()
  each({
    "email", "first_name", "last_name", "phone_number",
  }, "has a text that is assigned: %s", function(field)
    expect.changes(function() signup.data[field] = "some text" end, { ["signup.data." .. field] = "some text" })
    expect.actions(function() signup.data[field] = "some text" end, {})
  end)

  scenario("has topics in the order they were chosen", function()
    expect.changes(function()
      signup.data.topics = { "Testing" }
      signup.data.topics[2] = "Concurrency"
    end, { ["signup.data.topics"] = { "Testing", "Concurrency" } })
    expect.changes(function() table.remove(signup.data.topics, 1) end, {
      ["signup.data.topics.removed"] = { "Testing" },
    })
  end)

  scenario("has the topics that exist, each once", function()
    signup.topics[1] = "Cooking" -- changes a copy
    expect.equal(signup.topics, {
      "Advanced Swift", "Composable Architecture", "Concurrency", "Modern SwiftUI", "SwiftUI", "Testing",
    })
    signup.data.topics = { "Testing" }
    expect.unchanged(function()
      local problem = expect.error(function() signup.data.topics = { "Tseting" } end, { code = "unknown_topic" })
      for _, topic in ipairs(signup.topics) do expect.contains(tostring(problem), topic) end
      expect.error(function() signup.data.topics = { "Testing", "Testing" } end, { code = "duplicate_topic" })
    end)
  end)

  scenario("has no other fields: the error lists those it has", function()
    expect.unchanged(function()
      expect.error(function() signup.data[1] = "x" end, { code = "unknown_field" })
      local problem = expect.error(function() signup.data.emial = "x" end, { code = "unknown_field" })
      for field in pairs(store.state().signup.data) do expect.contains(tostring(problem), field) end
    end)
  end)
end)

group("passwords", { tags = { "signup", "secrets" } }, function()
  each({ "password", "password_confirmation" }, "are shown as bullets, one per character: %s", function(field)
    expect.changes(function() signup.data[field] = "gehäim🎉" end, { ["signup.data." .. field] = "•••••••" })
    expect.equal(signup.data[field], "•••••••")
    expect.falsy(tostring(signup.data):find("gehäim"))
    expect.falsy(inspect(store.state()):find("gehäim"))
  end)

  scenario("are in no history", function()
    expect.actions(function() signup.data.password = "geheim" end, { 'signup.data.password = "••••••"' })
    expect.falsy(inspect(store.history()):find("geheim"))
  end)

  scenario("are in no export, and empty when it is imported", function()
    fill_in()
    local path = tmp() .. "/state"
    for _, extension in ipairs({ ".json", ".lua" }) do
      store.export(path .. extension)
      local file <close> = assert(io.open(path .. extension))
      local text = file:read("a")
      expect.falsy(text:find("secret") or text:find("•"))
    end
    expect.changes(function() store.import(path .. ".json") end, {
      ["signup.data.password"] = "", ["signup.data.password_confirmation"] = "",
    })
  end)
end)

group("the summary", { tags = { "signup" } }, function()
  before(function()
    fill_in()
    go_to("summary")
  end)

  scenario("opens a sheet on the same record", function()
    expect.changes(function() signup.edit("personal_info") end, { ["signup.sheet"] = "personal_info" })
    expect.changes(function() signup.data.first_name = "June" end, { ["signup.data.first_name"] = "June" })
    expect.changes(signup.done, { ["signup.sheet"] = expect.none })
    expect.equal(signup.data.first_name, "June")
  end)

  scenario("has one sheet at a time", function()
    signup.edit("topics")
    expect.unchanged(function()
      expect.error(function() signup.edit("personal_info") end, { code = "sheet_open" })
      for _, go in ipairs({ signup.next, signup.back, signup.submit }) do
        expect.error(go, { code = "sheet_open" })
      end
    end)
  end)

  scenario("keeps the sheet of the topics open while none is chosen", function()
    signup.edit("topics")
    signup.data.topics = {}
    expect.changes(signup.done, { ["signup.alert"] = { title = "Please choose at least one topic." } })
    expect.changes(signup.dismiss_alert, { ["signup.alert"] = expect.none })
    expect.equal(signup.sheet, "topics")
    signup.done()
    signup.data.topics = { "SwiftUI" }
    expect.changes(signup.done, { ["signup.sheet"] = expect.none, ["signup.alert"] = expect.none })
    signup.data.topics = {}
    signup.edit("personal_info")
    expect.changes(signup.done, { ["signup.sheet"] = expect.none })
  end)

  each({ "basics", "summary", "tpoics", "" }, "has no sheet for %q", function(step)
    expect.unchanged(function() expect.error(function() signup.edit(step) end, { code = "not_editable" }) end)
  end)

  scenario("has no sheet to close when none is open", function()
    expect.unchanged(function() expect.error(signup.done, { code = "no_sheet" }) end)
  end)
end)

group("the submission", { tags = { "signup" } }, function()
  scenario("is accepted if all is right, and wipes the passwords", function()
    fill_in()
    go_to("summary")
    local accepted = expect.changes(signup.submit, {
      ["signup.submitted"] = true,
      ["signup.data.password"] = "",
      ["signup.data.password_confirmation"] = "",
    })
    expect.equal(accepted, true)
    expect.unchanged(function() expect.error(signup.submit, { code = "already_submitted" }) end)
  end)

  scenario("is refused with one alert that lists every problem", function()
    signup.data.topics = { "Testing" }
    go_to("summary")
    signup.data.topics = {}
    expect.equal(expect.changes(signup.submit, {
      ["signup.alert"] = {
        title = expect.like("email.*\n.*password.*\n.*topic"),
        problems = { "invalid_email", "no_password", "no_topics" },
      },
    }), false)
    expect.equal(signup.submitted, false)
  end)

  scenario("needs the password twice", function()
    fill_in()
    signup.data.password_confirmation = "Secret"
    go_to("summary")
    signup.submit()
    expect.equal(signup.alert.problems, { "passwords_differ" })
    signup.data.password_confirmation = "secret"
    expect.equal(signup.submit(), true)
    expect.equal(signup.alert, nil)
  end)

  each({
    { "jane@example.com", true }, { "jane.doe+lua@mail.example.org", true }, { "jané@exämple.de", true }, { "", false },
    { "jane", false }, { "jane@", false }, { "@example.com", false }, { "jane@example", false },
    { "jane@doe@example.com", false }, { "jane doe@example.com", false }, { "jane@example..com", false },
  }, "needs an email address that looks like one: %q does: %s", function(email, is_accepted)
    fill_in()
    signup.data.email = email
    go_to("summary")
    expect.equal(signup.submit(), is_accepted)
    if not is_accepted then expect.equal(signup.alert.problems, { "invalid_email" }) end
  end)

  each({
    "before the first", "basics", "personal_info", "topics",
  }, "is made on the summary: not on the step %s", function(step)
    go_to(step ~= "before the first" and step or nil)
    expect.unchanged(function()
      expect.error(signup.submit, { code = "not_on_summary" })
      expect.error(function() signup.edit("topics") end, { code = "not_on_summary" })
    end)
  end)
end)

-- Random calls seldom reach the summary, so the property begins there.
property("what the flow promises", { actions = { "signup" }, runs = 10, length = 20 }, function()
  fill_in()
  go_to("summary")
  invariant(function()
    expect.equal(signup.step, signup.path[#signup.path])
    if signup.sheet then expect.equal(signup.step, "summary") end
    expect.matches(signup.data.password:gsub("•", ""), "^$")
  end)
end)
