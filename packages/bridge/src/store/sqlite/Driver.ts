/**
 * Who brings SQLite: Node itself where it does, else `libsql`, which comes built.
 */
import type { Driver } from "./Database.ts"
import { loadLibsql } from "./LibsqlDriver.ts"
import { loadNodeSqlite } from "./NodeDriver.ts"

/** SQLite on this system; undefined where neither Node nor `libsql` brings it. */
export const findDriver = (): Driver | undefined => loadNodeSqlite() ?? loadLibsql()
