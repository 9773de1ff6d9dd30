/** Why a folder cannot be made ready for a session, and what the system says in words. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/** A folder that cannot be made ready. What was written before stays. */
export class WorkspaceRefused extends Schema.TaggedError<WorkspaceRefused>()("WorkspaceRefused", {
  code: Schema.Literals([
    /** The folder, or that of the templates, does not exist. */
    "WORKSPACE_MISSING",
    /** A path of a file that is absolute, empty, or leads up with `..`. */
    "WORKSPACE_BAD_PATH",
    /** A link on the way to a file leads out of the folder, or nowhere. */
    "WORKSPACE_OUTSIDE",
    /** A file where a folder has to be. */
    "WORKSPACE_NOT_A_FOLDER",
    /** A folder where a file has to be. */
    "WORKSPACE_NOT_A_FILE",
    /** Too many files, or one that is too large. */
    "WORKSPACE_TOO_LARGE",
    /** The system does not let it be read. */
    "WORKSPACE_UNREADABLE",
    /** The system does not let it be written. */
    "WORKSPACE_UNWRITABLE"
  ]),
  message: Schema.String,
  /** The file or folder that it is about. */
  path: Schema.String
}) {}

/** A refusal in words. `what` continues the path. */
export const refusal = (code: WorkspaceRefused["code"], path: string, what: string): WorkspaceRefused =>
  new WorkspaceRefused({ code, message: `${JSON.stringify(path)} ${what}.`, path })

/** What the system answers: a value, or the code of its error, such as `EACCES`. */
export const asked = <A>(ask: () => Promise<A>): Effect.Effect<A, string> =>
  Effect.tryPromise({
    try: ask,
    catch: (error) =>
      error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : String(error)
  })

/** An error of the system about a path, as a refusal. */
export const refusedBy =
  (path: string, doing: "read" | "written") =>
  (errno: string): WorkspaceRefused => {
    if (errno === "ENOENT") return refusal("WORKSPACE_MISSING", path, "does not exist")
    if (errno === "ENOTDIR") return refusal("WORKSPACE_NOT_A_FOLDER", path, "has a file where a folder has to be")
    const code = doing === "read" ? "WORKSPACE_UNREADABLE" : "WORKSPACE_UNWRITABLE"
    return refusal(code, path, `cannot be ${doing} (${errno})`)
  }
