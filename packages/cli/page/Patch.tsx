/**
 * The changes of a patch of Codex as people read them: each file with its lines, those that come and those that go told
 * apart, and not by their colour alone.
 */
import { isRecord } from "@agentwire/protocol/wire"
import { cut } from "./JsonText.ts"

/** A change of a file. */
export interface Change {
  readonly path: string
  /** What becomes of the file: `add`, `delete`, `update`. */
  readonly kind: string
  readonly diff: string
}

const text = (value: unknown): string => (typeof value === "string" ? value : "")

/** The changes that the input of a call has; none where it is no patch. */
export const changesIn = (input: unknown): ReadonlyArray<Change> => {
  const changes = isRecord(input) ? input["changes"] : undefined
  return (Array.isArray(changes) ? changes.filter(isRecord) : []).map((change) => ({
    path: text(change["path"]),
    kind: text(isRecord(change["kind"]) ? change["kind"]["type"] : change["kind"]),
    diff: text(change["diff"])
  }))
}

const verbs: Readonly<Record<string, string>> = { add: "New file", delete: "Deleted", update: "Changed" }

/** A file that is new or gone is told as its lines; other changes as a diff. */
const markOf = (kind: string, line: string): string =>
  kind === "add" ? "+" : kind === "delete" ? "-" : line.startsWith("+") ? "+" : line.startsWith("-") ? "-" : ""

/** The changes. */
export const Patch = ({ changes }: { readonly changes: ReadonlyArray<Change> }) => (
  <div className="patch">
    {changes.map(({ diff, kind, path }) => (
      <figure key={path}>
        <figcaption>
          {verbs[kind] ?? "Changed"} <code>{path}</code>
        </figcaption>
        <pre>
          {cut(diff, 20_000)
            .replace(/\n$/, "")
            .split("\n")
            .map((line, index) => (
              <span key={index} className="patch-line" data-mark={markOf(kind, line)}>
                {kind === "add" || kind === "delete" ? `${markOf(kind, line)}${line}` : line}
                {"\n"}
              </span>
            ))}
        </pre>
      </figure>
    ))}
  </div>
)
