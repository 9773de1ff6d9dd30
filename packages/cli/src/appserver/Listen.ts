/** Where `agentwire app-server` has its clients: the addresses that Codex's own takes. */
import { resolve } from "node:path"
import type { Input } from "../Command.ts"
import { UsageFailure } from "../Failure.ts"

/** Where clients are. */
export type Listening =
  | { readonly _tag: "Stdio" }
  | { readonly _tag: "WebSocket"; readonly host: string; readonly port: number }
  | { readonly _tag: "Unix"; readonly path: string }

/** The address of a command line. Throws a {@link UsageFailure} where it is none. */
export const listeningOf = ({ values }: Pick<Input, "values">): Listening => {
  const { listen } = values
  if (typeof listen !== "string" || listen === "stdio://") return { _tag: "Stdio" }
  if (values["stdio"] === true) throw new UsageFailure("Either --stdio or another --listen, not both.")
  if (listen.startsWith("unix://")) {
    const path = listen.slice("unix://".length)
    if (path === "")
      throw new UsageFailure("--listen unix:// needs a path, as in unix:///run/user/1000/agentwire.sock.")
    return { _tag: "Unix", path: resolve(path) }
  }
  const { host, port } = /^ws:\/\/(?<host>\[[0-9a-f:.]+\]|[^:/?#]+):(?<port>\d{1,5})\/?$/i.exec(listen)?.groups ?? {}
  if (host === undefined || port === undefined || Number(port) > 65_535)
    throw new UsageFailure(`--listen takes stdio://, ws://HOST:PORT or unix://PATH, not "${listen}".`)
  return { _tag: "WebSocket", host: host.replace(/^\[|\]$/g, ""), port: Number(port) }
}
