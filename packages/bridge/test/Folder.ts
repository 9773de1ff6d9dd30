/** A folder of the system's for one test. */
import { mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

/** An empty folder that goes with the scope. */
export const emptyFolder: Effect.Effect<string, never, Scope.Scope> = Effect.acquireRelease(
  Effect.sync(() => realpathSync(mkdtempSync(join(tmpdir(), "agentwire-bridge-")))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)
