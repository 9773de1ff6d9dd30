/**
 * The wire: status and headers of the response to a run, and the framing of Server-Sent Events.
 */
import { rulesOf } from "../Rule.ts"

const framing = "1.0 basic/transports/http-sse#response"

/** The rules of the wire. */
export const wireRules = rulesOf("wire", {
  "AGUI-WIRE-001": {
    level: "error",
    requirement: "Lines end in LF; clients cannot read CR and CRLF.",
    spec: `${framing}; client 1.0.0 parseSSEStream; client 0.0.59 parseSSEStream`
  },
  "AGUI-WIRE-002": {
    level: "error",
    requirement: "The data of a frame is one JSON document; there is no [DONE].",
    spec: `${framing}; client 1.0.0 parseSSEStream; client 0.0.59 parseSSEStream`
  },
  "AGUI-WIRE-003": {
    level: "error",
    requirement: "Events are in data fields: clients skip lines without one, such as those of NDJSON.",
    spec: framing
  },
  "AGUI-WIRE-004": {
    level: "error",
    requirement: "The stream is UTF-8: clients put U+FFFD where it is not.",
    spec: framing
  },
  "AGUI-WIRE-005": {
    level: "error",
    requirement: "A frame has at most 10 MiB of text.",
    spec: "client 1.0.0 parseSSEStream",
    dialects: ["1.0"]
  },
  "AGUI-WIRE-006": {
    level: "info",
    requirement: "The last frame ends in an empty line; AG-UI clients read it without one, EventSource does not.",
    spec: "WHATWG server-sent events"
  },
  "AGUI-WIRE-007": {
    level: "error",
    requirement: "A run that starts is answered with status 200.",
    spec: `${framing}; client 1.0.0 runHttpRequest; client 0.0.59 runHttpRequest`
  },
  "AGUI-WIRE-008": {
    level: "warning",
    requirement: "The content-type is text/event-stream.",
    spec: framing
  },
  "AGUI-WIRE-009": {
    level: "error",
    requirement:
      "The protobuf content-type stands alone: with a parameter, clients read the body as SSE and find nothing.",
    spec: "client 1.0.0 transformHttpEventStream (an exact comparison)"
  }
})
