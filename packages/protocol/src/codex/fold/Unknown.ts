/** Lines that no schema knows: they are passed on as they are. */
import type { Invalid, Unknown } from "../../wire/Codec.ts"
import type { Out } from "./State.ts"

/** Passes a line on that is not understood. */
export const passOn = ({ raw }: Unknown | Invalid, out: Out): void => {
  out.push({ type: "unknown", raw: shortened(raw), source: "codex" })
}

/** The longest message that is passed on without being understood: clients refuse events above 10 MB. */
const maxRawCharacters = 1_000_000

const shortened = (raw: unknown): unknown => {
  const characters = (typeof raw === "string" ? raw : (JSON.stringify(raw) ?? "")).length
  return characters > maxRawCharacters ? { omitted: true, characters } : (raw ?? null)
}
