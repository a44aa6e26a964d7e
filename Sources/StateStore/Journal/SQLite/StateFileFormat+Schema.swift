extension StateFileFormat {
  /// The journal, and the states as they are now.
  static let tables = """
    CREATE TABLE entries (
      number INTEGER PRIMARY KEY,
      writer TEXT NOT NULL,
      time REAL NOT NULL, -- seconds since 1970
      count INTEGER NOT NULL,
      kind TEXT NOT NULL,
      content TEXT NOT NULL
    );

    CREATE TABLE checkpoint (
      only INTEGER PRIMARY KEY CHECK (only = 1),
      head INTEGER NOT NULL,
      content TEXT NOT NULL
    );

    CREATE TABLE identifiers (
      kind TEXT PRIMARY KEY,
      next INTEGER NOT NULL
    ) WITHOUT ROWID;

    CREATE TABLE fields (
      path TEXT PRIMARY KEY,
      value TEXT NOT NULL
    ) WITHOUT ROWID;

    CREATE TABLE lists (
      path TEXT PRIMARY KEY,
      count INTEGER NOT NULL
    ) WITHOUT ROWID;

    CREATE TABLE records (
      list TEXT NOT NULL,
      id INTEGER NOT NULL,
      ordinal REAL NOT NULL,
      value TEXT NOT NULL,
      PRIMARY KEY (list, id)
    ) WITHOUT ROWID;

    CREATE INDEX records_in_order ON records (list, ordinal);
    """

  /// Actions and states by the names of their features, where format 1 had nested cases of Swift.
  static let namesOfFeatures = """
    UPDATE entries SET content = \(action(in: "content", at: "$.action._0")) WHERE kind = 'action';

    UPDATE entries SET content = json_object('travel', content ->> '$.travel.to') WHERE kind = 'travel';

    UPDATE checkpoint SET content = json_set(
      content,
      '$.state', \(states(in: "content", at: "$.state")),
      '$.actions', (
        SELECT json_group_array(json_object(
          'time', json(done.value -> '$.time'), 'action', \(action(in: "done.value", at: "$.action"))))
        FROM json_each(content, '$.actions') AS done));
    """

  /// An action of format 1 as format 2 has it.
  private static func action(in json: String, at path: String) -> String {
    """
    (SELECT CASE key
      WHEN 'reset' THEN json_object('reset', json('true'))
      WHEN 'restore' THEN json_object(
        'restore', \(states(in: "only_case.value", at: "$._0")), 'source', value ->> '$.source')
      ELSE json_object('feature', lower(key), 'action', json(value -> '$._0')) END
    FROM json_each(\(json), '\(path)') AS only_case)
    """
  }

  /// States of format 1 as format 2 has them.
  private static func states(in json: String, at path: String) -> String {
    """
    json_object('features', (
      SELECT json_group_object(lower(key), json(value)) FROM json_each(\(json), '\(path)')))
    """
  }
}
