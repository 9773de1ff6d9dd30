/**
 * Ids as Codex's clients read them: UUIDs, and the ones that Codex makes are of version 7, which sort by their time.
 * Threads of other faces may have any name; to a client of this one such a thread has a UUID that is made of its name.
 */
import { createHash, randomBytes } from "node:crypto"

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

const asUuid = (bytes: Buffer, version: number): string => {
  const octets = Buffer.from(bytes.subarray(0, 16))
  octets[6] = ((octets[6] ?? 0) & 0x0f) | (version << 4)
  octets[8] = ((octets[8] ?? 0) & 0x3f) | 0x80
  const hex = octets.toString("hex")
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-")
}

/** A new id of a time, in milliseconds since 1970. */
export const newId = (now: number): string => {
  const bytes = randomBytes(16)
  bytes.writeUIntBE(now, 0, 6)
  return asUuid(bytes, 7)
}

/** The id that a client knows a thread by: its name, where that is one, and else one that is made of it. */
export const wireIdOf = (threadId: string): string =>
  uuid.test(threadId) ? threadId : asUuid(createHash("sha256").update(threadId).digest(), 8)

/** Whether an id may stand for a thread of another name. */
export const isMadeOfName = (id: string): boolean => uuid.test(id) && id[14] === "8"
