/**
 * Workspaces, in a table, and marks of what was done. What writes is called within a transaction.
 */
import { Workspace } from "../StoredThread.ts"
import type { Connection } from "./Connection.ts"
import type { Row } from "./Database.ts"
import { jsonReader, textIn, texts } from "./Rows.ts"

const readWorkspace = jsonReader(Workspace)

const columns = texts("workspace")

/** Workspaces and marks. */
export class WorkspaceTable {
  readonly #connection: Connection

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** All workspaces, the oldest first. */
  all(): ReadonlyArray<Workspace> {
    return this.#connection
      .sql(`SELECT ${columns} FROM workspaces ORDER BY created_at, id`)
      .all()
      .map((row) => this.#workspace(row))
  }

  /** A workspace, when it is there. */
  find(id: string): Workspace | undefined {
    const row = this.#connection.sql(`SELECT ${columns} FROM workspaces WHERE id = ?`).get(id)
    return row && this.#workspace(row)
  }

  /** Adds a workspace, or replaces the one of the same id. */
  put(workspace: Workspace): void {
    this.#connection
      .sql("REPLACE INTO workspaces (id, created_at, workspace) VALUES (?, ?, ?)")
      .run(workspace.id, workspace.createdAt, JSON.stringify(workspace))
  }

  /** Removes a workspace. False: there was none. */
  remove(id: string): boolean {
    return this.#connection.sql("DELETE FROM workspaces WHERE id = ?").run(id) > 0
  }

  /** Notes that something was done. False: it was noted before. */
  mark(name: string): boolean {
    return this.#connection.sql("INSERT OR IGNORE INTO marks (name) VALUES (?)").run(name) > 0
  }

  /** Whether it was noted that something was done. */
  isMarked(name: string): boolean {
    return this.#connection.sql("SELECT 1 FROM marks WHERE name = ?").get(name) !== undefined
  }

  #workspace(row: Row): Workspace {
    const place = { path: this.#connection.path, subject: "A workspace" }
    return readWorkspace(textIn(row, "workspace", place), place)
  }
}
