/**
 * Control requests about files and folders: reading, completing, rewinding, moving, comparing.
 */
import * as Schema from "effect/Schema"
import { known, open, optional, variants } from "../wire/Open.ts"

/** Asks for the paths that complete `query`. */
export const FileSuggestionsRequest = open("FileSuggestionsRequest", {
  subtype: Schema.Literal("file_suggestions"),
  query: Schema.String
})
/** Asks for the paths that complete `query`. */
export type FileSuggestionsRequest = typeof FileSuggestionsRequest.Type

/** The paths, relative to `cwd` (2.1.325) or absolute. */
export const FileSuggestionsResponse = open("FileSuggestionsResponse", {
  suggestions: Schema.Array(open({ path: Schema.String, score: optional(Schema.Finite) })),
  cwd: optional(Schema.String)
})
/** The paths that complete the query. */
export type FileSuggestionsResponse = typeof FileSuggestionsResponse.Type

/** Reads a file, as the CLI's own permissions allow. A file that is not there is an error answer. */
export const ReadFileRequest = open("ReadFileRequest", {
  subtype: Schema.Literal("read_file"),
  path: Schema.String,
  max_bytes: optional(Schema.Finite),
  encoding: optional(known("utf-8", "base64"))
})
/** Reads a file. */
export type ReadFileRequest = typeof ReadFileRequest.Type

/** What the file holds. `encoding` is there for base64 only; `lossy` when bytes were not UTF-8. */
export const ReadFileResponse = open("ReadFileResponse", {
  contents: Schema.String,
  absPath: Schema.String,
  truncated: optional(Schema.Boolean),
  encoding: optional(known("base64")),
  lossy: optional(Schema.Boolean),
  requested_path: optional(Schema.String)
})
/** What the file holds. */
export type ReadFileResponse = typeof ReadFileResponse.Type

/** Tells the CLI that a file was read at `mtime`, so that the model may edit it. */
export const SeedReadStateRequest = open("SeedReadStateRequest", {
  subtype: Schema.Literal("seed_read_state"),
  path: Schema.String,
  mtime: Schema.Finite
})
/** Tells the CLI that a file was read. */
export type SeedReadStateRequest = typeof SeedReadStateRequest.Type

/**
 * Puts files back to where they were at a prompt. Needs `CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING=1`.
 * A prompt without a checkpoint is an error answer.
 */
export const RewindFilesRequest = open("RewindFilesRequest", {
  subtype: Schema.Literal("rewind_files"),
  user_message_id: Schema.String,
  dry_run: optional(Schema.Boolean)
})
/** Puts files back to where they were at a prompt. */
export type RewindFilesRequest = typeof RewindFilesRequest.Type

/** What was, or for a `dry_run` would be, changed: only the latter lists `filesChanged`, and they are paths. */
export const RewindFilesResponse = open("RewindFilesResponse", {
  canRewind: Schema.Boolean,
  error: optional(Schema.String),
  filesChanged: optional(Schema.Array(Schema.String)),
  insertions: optional(Schema.Finite),
  deletions: optional(Schema.Finite),
  skippedLinks: optional(Schema.Finite)
})
/** What was, or would be, changed. */
export type RewindFilesResponse = typeof RewindFilesResponse.Type

/** Adds a repository below the working directory (2.1.197 and later); anything else is an error. */
export const RegisterRepoRootRequest = open("RegisterRepoRootRequest", {
  subtype: Schema.Literal("register_repo_root"),
  directory: Schema.String,
  reload_claude_md: optional(Schema.Boolean),
  reload_plugins: optional(Schema.Boolean),
  reload_skills: optional(Schema.Boolean)
})
/** Adds a repository below the working directory. */
export type RegisterRepoRootRequest = typeof RegisterRepoRootRequest.Type

/** The folder that was added. */
export const RegisterRepoRootResponse = open("RegisterRepoRootResponse", { directory: Schema.String })
/** The folder that was added. */
export type RegisterRepoRootResponse = typeof RegisterRepoRootResponse.Type

/** Moves the session to another folder. Undocumented; answered by 2.1.325. */
export const SetCwdRequest = open("SetCwdRequest", {
  subtype: Schema.Literal("set_cwd"),
  path: Schema.String,
  trust_accepted: optional(Schema.Boolean),
  trusted_directory: optional(Schema.String)
})
/** Moves the session to another folder. */
export type SetCwdRequest = typeof SetCwdRequest.Type

