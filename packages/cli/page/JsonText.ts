/** Texts that are JSON, or may be. */
import { parseJson } from "@agentwire/protocol/wire"

/** Text cut to a length, with its end marked. */
export const cut = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length)}…`

/** JSON that is written out; what is no JSON stays as it is. */
export const pretty = (text: string): string => {
  const value = parseJson(text)
  return value === undefined ? text : JSON.stringify(value, null, 2)
}
