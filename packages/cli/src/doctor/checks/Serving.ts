/** What `agentwire serve` needs by default: a place to remember threads, and a port. */
import * as Effect from "effect/Effect"
import type { Finding } from "../Finding.ts"
import type { Check } from "./Check.ts"

const anotherIndex = "agentwire serve --index FILE, or --no-index"

/** Whether the index can be used. */
export const state: Check = {
  name: "state",
  title: "State",
  inspect: ({ state }) =>
    Effect.map(state, (look): Finding => {
      const { path } = look
      switch (look._tag) {
        case "Usable":
          return { status: "ok", found: `${look.threads} threads in ${path}.`, facts: { path, threads: look.threads } }
        case "Absent":
          return { status: "ok", found: `${path} will be made.`, facts: { path, threads: 0 } }
        case "Locked":
          return {
            status: "warning",
            found: `Process ${look.pid}, another bridge, is using ${path}.`,
            advice: `A second bridge needs another one: ${anotherIndex}.`,
            facts: { path, pid: look.pid }
          }
        case "Corrupt":
          return {
            status: "warning",
            found: `${path} is not an index. serve will set it aside and forget earlier threads.`,
            advice: `To keep them, repair it first. To use another one: ${anotherIndex}.`,
            facts: { path }
          }
        case "Unusable":
          return {
            status: "problem",
            found: `${path} cannot be used: ${look.reason}.`,
            advice: `Make its folder one that you may write, or use another one: ${anotherIndex}.`,
            facts: { path }
          }
      }
    })
}

/** Where `serve` listens unless it is told otherwise. */
const defaultPort = 3210

/** Whether the port is free. */
export const port: Check = {
  name: "port",
  title: "Port",
  inspect: ({ port }) =>
    Effect.map(port(defaultPort), (look): Finding => {
      const facts = { port: defaultPort, free: look.free }
      if (look.free) return { status: "ok", found: `${defaultPort} on 127.0.0.1 is free.`, facts }
      const found =
        look.code === "EADDRINUSE"
          ? `${defaultPort} on 127.0.0.1 is taken by another program.`
          : `One cannot listen on port ${defaultPort} of 127.0.0.1 (${look.code}).`
      return { status: "warning", found, advice: "Choose another one: agentwire serve --port 0", facts }
    })
}
