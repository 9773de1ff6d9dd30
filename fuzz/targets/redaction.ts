/** Frames of a recording to frames without secrets. */
import * as Tape from "@agentwire/protocol/tape"
import { parseJson } from "@agentwire/protocol/wire"
import { holds, piecesOf, type Target } from "../Target.ts"

const options: Tape.RedactOptions = { home: "/home/ada", user: "lovelace", values: ["hunter2hunter2"] }

/** Made up, and put together so that nothing here looks like a secret. */
const key = ["sk", "ant", "api03", "0123456789abcdefghij"].join("-")
const token = `ghp_${"0123456789".repeat(4)}`

/** The redaction. */
export const redaction: Target = {
  name: "redaction",
  law: "any bytes in any frames become as many frames and lines, without a key, and in them nothing more is found",
  shape: "lines",
  words: [
    ...[
      key,
      token,
      "/home/ada",
      "lovelace",
      "hunter2hunter2",
      "ada@example.org",
      "Bearer abcdefgh12345678",
      "authorization: ",
      "x-api-key"
    ],
    ...[
      "-----BEGIN RSA PRIVATE KEY-----\\n",
      "-----END RSA PRIVATE KEY-----",
      "eyJhbGciOiJI.eyJzdWIiOiIx.c2ln",
      "password"
    ],
    ...[
      "AKIAABCDEFGHIJKLMNOP",
      "AIza",
      "REDACTED_api-key_1",
      "text_delta",
      "partial_json",
      "content_block_delta",
      "stream_event"
    ]
  ],
  check: (input) => {
    const seen = new Set<string>()
    for (const channel of ["stdout", "stderr", "ws"] as const) {
      const frames = piecesOf(input).map(
        (piece): Tape.Frame => ({ _tag: "Data", wait: 0, from: "agent", channel, data: Tape.payloadOf(piece) })
      )
      const redacted = redact(frames, ({ kind }) => seen.add(kind))
      holds(redacted.length === frames.length, "a redacted tape has as many frames", redacted.length)
      const [before, after] = [textOf(frames), textOf(redacted)]
      holds(linesIn(before) === linesIn(after), "a redacted tape has as many lines", after)
      holds(!after.includes(key), "a key that stands on one line is gone", after)
      if (channel !== "stdout") continue
      const written = after.split("\n")
      for (const [at, line] of before.split("\n").entries())
        if (parseJson(line) !== undefined) holds(parseJson(written[at] ?? "") !== undefined, "JSON stays JSON", line)
      redact(redacted, ({ kind }) => holds(false, "in a redacted tape no secret is found", `${kind} in ${after}`))
    }
    return seen
  }
}

const redact = (
  frames: ReadonlyArray<Tape.Frame>,
  onFound: (finding: Tape.Finding) => void
): ReadonlyArray<Tape.Frame> => {
  const redactor = Tape.makeRedactor({ ...options, onFound })
  return [...frames.flatMap((frame) => redactor.push(frame)), ...redactor.end()]
}

const textOf = (frames: ReadonlyArray<Tape.Frame>): string =>
  Buffer.concat(frames.map((frame) => (frame._tag === "Data" ? Tape.bytesOf(frame.data) : Buffer.of()))).toString()

const linesIn = (text: string): number => text.split("\n").length
