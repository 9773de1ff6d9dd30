/** How a runtime is, for people. */
import type { LinkStatus } from "@agentwire/bridge/link"
import { columns } from "../Command.ts"

const megabytes = (bytes: number): string => `${Math.round(bytes / 1024 / 1024)} MB`

const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`

/** How long something has been so, in the largest unit that says something. */
export const sinceWords = (from: number, now: number): string => {
  const seconds = Math.max(0, Math.round((now - from) / 1000))
  const units = [
    [86_400, "day"],
    [3600, "hour"],
    [60, "minute"],
    [1, "second"]
  ] as const
  const [size, name] = units.find(([size]) => seconds >= size) ?? ([1, "second"] as const)
  return counted(Math.floor(seconds / size), name)
}

/** The status in lines. */
export const statusText = (place: string, { gateways, runtime, sessions }: LinkStatus, now: number): string => {
  const statuses = Object.entries(sessions.byStatus).map(([status, count]) => `${count} ${status}`)
  const facts: ReadonlyArray<readonly [string, string]> = [
    [
      "Runtime",
      `${runtime.program}, process ${runtime.pid}, up ${sinceWords(runtime.startedAt, now)}, ${megabytes(runtime.memory)}`
    ],
    ["Agents", `${runtime.agent} in ${runtime.cwd}`],
    ["Link", `${place}, version ${runtime.link}`],
    ["Sessions", `${sessions.open} open${statuses.length === 0 ? "" : ` (${statuses.join(", ")})`}`],
    [
      "Questions",
      sessions.questions === 0 ? "none" : counted(sessions.questions, "waits for an answer", "wait for an answer")
    ],
    ...(gateways.length === 0
      ? [["Gateways", "none: start one with `agentwire gateway`"] as const]
      : gateways.map(({ attachedAt, link, pid, program, report }) => {
          const seen =
            report === undefined
              ? []
              : [
                  ...(report.url === undefined ? [] : [report.url]),
                  counted(report.clients, "connection"),
                  ...(report.extensions === 0 ? [] : [counted(report.extensions, "extension")]),
                  megabytes(report.memory)
                ]
          const words = [program, `process ${pid}`, `attached ${sinceWords(attachedAt, now)}`, ...seen]
          return [
            "Gateway",
            `${words.join(", ")}${link === runtime.link ? "" : `, version ${link} of the link`}`
          ] as const
        }))
  ]
  return [...(runtime.draining ? ["The runtime is ending: it lets turns end.", ""] : []), columns(facts)].join("\n")
}
