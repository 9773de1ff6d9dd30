/** Versions of programs, compared number by number. */

/** The numbers of a version: of `2.1.150`, and of `2.1.150 (Claude Code)` or `codex-cli 0.166.0`, as programs print theirs. */
const numbers = (version: string): ReadonlyArray<number> =>
  (/\d+(?:\.\d+)*/.exec(version)?.[0] ?? "").split(".").map(Number)

/**
 * Compares two versions number by number: negative when `a` is older. Missing numbers count as 0, and
 * what is not a version is older than all.
 */
export const compareVersions = (a: string, b: string): number => {
  const left = numbers(a)
  const right = numbers(b)
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    const difference = (left[i] ?? 0) - (right[i] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}
