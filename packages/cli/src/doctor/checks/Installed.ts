/** What is installed besides the CLI: Node, agentwire itself, packages that may be there. */
import * as Claude from "@agentwire/protocol/claude"
import * as Effect from "effect/Effect"
import type { Finding } from "../Finding.ts"
import type { Check } from "./Check.ts"

/** Whether this Node is one that agentwire runs on. */
export const node: Check = {
  name: "node",
  title: "Node",
  inspect: ({ agentwire, node }) => {
    const required = agentwire.node.replace(/^\D+/, "")
    const version = node.replace(/^v/, "")
    const facts = { version, required }
    return Effect.succeed(
      Claude.compareVersions(version, required) >= 0
        ? { status: "ok", found: `${version}, and ${required} or later is needed.`, facts }
        : {
            status: "problem",
            found: `${version} is too old: ${required} or later is needed.`,
            advice: "Install a newer one from https://nodejs.org, or with a version manager: nvm install --lts",
            facts
          }
    )
  }
}

/** Which agentwire this is. */
export const agentwire: Check = {
  name: "agentwire",
  title: "agentwire",
  inspect: ({ agentwire: { version } }) => Effect.succeed({ status: "ok", found: `${version}.`, facts: { version } })
}

/** A package that is used where it is there. Nobody has to have it. */
const optional = (name: string, purpose: string): Check => ({
  name: `package:${name}`,
  title: name,
  inspect: ({ packageVersion }) =>
    Effect.map(
      packageVersion(name),
      (version): Finding =>
        version === undefined
          ? {
              status: "ok",
              found: `Not installed. It is optional: ${purpose}.`,
              facts: { installed: false }
            }
          : { status: "ok", found: `${version}: ${purpose}.`, facts: { installed: true, version } }
    )
})

/** The packages that are used where they are there. */
export const packages: ReadonlyArray<Check> = [
  optional("@ag-ui/proto", "serve writes Protocol Buffers with it for clients that ask for them"),
  optional("vitest", "agentwire/vitest judges events in tests with it")
]
