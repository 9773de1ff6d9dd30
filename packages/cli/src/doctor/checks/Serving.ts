/** What `agentwire serve` needs by default: a place to keep threads in, and a port. */
import * as Effect from "effect/Effect"
import type { Finding } from "../Finding.ts"
import type { Check } from "./Check.ts"

const anotherPlace = "agentwire serve --data DIR, or --no-data"

/** Whether threads can be kept. */
export const state: Check = {
  name: "state",
  title: "State",
  inspect: ({ state }) =>
    Effect.map(state, (look): Finding => {
      const { path } = look
      switch (look._tag) {
        case "Usable":
          return { status: "ok", found: `${sizeOf(look.bytes)} in ${path}.`, facts: { path, bytes: look.bytes } }
        case "Absent":
          return { status: "ok", found: `${path} will be made.`, facts: { path, bytes: 0 } }
        case "Foreign":
          return {
            status: "problem",
            found: `${path} is not a database of agentwire.`,
            advice: `Move it away, or use another place: ${anotherPlace}.`,
            facts: { path }
          }
        case "Unusable":
          return {
            status: "problem",
            found: `Threads cannot be kept: ${look.reason}.`,
            advice: `Make its folder one that you may write, or use another one: ${anotherPlace}.`,
            facts: { path }
          }
      }
    })
}

const sizeOf = (bytes: number): string =>
  bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`

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
