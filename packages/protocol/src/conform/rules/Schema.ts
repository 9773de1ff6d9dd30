/**
 * The shape of events: whether a value is an event at all, of a known type, with well-formed fields; and what a client
 * takes out of it before anyone sees it.
 */
import { codecs } from "../../agui/Codec.ts"
import type { Dialect } from "../../agui/Dialect.ts"
import { thinkingEvents } from "../../agui/Event00.ts"
import type { Member } from "../../wire/Catalog.ts"
import { driftOf } from "../../wire/Drift.ts"
import { firstProblem } from "../../wire/internal/Explain.ts"
import { renderPath } from "../../wire/internal/JsonPath.ts"
import { type Shape, shapeOf } from "../../wire/internal/Shape.ts"
import { isRecord } from "../../wire/Json.ts"
import { quote } from "../Finding.ts"
import { modernizeEvent } from "../Retired.ts"
import { type Rule, rulesOf } from "../Rule.ts"
import type { Stream } from "../Stream.ts"
import { stripUnrecognized } from "../Strip.ts"
import { missingPayload } from "./Custom.ts"
import { runRules } from "./Run.ts"
import { subagentRules } from "./Subagent.ts"

/** The rules of shape. */
export const schemaRules = rulesOf("schema", {
  "AGUI-SCHEMA-001": {
    level: "error",
    requirement: "An event is a JSON object.",
    spec: "1.0 basic/transports/http-sse#response; client 1.0.0 transport; client 0.0.59 EventSchemas"
  },
  "AGUI-SCHEMA-002": {
    level: "error",
    requirement: "An event has a type.",
    spec: "1.0 basic/processing; client 1.0.0 transport; client 0.0.59 EventSchemas"
  },
  "AGUI-SCHEMA-003": {
    level: "error",
    requirement: "The fields of an event fit its schema.",
    spec: "1.0 basic/processing#the-rule; client 1.0.0 enforceEvents; client 0.0.59 EventSchemas"
  },
  "AGUI-SCHEMA-004": {
    level: "error",
    requirement: "The type of an event is one the client knows: it ends the run on any other.",
    spec: "client 0.0.59 EventSchemas",
    dialects: ["0.0"]
  },
  "AGUI-SCHEMA-005": {
    level: "warning",
    requirement:
      "The type of an event is one the protocol describes: clients drop any other. CUSTOM and RAW are for the rest.",
    spec: "1.0 basic/processing#what-a-producer-must-not-do",
    dialects: ["1.0"]
  },
  "AGUI-SCHEMA-006": {
    level: "warning",
    requirement: "An event has only what the protocol describes: clients take out other keys and members of unions.",
    spec: "1.0 basic/processing#what-a-consumer-does-with-unrecognised-material",
    dialects: ["1.0"]
  },
  "AGUI-SCHEMA-007": {
    level: "warning",
    requirement:
      "An optional field without a value is left out, and shapes from before 1.0 are not sent: clients translate them until 2027.",
    spec: "1.0 basic/versioning#what-a-producer-owes",
    dialects: ["1.0"]
  }
})

/** Keys of later versions that are legal and that clients of this one take out without loss. */
const later: Readonly<Record<string, ReadonlyArray<string>>> = {
  REASONING_ENCRYPTED_VALUE: ["encryptedValueType"]
}

/** The types whose insides the protocol describes: worth looking for unknown keys in depth. */
const deepTypes: ReadonlySet<string> = new Set([
  "RUN_STARTED",
  "RUN_FINISHED",
  "RUN_ERROR",
  "SUBAGENT_FINISHED",
  "MESSAGES_SNAPSHOT",
  "TOOL_CALL_RESULT"
])

/** A member of a dialect, with what is asked of each event of it. */
interface Known {
  readonly member: Member
  readonly shape: Shape
  /** The keys that are no news. */
  readonly keys: ReadonlySet<string>
  readonly deep: boolean
  readonly tag: "Event" | "Thinking"
}

const knownOf = (dialect: Dialect): ReadonlyMap<string, Known> =>
  new Map(
    [...codecs[dialect].catalog.members].map(([type, member]) => {
      const shape = shapeOf(member.schema.ast)
      const keys = new Set([...(shape.kind === "object" ? shape.fields.keys() : []), ...(later[type] ?? [])])
      return [
        type,
        { member, shape, keys, deep: deepTypes.has(type), tag: type in thinkingEvents ? "Thinking" : "Event" }
      ]
    })
  )

