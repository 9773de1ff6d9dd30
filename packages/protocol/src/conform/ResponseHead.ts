/** What is wrong with the head of a response, before any of its events. */
import { type Finding, findingOfStream, quote } from "./Finding.ts"
import { wireRules } from "./rules/Wire.ts"

/** The status line and headers of a response to a run. */
export interface ResponseHead {
  readonly status: number
  /** By name, in whatever case. */
  readonly headers: Readonly<Record<string, string>>
}

const protobuf = "application/vnd.ag-ui.event+proto"

/** What is wrong with the head of the response to a run that should start. */
export const checkResponseHead = ({ headers, status }: ResponseHead): ReadonlyArray<Finding> => {
  if (status !== 200)
    return [findingOfStream(wireRules["AGUI-WIRE-007"], `The run is answered with status ${status}, not 200.`)]
  const entry = Object.entries(headers).find(([name]) => name.toLowerCase() === "content-type")
  const type = entry?.[1] ?? ""
  if (type === protobuf) return []
  const [essence = ""] = type.split(";")
  switch (essence.trim().toLowerCase()) {
    case "text/event-stream":
      return []
    case protobuf:
      return [
        findingOfStream(
          wireRules["AGUI-WIRE-009"],
          `The content-type ${quote(type)} is not exactly ${quote(protobuf)}, so clients read no events.`
        )
      ]
    default:
      return [
        findingOfStream(
          wireRules["AGUI-WIRE-008"],
          type === "" ? "There is no content-type." : `The content-type is ${quote(type)}.`
        )
      ]
  }
}