/** The session moved. */
export const SetCwdOk = open("SetCwdOk", {
  status: Schema.Literal("ok"),
  cwd: Schema.String,
  changed: Schema.Boolean,
  transcript_relocated: Schema.Boolean
})
/** The session moved. */
export type SetCwdOk = typeof SetCwdOk.Type

/** The person must trust `directory` first: ask again with `trusted_directory`. */
export const SetCwdNeedsTrust = open("SetCwdNeedsTrust", {
  status: Schema.Literal("needs_trust"),
  directory: Schema.String,
  trust_root: optional(Schema.String)
})
/** The person must trust the folder first. */
export type SetCwdNeedsTrust = typeof SetCwdNeedsTrust.Type

/** The session stays where it is; `busy` while a turn runs. */
export const SetCwdRejected = open("SetCwdRejected", {
  status: Schema.Literal("rejected"),
  reason: known("not_found", "not_a_directory", "blocked_by_rule", "busy", "unsafe_path", "remote_origin"),
  message: Schema.String
})
/** The session stays where it is. */
export type SetCwdRejected = typeof SetCwdRejected.Type

/** Whether the session moved. A refusal is a success whose status says so. */
export const SetCwdResponse = variants("SetCwdResponse", "status", [SetCwdOk, SetCwdNeedsTrust, SetCwdRejected])
/** Whether the session moved. */
export type SetCwdResponse = typeof SetCwdResponse.Type

/** Asks what changed in the working tree. Undocumented; answered by 2.1.325. */
export const GetWorkspaceDiffRequest = open("GetWorkspaceDiffRequest", {
  subtype: Schema.Literal("get_workspace_diff")
})
/** Asks what changed in the working tree. */
export type GetWorkspaceDiffRequest = typeof GetWorkspaceDiffRequest.Type

/** What changed, or why nobody can tell. */
export const GetWorkspaceDiffResponse = open("GetWorkspaceDiffResponse", {
  diff: Schema.NullOr(
    open({
      stats: open({ filesCount: Schema.Finite, linesAdded: Schema.Finite, linesRemoved: Schema.Finite }),
      perFileStats: Schema.Array(
        open({
          path: Schema.String,
          added: Schema.Finite,
          removed: Schema.Finite,
          isBinary: Schema.Boolean,
          isUntracked: Schema.Boolean,
          status: optional(known("added", "modified", "removed", "renamed", "copied")),
          previousPath: optional(Schema.String),
          newPath: optional(Schema.String)
        })
      ),
      omitted: optional(open({ files: Schema.Finite, exact: Schema.Boolean })),
      hunks: Schema.Array(
        open({
          path: Schema.String,
          hunks: Schema.Array(
            open({
              oldStart: Schema.Finite,
              oldLines: Schema.Finite,
              newStart: Schema.Finite,
              newLines: Schema.Finite,
              lines: Schema.Array(Schema.String)
            })
          )
        })
      ),
      skippedLarge: Schema.Array(Schema.String),
      restricted: Schema.Array(Schema.String),
      source: open({
        kind: known("working-tree", "branch"),
        baseBranch: optional(Schema.String),
        baseRef: optional(Schema.String)
      })
    })
  ),
  noDiffReason: optional(known("no-repository", "repository-refused", "repository-busy", "diff-failed", "root-moved"))
})
/** What changed, or why nobody can tell. */
export type GetWorkspaceDiffResponse = typeof GetWorkspaceDiffResponse.Type

/**
 * Lists a folder below the working directory; a refusal is the error `list denied: …`. Undocumented; 2.1.325
 * answers with `CLAUDE_CODE_REMOTE=1` only.
 */
export const ListDirectoryRequest = open("ListDirectoryRequest", {
  subtype: Schema.Literal("list_directory"),
  path: Schema.String
})
/** Lists a folder below the working directory. */
export type ListDirectoryRequest = typeof ListDirectoryRequest.Type

/** What the folder holds. */
export const ListDirectoryResponse = open("ListDirectoryResponse", {
  absPath: Schema.String,
  entries: Schema.Array(
    open({
      name: Schema.String,
      isDirectory: Schema.Boolean,
      isSymlink: optional(Schema.Boolean),
      isSpecial: optional(Schema.Boolean)
    })
  ),
  truncated: Schema.Boolean
})
/** What the folder holds. */
export type ListDirectoryResponse = typeof ListDirectoryResponse.Type
