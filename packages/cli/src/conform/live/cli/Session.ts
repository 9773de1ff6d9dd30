/** A session as facts are read off it: the lines of both sides, as JSON. */
import type { WireLine } from "@agentwire/fixtures"
import { isRecord, parseJson } from "@agentwire/protocol/wire"
import type { Item } from "../Reading.ts"

/** A line of a session. */
export interface Said {
  readonly from: WireLine["from"]
  readonly line: string
  readonly message: Item
}

/** A member of a value that may be none. */
export const member = (value: unknown, key: string): unknown => (isRecord(value) ? value[key] : undefined)

/** The session of some lines. What is no JSON is left out: the schemas report it. */
export const sessionOf = (lines: ReadonlyArray<WireLine>): ReadonlyArray<Said> =>
  lines.flatMap(({ from, line }) => {
    const message = parseJson(line)
    return isRecord(message) ? [{ from, line, message }] : []
  })
