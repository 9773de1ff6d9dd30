/**
 * About how many characters a line of a delta has, without writing it: deltas are many, short and much the same. Of
 * any other line nothing is known.
 */
export const deltaSize = (message: unknown): number | undefined => {
  if (typeof message !== "object" || message === null || !("event" in message)) return undefined
  const { event } = message as { readonly event: { readonly delta?: Readonly<Record<string, unknown>> } | null }
  const { partial_json, text, thinking } = event?.delta ?? {}
  const said = text ?? thinking ?? partial_json
  return typeof said === "string" ? envelope + said.length : undefined
}

/** About what stands around the text of a delta. */
const envelope = 300
