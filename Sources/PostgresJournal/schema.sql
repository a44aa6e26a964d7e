-- The tables of shared sessions, and the functions and the procedure that write them: format 1.
--
-- Each of them is one statement for its caller, so that no lock of a session is held while the network is waited for.
-- A negative result, -1 - head, says that the session has another head than its writer expected; NULL, that it is gone.

CREATE TABLE journal_format (version integer NOT NULL);
INSERT INTO journal_format VALUES (1);

CREATE TABLE sessions (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  program text NOT NULL,
  name text NOT NULL,
  head bigint NOT NULL DEFAULT 0, -- the number of the last entry
  changed timestamptz NOT NULL DEFAULT now(),
  author text, -- the user and host that wrote the last entry
  UNIQUE (program, name)
);

CREATE TABLE entries (
  session integer NOT NULL REFERENCES sessions ON DELETE CASCADE,
  number bigint NOT NULL,
  writer uuid NOT NULL, -- the process
  author text, -- its user and host
  time timestamptz NOT NULL,
  count integer NOT NULL, -- how often it happened in a row
  kind text NOT NULL,
  content text NOT NULL,
  PRIMARY KEY (session, number)
);

CREATE TABLE checkpoints (
  session integer PRIMARY KEY REFERENCES sessions ON DELETE CASCADE,
  head bigint NOT NULL, -- the entry that it stands for, as for all before it
  content text NOT NULL
);

-- The next identifier of each kind of record.
CREATE TABLE identifiers (
  session integer NOT NULL REFERENCES sessions ON DELETE CASCADE,
  kind text NOT NULL,
  next bigint NOT NULL,
  PRIMARY KEY (session, kind)
);

-- The last batch of each process, which isn't appended again if its answer was lost.
CREATE TABLE writers (
  session integer NOT NULL REFERENCES sessions ON DELETE CASCADE,
  writer uuid NOT NULL,
  batch uuid NOT NULL,
  head bigint NOT NULL, -- the number of the batch's last entry
  time timestamptz NOT NULL,
  PRIMARY KEY (session, writer)
);

-- The current states, which the views show.
CREATE TABLE fields (
  session integer NOT NULL REFERENCES sessions ON DELETE CASCADE,
  path text NOT NULL,
  value text NOT NULL, -- JSON
  PRIMARY KEY (session, path)
);

CREATE TABLE lists (
  session integer NOT NULL REFERENCES sessions ON DELETE CASCADE,
  path text NOT NULL,
  count bigint NOT NULL,
  PRIMARY KEY (session, path)
);

CREATE TABLE records (
  session integer NOT NULL REFERENCES sessions ON DELETE CASCADE,
  list text NOT NULL,
  id bigint NOT NULL,
  ordinal numeric NOT NULL, -- sorts the records of a list
  value text NOT NULL, -- JSON
  PRIMARY KEY (session, list, id)
);

-- While its statistics say that the table is empty, PostgreSQL takes an index on equal columns for as good as the primary key,
-- and then reads a whole list to find one record. The condition, which is always true, leaves it only to those who ask for it.
CREATE INDEX records_in_order ON records (session, list, ordinal) WHERE ordinal > '-Infinity';

-- The channel of a session's notifications. The number of the table is in it, as other schemas have sessions, too.
CREATE FUNCTION journal_channel(the_session integer) RETURNS text LANGUAGE sql STABLE
AS $$ SELECT 'journal_' || 'sessions'::regclass::oid || '_' || the_session $$;

-- A value of the tables above. PostgreSQL's jsonb can't contain the character U+0000: it shows U+FFFD.
CREATE FUNCTION journal_json(value text) RETURNS jsonb
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$ SELECT replace(value, '\u0000', '\ufffd')::jsonb $$;

-- Appends a batch, unless the session already has it; result is the number of its last entry.
--
-- Others are notified after the commit: PostgreSQL commits transactions that notify one after the other, also of different
-- sessions, and each would wait for the disk with all others behind it. If the server fails in between, those who listen
-- lose their connections, and get the entries when they connect again.
CREATE PROCEDURE journal_append(
  the_session integer, expected bigint, the_writer uuid, the_batch uuid, the_author text,
  batch_entries jsonb, changes jsonb, INOUT result bigint
) LANGUAGE plpgsql AS $$
DECLARE
  last bigint;
