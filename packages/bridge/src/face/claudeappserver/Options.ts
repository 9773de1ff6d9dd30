/** What a server of the dialect claude-app-server is told at its start. */

/** How the server is set up. */
export interface ClaudeAppServerOptions {
  /** Where threads are that name no folder. */
  readonly cwd: string
  /** The version of this program. */
  readonly version?: string
  /** Whether a client may choose a mode in which nothing is asked. */
  readonly mayWiden?: boolean
}
