/// The vocabulary of files that declare features.
package enum DeclarationVocabulary {
  /// Advice on a global variable that other code uses, and that only such files have; nil for other names.
  package static func advice(onGlobal name: String) -> String? {
    name == "feature" ? "features are declared in a file for --app" : nil
  }

  package static let signatures = SignatureTable(
    """
    class feature.declaration | A feature: its state, and what scripts see of it as a module of the same name.
      help?: string | The purpose of the module, in one line.
      state?: table<string, any> | The fields with their initial values, which give the types; or types such as `list`.
      derived?: table<string, feature.derived|fun(state: table, app: app): any> | Values that are computed from the state.
      actions?: table<string, feature.action|fun(state: table, ...: any): ...> | The only functions that change the state.
      requests?: table<string, feature.request> | Questions to services, whose answers change the state.
      functions?: table<string, feature.func|async fun(module: table, ...: any): ...> | The app's commands: functions that may \
    wait, and call modules. The actions that one sends are undone together.
      page?: table | The tab in a browser: `order` and `hide` name members, `columns` those of lists, and `main` the \
    function whose form is open.
      version?: integer | The version of the state, for `migrate`; 1 by default.
      migrate?: fun(state: table, from: integer) | Changes a state that an earlier version saved.
    feature(name: string): fun(declaration: feature.declaration) | Declares a feature, by the name of its module, in \
    snake case.
      feature "counter" {
        state = { count = 0 },
        actions = { increment = function(state) state.count = state.count + 1 end },
      }

    class feature.type | A type of a field.
    list(fields: table<string, any>): feature.type | A list of records. Each gets an id; the defaults of the other fields \
    give their types. The options `newest_first = true` and `sorted_by = "price"` determine the order.
      items = list { name = "", price = 0, quantity = editable(1) }
    record(fields: table<string, any>): feature.type | A record: named values.
    editable(default: any): feature.type | A field that scripts can assign, with a default or a type; the others are \
    changed only by actions.
    field(declaration: table): feature.type | A field with a line of help: a default or a type, and `help`.
      rate = field { editable(90), help = "The price of an hour." }
    optional(type: "boolean"|"integer"|"number"|"string"|feature.type): feature.type | A value of a type, or nil, which is \
    the initial one.
    enum(texts: string[]): feature.type | One of several texts, of which the first is the initial one.
    time: feature.type | A moment, as a text in UTC such as "2026-11-26T10:15:00.000Z".
    integer(options: table): feature.type | An integer between `min` and `max`, with a `default`.
      stars = integer { min = 1, max = 5, default = 3 }
    number(options: table): feature.type | A number between `min` and `max`, with a `default`.
      rate = number { min = 0, max = 1 }
    decimal(places: integer|table): feature.type | An exact number with a fixed number of decimal places, such as an amount of \
    money; also with `min`, `max` and a `default`.
      price = decimal(2)
      rate = decimal { places = 2, min = 0, default = 90 }
    text(options: table): feature.type | A string that matches a `pattern` of Lua as a whole, of at most `max` characters, with \
    a `default`.
      postcode = text { pattern = "%d%d%d%d%d" }
    reference(list: string|table): feature.type | A record of another list, or nil. It reads as the record; a record or its id \
    is assigned. Removing a record that is referred to is refused, or does what `on_remove` says: "clear" or "remove".
      project = reference "projects"
      project = reference { "projects", on_remove = "clear" }
    set(type: "integer"|"string"): feature.type | A set of integers or texts.
    map(key: "string"|"integer"|"date", value: string|feature.type): feature.type | Values by their keys, of which \
    `state.prices.pen = 3` assigns one, and nil removes one.
      prices = map("string", decimal(2))
    secret: feature.type | A text that is never shown or stored, such as a password.

    class feature.action | An action with descriptions. Its elements are the parameters, such as "name: string" and \
    "[quantity: integer]", and then its function.
      [integer]: string|fun(state: table, ...: any): ...
      help?: string | What it does, in one line.
      example?: string | A line of Lua that uses it.
    action(declaration: feature.action): feature.action | Declares an action. Its function gets a draft of the state and \
    the arguments.
      add = action {
        "name: string", "[quantity: integer]", help = "Adds an item and returns it.", example = 'cart.add("pen")',
        function(state, name, quantity) return state.items:append { name = name, quantity = quantity } end,
      }
    class feature.derived | A derived value with descriptions. Its elements are its parameters, if it has any, and then its \
    function or query. Queries follow the changes of their list.
      [integer]: string|feature.derived|fun(state: table, ...: any): any
      help?: string | What it is, in one line.
      example?: string | A line of Lua that uses it.
    derived(declaration: feature.derived): feature.derived | Declares a derived value. One with parameters is a function.
      month = derived { "month: string", help = "The minutes of a month.", function(state, month) return 0 end }
    sum(list: string|fun(record: table): number?, fn?: fun(record: table): number?): feature.derived | The sum of a function's \
    values for the records of a list, or of a group; nil is left out.
      total = sum("items", function(item) return item.price end)
    count(list?: string|fun(record: table): any, fn?: fun(record: table): any): feature.derived | The number of records of a \
    list, or of a group: of all, or of those for which a function is true.
      sold = count("items", function(item) return item.quantity == 0 end)
    min(list: string|fun(record: table): any, fn?: fun(record: table): any): feature.derived | The lowest value of a \
    function; nil without records.
      cheapest = min("items", function(item) return item.price end)
    max(list: string|fun(record: table): any, fn?: fun(record: table): any): feature.derived | The highest value of a \
    function; nil without records.
      dearest = max("items", function(item) return item.price end)
    where(list: string, fn: fun(record: table): any): feature.derived | A live list of the records for which a function is \
    true, in the order of the list.
      sale = where("items", function(item) return item.price < 100 end)
    sorted(list: string, fn: fun(record: table): any): feature.derived | A live list of all records in the order of a \
    function's values.
      ranked = sorted("items", function(item) return -item.price end)
    group(list: string, fn: fun(record: table): any, members: table<string, feature.derived>): feature.derived | What belongs \
    to each value of a function: sums, counts, lowest and highest values.
      sizes = group("items", function(item) return item.size end, { total = sum(function(item) return item.price end) })

    class feature.request | A request. Its elements are the parameters, such as "card: secret".
      [integer]: string
      help?: string | What it asks, in one line.
      example?: string | A line of Lua that uses it.
      ask: async fun(module: table, ...: any): any | Asks, and returns the answer; it may wait.
      asked?: fun(state: table, ...: any) | Changes the state when the question is asked.
      done: fun(state: table, answer: any) | Changes the state when the answer has come.
      exclusive?: boolean | Whether it is refused while an earlier one is pending.
      latest?: boolean | Whether it replaces an earlier one that is pending, whose answer then changes nothing.
    request(declaration: feature.request): feature.request | Declares a request. Whether it is pending, and its error, are \
    fields of the state.
    class feature.func | A function with descriptions. Its elements are the parameters, such as "name: string", and then the \
    function.
      [integer]: string|async fun(module: table, ...: any): ...
      help?: string | What it does, in one line.
      example?: string | A line of Lua that uses it.
      group?: boolean | Whether the actions that it sends between two waits are undone together, and taken back if it fails; true by \
    default.
    func(declaration: feature.func): feature.func | Declares a function for scripts, which gets the module and the arguments.
      sell = func { "name: string", help = "Sells an item.", function(cart, name) cart.take(name) cart.bill(name) end }
    fail(code: string, message: string) | Ends an action or a function with an error; the state stays as it was. The code is a word for \
    scripts and scenarios to test, in snake case.
      if price < 0 then fail("bad_price", "A price is 0 or more.") end

    class draft.record | A record in a draft of the state.
      id: integer
      [string]: any
    class draft.list | A list in a draft of the state. `#list` and `ipairs(list)` work, too.
      [integer]: draft.record
      append(fields: table): draft.record | Adds a record at the end, or where its order places it, and returns it.
      insert(position: integer, fields: table): draft.record | Adds a record at a position, and returns it.
      remove(id: integer|draft.record) | Removes a record, which is given by its id or itself; one that isn't there is an \
    error.
      get(id: integer): draft.record? | The record of an id; nil if there is none.
      move(id: integer|draft.record, position: integer) | Moves a record, which is given by its id or itself, to a position.
      clear() | Removes all records.
      remove_where(fn: fun(record: draft.record): any): integer | Removes the records for which a function is true, and \
    returns their number.
      find(fn: fun(record: draft.record): any): draft.record? | The first record for which a function is true; nil if there \
    is none.
      where(fn: fun(record: draft.record): any): draft.list | The records for which a function is true.
      sorted(fn: fun(record: draft.record): any): draft.list | The records in the order of a function's values.
      count(fn?: fun(record: draft.record): any): integer | The number of records for which a function is true.
      sum(fn: fun(record: draft.record): number?): number | The sum of a function's values.
      min(fn: fun(record: draft.record): any): any | The lowest value of a function; nil without records.
      max(fn: fun(record: draft.record): any): any | The highest value of a function; nil without records.
      group(fn: fun(record: draft.record): any): table<any, draft.list> | The records by the values of a function.
      map(fn: fun(record: draft.record): any): any[] | The values of a function; nil is left out.
    class draft.set | A set in a draft of the state. `#set` and `ipairs(set)` work, too.
      [integer]: integer|string
      add(element: integer|string): boolean | Adds an element; returns whether it is new.
      remove(element: integer|string): boolean | Removes an element; returns whether it was there.
      contains(element: integer|string): boolean | Whether the set has an element.
      clear() | Removes all elements.
    """)
}
