/**
 * The runs that were asked for, and the log that must have an end for each.
 */

/**
 * What became of a request: the bridge took it, refused it, or nobody knows, for the client left before the answer.
 * Of a thread that was removed meanwhile the log may be cut.
 */
export type Fate = "accepted" | "refused" | "unsure" | "removed"

/** A run in a session's log. */
export interface LoggedRun {
  readonly runId: string
  /** The type of the event that ended it, with the code of an error; null while it is open. */
  readonly ended: string | null
}

/**
 * What is wrong with a log, given the runs that were asked for. Only the first runs of it, so many, must have ended:
 * what began while the thread was removed may be cut.
 */
export const judgeRuns = (
  thread: string,
  asked: ReadonlyMap<string, Fate>,
  logged: ReadonlyArray<LoggedRun>,
  ended = logged.length
): ReadonlyArray<string> => {
  const times = new Map<string, number>()
  for (const { runId } of logged) times.set(runId, (times.get(runId) ?? 0) + 1)
  const never = [...asked].filter(([runId, fate]) => fate === "accepted" && !times.has(runId))
  const refused = [...asked].filter(([runId, fate]) => fate === "refused" && times.has(runId))
  const open = logged.slice(0, ended).filter((run) => run.ended === null)
  return [
    ...never.map(([runId]) => `${thread}: run ${runId} was accepted and is not in the log`),
    ...refused.map(([runId]) => `${thread}: run ${runId} was refused and is in the log`),
    ...open.map(
      ({ runId }) => `${thread}: run ${runId} (${asked.get(runId) ?? "begun by the agent"}) has no end in the log`
    ),
    ...[...times].filter(([, n]) => n > 1).map(([runId, n]) => `${thread}: run ${runId} began ${n} times`)
  ]
}
