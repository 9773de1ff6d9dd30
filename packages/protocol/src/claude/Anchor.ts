/**
 * The name of a point that a conversation with Claude Code can go back to: the session, and the uuid of the line after
 * which it continues (`--resume`, `--resume-session-at`; docs/wire/claude-code.md §10).
 */

/** A point of a conversation. */
export interface Anchor {
  readonly sessionId: string
  /** The uuid of a `user` or `assistant` line of the main thread. */
  readonly uuid: string
}

/** The name of a point. */
export const anchorName = ({ sessionId, uuid }: Anchor): string => `${sessionId}/${uuid}`

/** The point of a name; undefined when it is the name of none. */
export const readAnchor = (name: string): Anchor | undefined => {
  const [, sessionId, uuid] = /^([\w-]+)\/([\w-]+)$/.exec(name) ?? []
  return sessionId === undefined || uuid === undefined ? undefined : { sessionId, uuid }
}