BEGIN
  result := NULL;
  SELECT head INTO last FROM sessions WHERE id = the_session FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  SELECT head INTO result FROM writers
  WHERE session = the_session AND writer = the_writer AND batch = the_batch;
  IF NOT FOUND THEN
    IF last <> expected THEN
      result := -1 - last;
      RETURN;
    END IF;
    result := expected + jsonb_array_length(batch_entries);
    INSERT INTO entries (session, number, writer, author, time, count, kind, content)
    SELECT the_session, expected + entry.number, (entry.value ->> 'writer')::uuid,
      entry.value ->> 'author', to_timestamp((entry.value ->> 'time')::double precision),
      (entry.value ->> 'count')::integer, entry.value ->> 'kind', entry.value ->> 'content'
    FROM jsonb_array_elements(batch_entries) WITH ORDINALITY AS entry (value, number);
    UPDATE sessions SET head = result, changed = now(), author = the_author
    WHERE id = the_session;
    INSERT INTO writers (session, writer, batch, head, time)
    VALUES (the_session, the_writer, the_batch, result, now())
    ON CONFLICT (session, writer) DO UPDATE
    SET batch = excluded.batch, head = excluded.head, time = excluded.time;
    PERFORM journal_apply(the_session, changes);
  END IF;
  COMMIT;
  PERFORM pg_notify(journal_channel(the_session), '');
END
$$;

-- Applies changes of the fields: {path, value}, {path, elements} for a whole list, or {path, edits} of one.
CREATE FUNCTION journal_apply(the_session integer, changes jsonb) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  change jsonb;
  edit jsonb;
  the_list text;
  size bigint;
BEGIN
  FOR change IN SELECT value FROM jsonb_array_elements(changes) LOOP
    the_list := change ->> 'path';
    IF change ? 'value' THEN
      INSERT INTO fields (session, path, value)
      VALUES (the_session, the_list, change ->> 'value')
      ON CONFLICT (session, path) DO UPDATE SET value = excluded.value;
      CONTINUE;
    END IF;
    IF change ? 'elements' THEN
      size := jsonb_array_length(change -> 'elements');
      DELETE FROM records WHERE session = the_session AND list = the_list;
      INSERT INTO records (session, list, id, ordinal, value)
      SELECT the_session, the_list, (element.value ->> 'id')::bigint, element.number,
        element.value ->> 'value'
      FROM jsonb_array_elements(change -> 'elements') WITH ORDINALITY AS element (value, number);
    ELSE
      SELECT count INTO size FROM lists WHERE session = the_session AND path = the_list;
      size := coalesce(size, 0);
      FOR edit IN SELECT value FROM jsonb_array_elements(change -> 'edits') LOOP
        CASE edit ->> 'kind'
        WHEN 'inserted' THEN
          INSERT INTO records (session, list, id, ordinal, value)
          VALUES (
            the_session, the_list, (edit ->> 'id')::bigint,
            journal_ordinal(the_session, the_list, (edit ->> 'position')::bigint, size),
            edit ->> 'value')
          ON CONFLICT (session, list, id) DO UPDATE
          SET ordinal = excluded.ordinal, value = excluded.value;
          size := size + 1;
        WHEN 'removed' THEN
          DELETE FROM records
          WHERE session = the_session AND list = the_list AND id = (edit ->> 'id')::bigint;
          size := size - 1;
        WHEN 'changed' THEN
          UPDATE records SET id = (edit ->> 'id')::bigint, value = edit ->> 'value'
          WHERE session = the_session AND list = the_list AND id = (edit ->> 'old')::bigint;
        END CASE;
      END LOOP;
    END IF;
    INSERT INTO lists (session, path, count) VALUES (the_session, the_list, size)
    ON CONFLICT (session, path) DO UPDATE SET count = excluded.count;
  END LOOP;
END
$$;

-- The ordinal of a new record at a position of a list: one more or less than the outermost, or halfway between its
-- neighbors, which are found from the nearer end.
--
-- For min and max, PostgreSQL would read the whole list while its statistics say that the table is empty.
CREATE FUNCTION journal_ordinal(the_session integer, the_list text, place bigint, size bigint)
RETURNS numeric LANGUAGE plpgsql STABLE AS $$
DECLARE
  found numeric;
