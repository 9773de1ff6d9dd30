/**
 * The body of a run or a connect, in either dialect, as the one input that sessions take.
 *
 * 0.0 clients may send null where 1.0 wants nothing, and bytes as `binary` parts. Both are rewritten as 1.0
 * before the body is checked, so that a session sees one shape only. A body that does not fit is answered with the
 * path of what is wrong.
 */
import * as Agui from "@agentwire/protocol/agui"
import { type DecodeError, decodePayload } from "@agentwire/protocol/codec"
import { isRecord } from "@agentwire/protocol/wire"
import * as Effect from "effect/Effect"
import { findInTurns } from "../../eventloop/Turns.ts"
import { type HttpRefusal, refuse } from "../http/HttpRefusal.ts"

/** A run or a connect that was asked for, and the dialect to answer in. */
export interface RunRequest {
  readonly input: Agui.RunAgentInput
  readonly dialect: Agui.Dialect
}

/** Reads the body of a run or a connect: its messages one by one, in turns. */
export const readRunRequest = (body: unknown, where = "$"): Effect.Effect<RunRequest, HttpRefusal> =>
  Effect.gen(function* () {
    const misfit = ({ message, path }: DecodeError): HttpRefusal =>
      refuse("BAD_INPUT", `The body is not a RunAgentInput: at ${where}${path.slice(1)}: ${message}`)
    const messages = isRecord(body) && Array.isArray(body["messages"]) ? [...body["messages"]] : undefined
    const rest = isRecord(body) ? modern(messages === undefined ? body : { ...body, messages: [] }) : body
    const decoded = decodePayload(Agui.RunAgentInput, rest)
    // Of two things that are wrong, the one that the schema has first is told.
    if (decoded._tag === "Invalid" && !comesAfterMessages(decoded.error)) return yield* misfit(decoded.error)
    const wrong = yield* findInTurns(messages ?? [], (message, index) => {
      const read = decodePayload(Agui.Message, modernMessage(message), ["messages", index])
      if (read._tag === "Known" && messages !== undefined) messages[index] = read.value
      return read._tag === "Known" ? undefined : read.error
    })
    if (wrong !== undefined) return yield* misfit(wrong)
    if (decoded._tag === "Invalid") return yield* misfit(decoded.error)
    const input = messages === undefined ? decoded.value : { ...decoded.value, messages }
    for (const key of ["threadId", "runId", "parentRunId"] as const) {
      const problem = input[key] === undefined ? undefined : idProblem(key, input[key])
      if (problem !== undefined)
        return yield* refuse("BAD_INPUT", `The body is not a RunAgentInput: at ${where}.${key}: ${problem}`)
    }
    return { input, dialect: Agui.dialectOf(input) }
  })

const fields = Object.keys(Agui.RunAgentInput.fields)
const later = new Set(fields.slice(fields.indexOf("messages") + 1))

/** Whether something is wrong in a part of the body that comes after the messages. */
const comesAfterMessages = ({ path }: DecodeError): boolean => later.has(/^\$\.(\w+)/.exec(path)?.[1] ?? "")

/** The longest name of a run. Logs and spans repeat it. */
const maxRunIdLength = 256

const idProblem = (key: "threadId" | "runId" | "parentRunId", id: string): string | undefined => {
  if (id.trim() === "") return "it must not be blank."
  // What a thread may be called is for the sessions to say.
  if (key === "threadId") return undefined
  if (id.length > maxRunIdLength) return `it has more than ${maxRunIdLength} characters.`
  return /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(id) ? "it has control characters." : undefined
}

type Fields = Readonly<Record<string, unknown>>

const modern = (body: Fields): Fields => {
  const { resume, tools } = body
  return withoutNulls(
    {
      ...body,
      ...(Array.isArray(tools) && { tools: tools.map((tool) => withoutNulls(tool, ["parameters", "metadata"])) }),
      ...(Array.isArray(resume) && { resume: resume.map((entry) => withoutNulls(entry, ["payload", "metadata"])) })
    },
    ["protocolVersion", "parentRunId", "state", "forwardedProps", "tools", "context", "resume"]
  )
}

const withoutNulls = <A>(value: A, keys: ReadonlyArray<string>): A =>
  isRecord(value) && keys.some((key) => value[key] === null)
    ? (Object.fromEntries(Object.entries(value).filter(([key, field]) => field !== null || !keys.includes(key))) as A)
    : value

const modernMessage = (message: unknown): unknown => {
  if (!isRecord(message) || message["role"] !== "user" || !Array.isArray(message["content"])) return message
  return { ...message, content: message["content"].map(modernPart) }
}

const modernPart = (part: unknown): unknown => {
  if (!isRecord(part)) return part
  if (part["type"] !== "binary") return withoutNulls(part, ["metadata"])
  const { data, filename, id, mimeType, url } = part
  const kind = typeof mimeType === "string" ? mimeType.split("/")[0] : undefined
  return {
    type: kind === "image" || kind === "audio" || kind === "video" ? kind : "document",
    source: sourceOf({ data, id, mimeType, url }),
    ...(typeof filename === "string" && { metadata: { filename } })
  }
}

const sourceOf = ({ data, id, mimeType, url }: Fields): Fields => {
  if (typeof data === "string" && data !== "") return { type: "data", value: data, mimeType }
  if (typeof url === "string" && url !== "") return { type: "url", value: url, mimeType }
  return { type: "file", value: id, mimeType }
}
