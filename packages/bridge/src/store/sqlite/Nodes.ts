/**
 * The bridges that have a database open, and whether each is alive: it says so now and then, and on its own machine the
 * system knows besides, so that what a bridge that was killed had can be taken over at once.
 */
import { hostname } from "node:os"
import { isRunning, type ProcessMark, thisMachine, thisProcess } from "../Processes.ts"
import type { Connection } from "./Connection.ts"
import type { Row } from "./Database.ts"
import { numberIn, numbers, textIn, texts } from "./Rows.ts"

/** A bridge that has the database open. */
export interface DatabaseNode extends ProcessMark {
  readonly node: number
  readonly machine: string
  readonly host: string
  /** When it is taken for dead, unless it says that it is not. In milliseconds since 1970. */
  readonly expiresAt: number
}

const columns = `node, ${numbers("pid", "expires_at")}, ${texts("began", "machine", "host")}`

/** The number of no node, in place of one that has ended without giving back what it had. */
const nobody = 0

/** The bridges that have a database open. What writes is called within a transaction. */
export class Nodes {
  readonly #connection: Connection
  readonly #machine = thisMachine()

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** This process has the database open; returns the number it has there. */
  add(expiresAt: number): number {
    const { began, pid } = thisProcess()
    const row = this.#connection
      .sql("INSERT INTO nodes (pid, began, machine, host, expires_at) VALUES (?, ?, ?, ?, ?) RETURNING node")
      .get(pid, began, this.#machine, hostname(), expiresAt)
    return row === undefined ? 0 : numberIn(row, "node")
  }

  /** A node says that it is alive. */
  renew(node: number, expiresAt: number): void {
    this.#connection.sql("UPDATE nodes SET expires_at = ? WHERE node = ?").run(expiresAt, node)
  }

  /** A node has ended: nobody owns what it had. */
  remove(node: number): void {
    this.#connection.sql("UPDATE logs SET owner = NULL WHERE owner = ?").run(node)
    this.#connection.sql("DELETE FROM nodes WHERE node = ?").run(node)
  }

  /** The process of a node has ended, and has given nothing back: what it had is nobody's, and is known to be abandoned. */
  bury(node: number): void {
    this.#connection.sql("UPDATE logs SET owner = ? WHERE owner = ?").run(nobody, node)
    this.#connection.sql("DELETE FROM nodes WHERE node = ?").run(node)
  }

  /** A node, when it is there. */
  find(node: number): DatabaseNode | undefined {
    const row = this.#connection.sql(`SELECT ${columns} FROM nodes WHERE node = ?`).get(node)
    return row && this.#node(row)
  }

  /** All nodes. */
  all(): ReadonlyArray<DatabaseNode> {
    return this.#connection
      .sql(`SELECT ${columns} FROM nodes`)
      .all()
      .map((row) => this.#node(row))
  }

  #node(row: Row): DatabaseNode {
    const place = { path: this.#connection.path, subject: "A bridge that has it open" }
    return {
      node: numberIn(row, "node"),
      pid: numberIn(row, "pid"),
      began: row["began"] === null ? null : textIn(row, "began", place),
      machine: textIn(row, "machine", place),
      host: textIn(row, "host", place),
      expiresAt: numberIn(row, "expires_at")
    }
  }

  /** Whether the process of a node is known to have ended. Of another machine's nobody knows. */
  isGone(node: DatabaseNode): boolean {
    return node.machine === this.#machine && !isRunning(node)
  }
}
