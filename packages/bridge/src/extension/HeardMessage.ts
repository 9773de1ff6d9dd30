/**
 * What comes from the thread of an extension, read. An extension may write to the line itself, past its context, so what
 * comes is not taken for what it should be.
 */
import { isRecord } from "@agentwire/protocol/wire"
import type { FromExtension, WantedName } from "./ExtensionPort.ts"

const isText = (value: unknown): boolean => typeof value === "string"

const isNumber = (value: unknown): boolean => typeof value === "number"

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0

const wanted: ReadonlySet<unknown> = new Set<WantedName>(["prompt", "interrupt", "get", "set", "delete", "list"])

const fieldsOf: { readonly [T in FromExtension["tag"]]: Readonly<Record<string, (value: unknown) => boolean>> } = {
  ask: { id: isNumber, name: (value) => wanted.has(value), value: isText },
  answer: { id: isNumber, ok: (value) => typeof value === "boolean", value: isText },
  emit: { type: isText, value: isText },
  log: { level: isText, message: isText, value: isText },
  on: { id: isNumber, pattern: isText },
  off: { id: isNumber },
  dropped: { events: isCount, lines: isCount }
}

/** What an extension says; undefined: nothing that there is. */
export const heardMessage = (value: unknown): FromExtension | undefined => {
  if (!isRecord(value)) return undefined
  const { tag } = value
  if (typeof tag !== "string" || !Object.hasOwn(fieldsOf, tag)) return undefined
  const fits = Object.entries(fieldsOf[tag as FromExtension["tag"]]).every(([name, fits]) => fits(value[name]))
  return fits ? (value as unknown as FromExtension) : undefined
}
