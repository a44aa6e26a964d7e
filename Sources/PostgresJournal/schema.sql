-- The tables of shared sessions, and the functions and the procedure that write them: format 2.
--
-- journal_save is one statement for its caller, so that no lock of a session is held while the network is waited for.

CREATE TABLE journal_format (version integer NOT NULL);
INSERT INTO journal_format VALUES (2);

CREATE TABLE sessions (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  program text NOT NULL,
  name text NOT NULL,
  identity uuid NOT NULL UNIQUE,
  sequence bigint NOT NULL DEFAULT 0, -- the number of the last write
  position bigint NOT NULL DEFAULT 0, -- the number of the last action in effect
  migration bigint NOT NULL DEFAULT 0, -- the number of the last action that converted the state, or 0
  changed timestamptz NOT NULL DEFAULT now(),
  author text, -- the user and host of the last write
  UNIQUE (program, name)
);

-- The last writes, by which processes are recognized, and one whose answer was lost.
CREATE TABLE writes (
  session integer NOT NULL REFERENCES sessions ON DELETE CASCADE,
  sequence bigint NOT NULL,
  id uuid NOT NULL,
  PRIMARY KEY (session, sequence)
);

-- The last actions, in effect or undone.
CREATE TABLE history (
  session integer NOT NULL REFERENCES sessions ON DELETE CASCADE,
  number bigint NOT NULL,
  sequence bigint NOT NULL, -- the number of the write that wrote it
  time timestamptz NOT NULL,
  author text, -- the user and host
  text text NOT NULL,
  action text NOT NULL, -- JSON
  changes text NOT NULL, -- JSON
  PRIMARY KEY (session, number)
);

CREATE TABLE identifiers (
  session integer NOT NULL REFERENCES sessions ON DELETE CASCADE,
  kind text NOT NULL,
  next bigint NOT NULL,
  PRIMARY KEY (session, kind)
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
AS $$
  SELECT CASE
    WHEN strpos(value, '\u0000') = 0 THEN value
    -- A backslash that is itself escaped begins no escape.
    ELSE regexp_replace(value, '(?<!\\)((\\\\)*)\\u0000', '\1\\ufffd', 'g')
  END::jsonb
$$;

-- Begins a write in a transaction. The result is 0 if its entries and changes are to follow; the number of the write if
-- the session has it already; -1 if the session has another last write than the expected one; NULL if it is gone.
--
-- The id of the expected write is NULL for a session that is written again.
CREATE FUNCTION journal_begin(
  the_session integer, expected bigint, expected_write uuid, the_write uuid, the_author text,
  common bigint, first bigint, the_position bigint, the_migration bigint, replaces_state boolean
) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  last bigint;
  known bigint;
BEGIN
  -- A process that came too late holds this lock for a moment, so that others that keep writing don't always precede it.
  FOR attempt IN 1..20 LOOP
    EXIT WHEN pg_try_advisory_xact_lock_shared('history'::regclass::oid::integer, the_session);
    PERFORM pg_sleep(0.005);
  END LOOP;
  SELECT sequence INTO last FROM sessions WHERE id = the_session FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  IF last <> expected OR expected > 0 AND expected_write IS NOT NULL AND NOT EXISTS (
    SELECT FROM writes WHERE session = the_session AND sequence = expected AND id = expected_write)
  THEN
    SELECT sequence INTO known FROM writes WHERE session = the_session AND id = the_write;
    RETURN coalesce(known, -1);
  END IF;
  -- Two statements, as PostgreSQL would read the whole history for one.
  DELETE FROM history WHERE session = the_session AND number > common;
  DELETE FROM history WHERE session = the_session AND number < first;
  IF replaces_state THEN
    DELETE FROM fields WHERE session = the_session;
    DELETE FROM lists WHERE session = the_session;
    DELETE FROM records WHERE session = the_session;
  END IF;
  UPDATE sessions
  SET sequence = expected + 1, position = the_position, migration = the_migration,
    changed = now(), author = the_author
  WHERE id = the_session;
  INSERT INTO writes (session, sequence, id) VALUES (the_session, expected + 1, the_write);
  IF expected % 100 = 0 THEN
    DELETE FROM writes WHERE session = the_session AND sequence <= expected - 1000;
  END IF;
  RETURN 0;
END
$$;

-- Appends entries of a write: in PL/pgSQL, which plans the statement once for all calls.
CREATE FUNCTION journal_append(the_session integer, the_sequence bigint, entries jsonb)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO history (session, number, sequence, time, author, text, action, changes)
  SELECT the_session, (value ->> 'number')::bigint, the_sequence,
    to_timestamp((value ->> 'time')::double precision), value ->> 'author', value ->> 'text',
    value ->> 'action', value ->> 'changes'
  FROM jsonb_array_elements(entries);
END
$$;

-- Saves a write; the result is that of journal_begin.
--
-- Others are notified after the commit: PostgreSQL commits transactions that notify one after the other, also of different
-- sessions, and each would wait for the disk with all others behind it. If the server fails in between, those who listen
-- lose their connections, and get the news when they connect again.
CREATE PROCEDURE journal_save(
  the_session integer, expected bigint, expected_write uuid, the_write uuid, the_author text,
  common bigint, first bigint, the_position bigint, the_migration bigint, replaces_state boolean,
  entries jsonb, changes jsonb, INOUT result bigint
) LANGUAGE plpgsql AS $$
BEGIN
  result := journal_begin(
    the_session, expected, expected_write, the_write, the_author, common, first, the_position,
    the_migration, replaces_state);
  IF result <> 0 OR result IS NULL THEN
    RETURN;
  END IF;
  PERFORM journal_append(the_session, expected + 1, entries);
  PERFORM journal_apply(the_session, changes);
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
  place numeric;
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
          place := journal_ordinal(the_session, the_list, (edit ->> 'position')::bigint, size);
          -- Each insertion between the same neighbors makes an ordinal a digit longer.
          IF scale(place) > 30 THEN
            PERFORM journal_renumber(the_session, the_list);
            place := journal_ordinal(the_session, the_list, (edit ->> 'position')::bigint, size);
          END IF;
          INSERT INTO records (session, list, id, ordinal, value)
          VALUES (the_session, the_list, (edit ->> 'id')::bigint, place, edit ->> 'value');
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

-- Gives the records of a list ordinals from 1.
CREATE FUNCTION journal_renumber(the_session integer, the_list text) RETURNS void
LANGUAGE plpgsql
-- While its statistics say that the table is empty, PostgreSQL would join all records with all others.
SET enable_nestloop = off AS $$
BEGIN
  UPDATE records SET ordinal = numbered.number FROM (
    SELECT id, row_number() OVER (ORDER BY ordinal) AS number
    FROM records WHERE session = the_session AND list = the_list) AS numbered
  WHERE records.session = the_session AND records.list = the_list AND records.id = numbered.id;
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
  INSERT INTO sessions (program, name, identity, position, migration, changed, author)
  SELECT program, new_name, gen_random_uuid(), position, migration, changed, author
  FROM sessions WHERE id = the_session
  RETURNING id INTO copy;
  INSERT INTO history SELECT copy, number, 0, time, author, text, action, changes
  FROM history WHERE session = the_session;
  INSERT INTO identifiers SELECT copy, kind, next FROM identifiers WHERE session = the_session;
  INSERT INTO fields SELECT copy, path, value FROM fields WHERE session = the_session;
  INSERT INTO lists SELECT copy, path, count FROM lists WHERE session = the_session;
  INSERT INTO records SELECT copy, list, id, ordinal, value
  FROM records WHERE session = the_session;
  RETURN copy;
END
$$;
