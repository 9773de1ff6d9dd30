/**
 * What the CLI noticed about version control and the kind of work: commits, pushes, pull requests, apps.
 *
 * All of it is a hint read off commands and their output. It says where to look, not what is so.
 */
import * as Schema from "effect/Schema"
import { known, open, optional } from "../wire/Open.ts"
import { systemEnvelope } from "./Envelope.ts"

/**
 * A shell command changed the repository (2.1.325; recorded). One command can give several; a push of several
 * branches gives one for each.
 */
export const SystemVcsStateChanged = open("SystemVcsStateChanged", {
  ...systemEnvelope("vcs_state_changed"),
  kind: known("commit", "push", "merge", "rebase"),
  /** Where the shell was when the command ended: after a `cd` inside it, but not the target of `git -C`. */
  cwd: Schema.String,
  /** For a commit or a push, when the output tells it. */
  branch: optional(Schema.String)
})

/** A shell command changed the repository. */
export type SystemVcsStateChanged = typeof SystemVcsStateChanged.Type

/**
 * A change of this session is up for review, or the session did something to one that is (2.1.325; recorded).
 * The values are scraped from output, and may come again for the same `url`.
 */
export const SystemCodeChangePublished = open("SystemCodeChangePublished", {
  ...systemEnvelope("code_change_published"),
  /** Guessed from the form of `url`: an unknown host with the path of a pull request is `github-enterprise`. */
  provider: known("github", "github-enterprise", "gitlab", "bitbucket", "gerrit"),
  url: Schema.String,
  /** `owner/name`; more parts on GitLab. */
  repo: Schema.String,
  /** The number of the pull request, as a string. */
  identifier: Schema.String,
  action: optional(
    known(
      "created",
      "edited",
      "merged",
      "commented",
      "closed",
      "reopened",
      "ready",
      "draft",
      "auto-merge-enabled",
      "auto-merge-disabled",
      "pushed",
      "checked-out",
      "started"
    )
  ),
  /** With `created`, and always for `gerrit`. */
  branch: optional(Schema.String)
})

/** A change of this session is up for review. */
export type SystemCodeChangePublished = typeof SystemCodeChangePublished.Type

/**
 * The conversation or the repository shows a kind of app (2.1.325; from the binary's own schema, not recorded).
 * It may come before `init`, and is never taken back but by a `conversation_reset`.
 */
export const SystemDevIntent = open("SystemDevIntent", {
  ...systemEnvelope("dev_intent"),
  kind: known("ios_app", "android_app"),
  /** What gave it away; `project_scan` is the repository, all others are the conversation. */
  trigger: optional(
    known(
      "swift_edit",
      "uikit_import",
      "xcode_project",
      "ios_command",
      "kotlin_edit",
      "java_edit",
      "android_import",
      "android_manifest",
      "gradle_plugin",
      "android_command",
      "project_scan"
    )
  )
})

/** The conversation or the repository shows a kind of app. */
export type SystemDevIntent = typeof SystemDevIntent.Type
