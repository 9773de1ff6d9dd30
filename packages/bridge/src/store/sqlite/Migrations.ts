/**
 * What the database looks like, version by version. A database of an earlier version is brought to the newest one when
 * it is opened; one of a later version is left alone.
 *
 * Rows of a thread are found by a key that holds the number of the thread and a number within it, so that one tree
 * does for both: `thread << 36 | number`. It has more bits than a number of JavaScript, so it never leaves SQL.
 */
import type { Database } from "./Database.ts"

/** Each brings the database from the version before to the next. What was released is never changed. */
export const migrations: ReadonlyArray<string> = [
  `
  -- A bridge that has the database open, until it ends or its lease does.
  CREATE TABLE nodes (
    node INTEGER PRIMARY KEY AUTOINCREMENT,
    pid INTEGER NOT NULL,
    began TEXT,
    machine TEXT NOT NULL,
    host TEXT NOT NULL,
    expires_at INTEGER NOT NULL
  );

  -- What is known of a thread. Its number is never given to another one.
  CREATE TABLE threads (
    thread INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    workspace TEXT,
    archived INTEGER NOT NULL,
    active_at REAL NOT NULL,
    details TEXT NOT NULL
  );
  CREATE INDEX threads_all ON threads (active_at, id);
  CREATE INDEX threads_archived ON threads (archived, active_at, id);
  CREATE INDEX threads_workspace ON threads (workspace, active_at, id);
  CREATE INDEX threads_workspace_archived ON threads (workspace, archived, active_at, id);

  -- The application's state, apart: it may be large, and lists do not show it.
  CREATE TABLE states (thread INTEGER PRIMARY KEY, state TEXT NOT NULL);

  -- What changes with every append: small, and apart from what does not.
  CREATE TABLE logs (
    thread INTEGER PRIMARY KEY,
    -- The number of the next event.
    next INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    -- The number of the first event of the epoch.
    since INTEGER NOT NULL,
    owner INTEGER,
    -- Events before this number are in their place, the others in the journal.
    settled INTEGER NOT NULL,
    -- The newest row of the thread in the journal.
    newest INTEGER
  );
  CREATE INDEX logs_owner ON logs (owner) WHERE owner IS NOT NULL;

  -- Events of all threads in the order in which they came, so that a commit touches few pages, however many threads
  -- speak. The rows of a thread are a chain, which is short: they are soon merged and put in their place.
  CREATE TABLE journal (
    row INTEGER PRIMARY KEY,
    thread INTEGER NOT NULL,
    -- The row of the thread before this one, which may be gone.
    before INTEGER,
    first INTEGER NOT NULL,
    count INTEGER NOT NULL,
    chunk TEXT NOT NULL
  );

  -- Events in their place: in chunks, by the number of the first.
  CREATE TABLE events (key INTEGER PRIMARY KEY, count INTEGER NOT NULL, chunk TEXT NOT NULL);

  -- By the number of the event after it.
  CREATE TABLE checkpoints (key INTEGER PRIMARY KEY, checkpoint TEXT NOT NULL);

  -- The transcript, by position. The key is a part of each index.
  CREATE TABLE entries (
    key INTEGER PRIMARY KEY,
    thread INTEGER NOT NULL,
    branch INTEGER NOT NULL,
    id TEXT NOT NULL,
    -- The message that it shares with others: of a text and of calls.
    message TEXT,
    entry TEXT NOT NULL
  );
  CREATE INDEX entries_message ON entries (thread, message, branch) WHERE message IS NOT NULL;
  CREATE INDEX entries_branch ON entries (thread, branch);
  CREATE INDEX entries_id ON entries (thread, id);

  -- Threads that were removed, and of which rows may be left.
  CREATE TABLE removed (thread INTEGER PRIMARY KEY);

  CREATE TABLE workspaces (id TEXT PRIMARY KEY, created_at REAL NOT NULL, workspace TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE marks (name TEXT PRIMARY KEY) WITHOUT ROWID;

  -- The epoch of the newest claim of any thread: one that is made anew must not have those of its predecessor.
  CREATE TABLE epochs (newest INTEGER NOT NULL);
  INSERT INTO epochs VALUES (0);
  `,
  `
  -- Long texts in pieces: a row that would have one says instead where its pieces are.
  CREATE TABLE pieces (key INTEGER PRIMARY KEY, piece TEXT NOT NULL);
  -- The number of the next piece. What is in the table from there on, no row tells of.
  ALTER TABLE logs ADD COLUMN pieces INTEGER NOT NULL DEFAULT 0;
  `,
  `
  -- The prompts of a thread that wait for their turn, apart: they may be large, and lists do not show them.
  CREATE TABLE waiting (thread INTEGER PRIMARY KEY, prompts TEXT NOT NULL);
  `
]

/** Tells a database of agentwire from others: `agwr` in ASCII. */
export const applicationId = 0x61677772

/** What a database says of itself. */
export interface DatabaseLabel {
  readonly application: number
  readonly version: number
  readonly isEmpty: boolean
}

/** What a database says of itself. */
export const labelOf = (database: Database): DatabaseLabel => ({
  application: Number(database.prepare("PRAGMA application_id").get()?.["application_id"]),
  version: Number(database.prepare("PRAGMA user_version").get()?.["user_version"]),
  isEmpty: database.prepare("SELECT 1 FROM sqlite_schema LIMIT 1").get() === undefined
})

/** Brings a database to the newest version, in a transaction that somebody else ends. */
export const migrate = (database: Database, steps: ReadonlyArray<string> = migrations): void => {
  const { version } = labelOf(database)
  for (const step of steps.slice(version)) database.exec(step)
  if (version === steps.length) return
  database.exec(`PRAGMA application_id = ${applicationId}`)
  database.exec(`PRAGMA user_version = ${steps.length}`)
}
