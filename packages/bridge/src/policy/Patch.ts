/**
 * The files that a patch changes: a text between `*** Begin Patch` and `*** End Patch`, as Codex's `apply_patch` takes
 * it, a list of changes with their paths, or a table of changes by path.
 */

const header = /^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$/

/** The paths of a patch's text; undefined: it is not such a text. */
export const patchPaths = (text: string): ReadonlyArray<string> | undefined => {
  const lines = text.trim().split(/\r?\n/)
  if (lines[0]?.trim() !== "*** Begin Patch" || lines.at(-1)?.trim() !== "*** End Patch") return undefined
  const paths: Array<string> = []
  for (const line of lines.slice(1, -1)) {
    const [, path] = header.exec(line.trim()) ?? []
    if (path !== undefined) paths.push(path.trim())
    // Only what belongs to a file: its hunks, and the mark of its end.
    else if (paths.length === 0 || !/^([-+ @]|$|\*\*\* End of File$)/.test(line)) return undefined
  }
  return paths.length === 0 ? undefined : paths
}

/** The paths of a patch in any of its shapes; undefined: it is not understood. */
export const changedPaths = (patch: unknown): ReadonlyArray<string> | undefined => {
  if (typeof patch === "string") return patchPaths(patch)
  if (typeof patch !== "object" || patch === null) return undefined
  const changes = Array.isArray(patch)
    ? patch.map((change: unknown) => pathsOf(change, undefined))
    : Object.entries(patch).map(([path, change]) => pathsOf(change, path))
  const known = changes.filter((paths) => paths !== undefined)
  return known.length === 0 || known.length < changes.length ? undefined : known.flat()
}

/** A change says where its file is and, when it moves, where to: in `move_path`, of its own or of its `kind`. */
const pathsOf = (change: unknown, key: string | undefined): ReadonlyArray<string> | undefined => {
  if (typeof change !== "object" || change === null) return undefined
  const path: unknown = key ?? ("path" in change ? change.path : undefined)
  const kind: unknown = "kind" in change ? change.kind : undefined
  const targets = [change, kind].flatMap(
    (each): ReadonlyArray<unknown> =>
      typeof each === "object" && each !== null && "move_path" in each ? [each.move_path] : []
  )
  const paths = [path, ...targets.filter((target) => target !== null && target !== undefined)]
  return paths.every((each) => typeof each === "string" && each !== "") ? paths.map(String) : undefined
}
