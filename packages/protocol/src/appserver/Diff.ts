/**
 * What a call would change in files, as diffs, before anybody is asked about it: read from the arguments of the tools of
 * both runtimes, by their keys.
 *
 * Nobody looks at the files. So where in a file a change is, is not known: hunks count from its first line. And a file
 * that is written anew is an `add` of its content, also where there was one before.
 */
import type { FileUpdateChange } from "../codex/generated/ItemPart.ts"
import { fieldsIn, listIn, textIn } from "../wire/Fields.ts"
import type { JsonObject } from "../wire/Open.ts"

/** A change of one text into another. */
interface Replacement {
  readonly before: string
  readonly after: string
}

const linesOf = (text: string): ReadonlyArray<string> => {
  if (text === "") return []
  const lines = text.split("\n")
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines
}

/** How many lines around a change are shown. */
const contextLines = 3

const rangeOf = (start: number, count: number): string =>
  count === 0 ? `${start - 1},0` : count === 1 ? `${start}` : `${start},${count}`

/** The hunks that make one text of another, as a unified diff without its head. */
export const unifiedHunks = (replacements: ReadonlyArray<Replacement>): string => {
  let [oldStart, newStart] = [1, 1]
  return replacements
    .map(({ after, before }) => {
      const [removed, added] = [linesOf(before), linesOf(after)]
      const most = Math.min(removed.length, added.length)
      let first = 0
      while (first < most && removed[first] === added[first]) first++
      let last = 0
      while (last < most - first && removed.at(-1 - last) === added.at(-1 - last)) last++
      const from = Math.max(0, first - contextLines)
      const tail = removed.slice(removed.length - last, removed.length - last + contextLines)
      const body = [
        ...removed.slice(from, first).map((line) => ` ${line}`),
        ...removed.slice(first, removed.length - last).map((line) => `-${line}`),
        ...added.slice(first, added.length - last).map((line) => `+${line}`),
        ...tail.map((line) => ` ${line}`)
      ]
      const kept = first - from + tail.length
      const [oldCount, newCount] = [kept + removed.length - last - first, kept + added.length - last - first]
      const head = `@@ -${rangeOf(oldStart + from, oldCount)} +${rangeOf(newStart + from, newCount)} @@`
      // The next hunk is somewhere after this one.
      oldStart += removed.length + 1
      newStart += added.length + 1
      return [head, ...body, ""].join("\n")
    })
    .join("")
}

const replacementIn = (fields: JsonObject): ReadonlyArray<Replacement> => {
  const [before, after] = [textIn(fields["old_string"]), textIn(fields["new_string"])]
  return before === undefined || after === undefined ? [] : [{ before, after }]
}

const changeKinds = new Set(["add", "delete", "update"])

/** A change as Codex itself says it. */
const codexChange = (given: unknown): ReadonlyArray<FileUpdateChange> => {
  const { diff, kind, path } = fieldsIn(given)
  const { move_path: movePath, type } = fieldsIn(kind)
  if (typeof path !== "string" || typeof type !== "string" || !changeKinds.has(type)) return []
  const told = textIn(diff) ?? ""
  if (type === "update") return [{ path, kind: { type, move_path: textIn(movePath) ?? null }, diff: told }]
  return [{ path, kind: { type: type === "add" ? "add" : "delete" }, diff: told }]
}

/** A path without steps back, as the agent reads it, before it looks at any link: clients show a path by where it is. */
const direct = (path: string): string => {
  if (!path.startsWith("/")) return path
  const steps: Array<string> = []
  for (const step of path.split("/")) {
    if (step === "..") steps.pop()
    else if (step !== "" && step !== ".") steps.push(step)
  }
  return `/${steps.join("/")}`
}

/** The changes that a call would make, by its arguments; none where they do not say. */
export const changesOf = (input: JsonObject): ReadonlyArray<FileUpdateChange> => {
  const { changes, content, edits, file_path, new_source, notebook_path } = input
  if (Array.isArray(changes)) return changes.flatMap(codexChange)
  const named = textIn(file_path) ?? textIn(notebook_path) ?? textIn(input["path"])
  if (named === undefined) return []
  const path = direct(named)
  if (typeof content === "string") return [{ path, kind: { type: "add" }, diff: content }]
  const replacements = Array.isArray(edits)
    ? listIn(edits).flatMap((edit) => replacementIn(fieldsIn(edit)))
    : typeof new_source === "string"
      ? [{ before: "", after: new_source }]
      : replacementIn(input)
  return [{ path, kind: { type: "update", move_path: null }, diff: unifiedHunks(replacements) }]
}

/** A path as it is seen from a folder. */
const relative = (cwd: string, path: string): string => {
  const folder = cwd.endsWith("/") ? cwd : `${cwd}/`
  return (path.startsWith(folder) ? path.slice(folder.length) : path).replace(/^\/+/, "")
}

const signed = (sign: "+" | "-", text: string): string =>
  linesOf(text)
    .map((line) => `${sign}${line}\n`)
    .join("")

/** A change as `git diff` would show it, seen from a folder. */
export const gitDiff = (cwd: string, { diff, kind, path }: FileUpdateChange): string => {
  const name = relative(cwd, path)
  const count = linesOf(diff).length
  switch (kind.type) {
    case "add":
      return `diff --git a/${name} b/${name}\nnew file mode 100644\n--- /dev/null\n+++ b/${name}\n@@ -0,0 +${rangeOf(1, count)} @@\n${signed("+", diff)}`
    case "delete":
      return `diff --git a/${name} b/${name}\ndeleted file mode 100644\n--- a/${name}\n+++ /dev/null\n@@ -${rangeOf(1, count)} +0,0 @@\n${signed("-", diff)}`
    default: {
      const moved = "move_path" in kind ? textIn(kind.move_path) : undefined
      const target = relative(cwd, moved ?? path)
      return `diff --git a/${name} b/${target}\n--- a/${name}\n+++ b/${target}\n${diff}`
    }
  }
}