const members: Readonly<Record<Dialect, ReadonlyMap<string, Known>>> = { "1.0": knownOf("1.0"), "0.0": knownOf("0.0") }

/** An event with a type: what a client's transport lets through. */
export type Typed = Readonly<Record<string, unknown>> & { readonly type: string }

/** What the shape of a value allows to do with it. */
export type Shaped =
  | { readonly _tag: "Event"; readonly event: Typed }
  | { readonly _tag: "Thinking"; readonly event: Typed }
  | { readonly _tag: "Malformed"; readonly event: Typed }
  | { readonly _tag: "Nothing" }

const nothing: Shaped = { _tag: "Nothing" }

/** Judges the shape of a value. */
export const shapeEvent = (value: unknown, stream: Stream): Shaped => {
  if (!isRecord(value)) {
    stream.report(schemaRules["AGUI-SCHEMA-001"], `${quote(value)} is not a JSON object.`)
    return nothing
  }
  const type = value["type"]
  if (typeof type !== "string" || type === "") {
    stream.report(schemaRules["AGUI-SCHEMA-002"], "The event has no type.")
    return nothing
  }
  const known = members[stream.dialect].get(type)
  if (known === undefined) return unlisted(value as Typed, stream)
  if (!known.member.check(value)) return mend(value as Typed, known, stream)
  if (stream.dialect === "1.0") checkKeys(value as Typed, known, stream)
  return { _tag: known.tag, event: value as Typed }
}

const unlisted = (event: Typed, stream: Stream): Shaped => {
  if (event.type in thinkingEvents) return { _tag: "Thinking", event }
  const { [stream.dialect]: rule } = { "1.0": schemaRules["AGUI-SCHEMA-005"], "0.0": schemaRules["AGUI-SCHEMA-004"] }
  stream.reportOnce(rule, event.type, `${quote(event.type)} is not a type of event.`)
  return nothing
}

const checkKeys = (event: Typed, { deep, keys, member }: Known, stream: Stream): void => {
  if (deep) {
    for (const { path } of driftOf(member.schema, event)) reportStripped(event.type, path, stream)
    return
  }
  for (const key in event) if (!keys.has(key)) reportStripped(event.type, `$.${key}`, stream)
}

const reportStripped = (type: string, path: string, stream: Stream): void =>
  stream.reportOnce(
    schemaRules["AGUI-SCHEMA-006"],
    `${type} ${path}`,
    `${type} has ${quote(path)}, which the protocol does not describe; clients take it out.`
  )

/** An outcome that is taken out turns into a success, so that it is more than lost. */
const outcomeRules: Readonly<Record<string, Rule>> = {
  RUN_FINISHED: runRules["AGUI-RUN-008"],
  SUBAGENT_FINISHED: subagentRules["AGUI-SUBAGENT-011"]
}

/** What a client makes of an event that does not fit its schema: today's shape of an old one, or nothing. */
const mend = (event: Typed, { member, shape }: Known, stream: Stream): Shaped => {
  // What JSON does not carry is not sent: keys that are undefined.
  const plain = JSON.parse(JSON.stringify(event)) as Typed
  if (member.check(plain)) return { _tag: "Event", event: plain }
  if (stream.dialect === "1.0") {
    const { changed, event: modern } = modernizeEvent(plain)
    const { removed, value } = stripUnrecognized(shape, modern)
    if (isRecord(value) && member.check(value)) {
      for (const what of changed)
        stream.reportOnce(schemaRules["AGUI-SCHEMA-007"], `${event.type} ${what}`, `${event.type} has ${what}.`)
      for (const path of removed) {
        const rule = path === "$.outcome" ? outcomeRules[event.type] : undefined
        if (rule === undefined) reportStripped(event.type, path, stream)
        else stream.report(rule, `${quote(plain["outcome"])} is not an outcome of ${event.type}.`)
      }
      return { _tag: "Event", event: value as Typed }
    }
    const payload = missingPayload(modern)
    if (payload !== undefined) {
      stream.report(payload, `${event.type} carries nothing.`)
      return { _tag: "Malformed", event: plain }
    }
  }
  const { message, path } = firstProblem(shape, plain)
  stream.report(schemaRules["AGUI-SCHEMA-003"], `${event.type}: ${renderPath(path)}: ${message}.`)
  return { _tag: "Malformed", event: plain }
}