BEGIN
  IF place >= size THEN
    SELECT ordinal + 1 INTO found FROM records
    WHERE session = the_session AND list = the_list AND ordinal > '-Infinity'
    ORDER BY ordinal DESC LIMIT 1;
  ELSIF place = 0 THEN
    SELECT ordinal - 1 INTO found FROM records
    WHERE session = the_session AND list = the_list AND ordinal > '-Infinity'
    ORDER BY ordinal LIMIT 1;
  ELSIF place > size / 2 THEN
    SELECT (min(ordinal) + max(ordinal)) * 0.5 INTO found FROM (
      SELECT ordinal FROM records
      WHERE session = the_session AND list = the_list AND ordinal > '-Infinity'
      ORDER BY ordinal DESC OFFSET size - place - 1 LIMIT 2) AS neighbors;
  ELSE
    SELECT (min(ordinal) + max(ordinal)) * 0.5 INTO found FROM (
      SELECT ordinal FROM records
      WHERE session = the_session AND list = the_list AND ordinal > '-Infinity'
      ORDER BY ordinal OFFSET place - 1 LIMIT 2) AS neighbors;
  END IF;
  RETURN coalesce(found, 0);
END
$$;

-- Replaces the entries up to a head by a checkpoint.
CREATE FUNCTION journal_checkpoint(the_session integer, the_head bigint, the_content text)
RETURNS bigint LANGUAGE plpgsql
-- While its statistics say that the table is empty, PostgreSQL would join all records with all others.
SET enable_nestloop = off AS $$
DECLARE
  last bigint;
  long text[];
BEGIN
  SELECT head INTO last FROM sessions WHERE id = the_session FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  IF the_head > last OR EXISTS (
    SELECT FROM checkpoints WHERE session = the_session AND head > the_head) THEN
    RETURN -1 - last;
  END IF;
  DELETE FROM entries WHERE session = the_session AND number <= the_head;
  INSERT INTO checkpoints (session, head, content) VALUES (the_session, the_head, the_content)
  ON CONFLICT (session) DO UPDATE SET head = excluded.head, content = excluded.content;
  DELETE FROM writers WHERE session = the_session AND time < now() - interval '30 days';
  -- Each insertion between the same neighbors makes an ordinal a digit longer.
  long := ARRAY(
    SELECT list FROM records WHERE session = the_session
    GROUP BY list HAVING max(scale(ordinal)) > 30);
  IF long <> '{}' THEN
    UPDATE records SET ordinal = numbered.number FROM (
      SELECT list, id, row_number() OVER (PARTITION BY list ORDER BY ordinal) AS number
      FROM records WHERE session = the_session AND list = ANY (long)) AS numbered
    WHERE records.session = the_session AND records.list = numbered.list
      AND records.id = numbered.id;
  END IF;
  RETURN last;
END
$$;

-- Replaces the contents of the tables for people, if the session has the expected head.
CREATE FUNCTION journal_fill(the_session integer, expected bigint, changes jsonb) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
  last bigint;
BEGIN
  SELECT head INTO last FROM sessions WHERE id = the_session FOR NO KEY UPDATE;
  IF last <> expected THEN
    RETURN -1 - last;
  END IF;
  DELETE FROM fields WHERE session = the_session;
  DELETE FROM lists WHERE session = the_session;
  DELETE FROM records WHERE session = the_session;
  PERFORM journal_apply(the_session, changes);
  RETURN last;
END
$$;

-- Reserves identifiers, and returns the next after them.
CREATE FUNCTION journal_reserve(the_session integer, the_kind text, the_count bigint)
RETURNS bigint LANGUAGE sql AS $$
  INSERT INTO identifiers (session, kind, next) VALUES (the_session, the_kind, 1 + the_count)
  ON CONFLICT (session, kind) DO UPDATE SET next = identifiers.next + the_count
  RETURNING next
$$;

-- Copies a session, which gets a new name, and returns the copy's id.
CREATE FUNCTION journal_copy(the_session integer, new_name text) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
  copy integer;
BEGIN
  PERFORM FROM sessions WHERE id = the_session FOR SHARE;
  INSERT INTO sessions (program, name, head, changed, author)
  SELECT program, new_name, head, changed, author FROM sessions WHERE id = the_session
  RETURNING id INTO copy;
  INSERT INTO entries SELECT copy, number, writer, author, time, count, kind, content
  FROM entries WHERE session = the_session;
  INSERT INTO checkpoints SELECT copy, head, content FROM checkpoints WHERE session = the_session;
  INSERT INTO identifiers SELECT copy, kind, next FROM identifiers WHERE session = the_session;
  INSERT INTO fields SELECT copy, path, value FROM fields WHERE session = the_session;
  INSERT INTO lists SELECT copy, path, count FROM lists WHERE session = the_session;
  INSERT INTO records SELECT copy, list, id, ordinal, value
  FROM records WHERE session = the_session;
  RETURN copy;
END
$$;
