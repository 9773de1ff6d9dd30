/** An attack as data: the bytes that are sent, and what must come back. */
import { head, token, wireTo } from "../RawRun.ts"

/** Where an attack goes. */
export interface Target {
  readonly port: number
}

/** Bytes to send, in pieces that each wait until the one before has left. */
export type Bytes = string | Uint8Array | Iterable<string | Uint8Array>

/** An attack. */
export interface Attack {
  readonly name: string
  readonly bytes: (target: Target) => Bytes
  /** The status, and the code in the body. */
  readonly reply: readonly [status: number, code: string]
  /** The one who is still sending when the connection is closed may not get the answer. */
  readonly mayBeCut?: boolean
}

/** What came back. */
export interface Answer {
  readonly status: number | undefined
  readonly code: string | undefined
  readonly text: string
}

/** How long an answer is waited for. */
const patienceMs = 8000

/** Sends an attack's bytes, and reads the first answer to them whole. Neither side has to close. */
export const attack = async (target: Target, bytes: Bytes): Promise<Answer> => {
  const { closed, got, socket, until } = wireTo(target.port)
  const late = setTimeout(() => socket.destroy(new Error("late")), patienceMs)
  const sending = (async () => {
    for (const piece of typeof bytes === "string" || bytes instanceof Uint8Array ? [bytes] : bytes) {
      if (socket.destroyed || isWhole(got())) return
      if (!socket.write(piece)) await Promise.race([new Promise((resolve) => socket.once("drain", resolve)), closed])
    }
  })()
  await until(isWhole).catch(() => undefined) // the connection was closed: `got` is all there is
  socket.destroy()
  await Promise.all([sending, closed])
  clearTimeout(late)
  return readAnswer(got())
}

const isWhole = (text: string): boolean => {
  const end = text.indexOf("\r\n\r\n")
  if (end === -1) return false
  const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, end))?.[1]
  const body = text.slice(end + 4)
  return length === undefined ? body.endsWith("0\r\n\r\n") : Buffer.byteLength(body) >= Number(length)
}

const readAnswer = (text: string): Answer => ({
  text,
  status: text === "" ? undefined : Number(text.slice(9, 12)),
  code: /"code":"(\w+)"/.exec(text)?.[1]
})

/** The authorization of nobody: a header that is left out has no value. */
export const headWithout = (names: ReadonlyArray<string>, more: Readonly<Record<string, string>>, line?: string) => {
  return (port: number): string =>
    head(port, more, line)
      .split("\r\n")
      .filter((header) => !names.some((name) => header.toLowerCase().startsWith(`${name}:`)))
      .join("\r\n")
}

/** The same token with a change. */
export const wrongTokens: ReadonlyArray<readonly [what: string, header: string]> = [
  ["no scheme", token],
  ["another scheme", `Basic ${Buffer.from(`user:${token}`).toString("base64")}`],
  ["only the scheme", "Bearer"],
  ["an empty token", "Bearer "],
  ["another token", `Bearer ${"x".repeat(token.length)}`],
  ["the beginning of the token", `Bearer ${token.slice(0, -1)}`],
  ["the end of the token", `Bearer ${token.slice(1)}`],
  ["a longer token", `Bearer ${token}x`],
  ["the token twice", `Bearer ${token} ${token}`],
  ["the token and another", `Bearer ${token}, Bearer ${token}`],
  ["the token in capitals", `Bearer ${token.toUpperCase()}`],
  ["the token in quotes", `Bearer "${token}"`],
  ["the token with a NUL behind it", `Bearer ${token}%00`],
  ["a very long token", `Bearer ${"x".repeat(8000)}`]
]
