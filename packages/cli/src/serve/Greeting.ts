/** What `agentwire serve` prints when it listens: where, the token, and what to paste into an application. */
import type { ServeOptions } from "./ServeOptions.ts"

/** What there is to say. */
export interface Greeting extends Pick<ServeOptions, "basePath" | "cwd" | "isNew" | "origins" | "page" | "token"> {
  /** What is served. */
  readonly what: string
  /** Where the server listens. */
  readonly url: string
}

/** Loud: whoever reads one line of it must know. */
const open = `
  WARNING: --no-auth. There is no token: every program and every user of this machine
  can run commands as you through this port. Use it for a moment, on a machine of your own.
`

/** A token of the user's own is not shown again. */
const placeholder = "YOUR_TOKEN"

/** As one line for a program. */
export const greetingJson = ({ basePath = "", cwd, isNew, origins, page, token, url, what }: Greeting): string =>
  JSON.stringify({
    url,
    copilotkit: `${url}${basePath}`,
    page: page ? pageUrl(url, isNew ? token : undefined) : null,
    token: isNew ? token : null,
    auth: token !== undefined,
    agent: what,
    cwd,
    origins
  })

const pageUrl = (url: string, token: string | undefined): string =>
  `${url}/${token === undefined ? "" : `#token=${token}`}`

/** The lines. */
export const greeting = ({ basePath = "", cwd, isNew, origins, page, token, url, what }: Greeting): string => {
  const bearer = `Bearer ${isNew ? token : placeholder}`
  const authorization = token === undefined ? "" : `, headers: { Authorization: "${bearer}" }`
  const headers = token === undefined ? "" : ` headers={{ Authorization: "${bearer}" }}`
  return [
    `agentwire serves ${what} in ${cwd}.`,
    ...(token === undefined ? [open] : [""]),
    ...(page ? [`  Open        ${pageUrl(url, isNew ? token : token && placeholder)}`, ""] : []),
    `  Listens at  ${url}`,
    ...(isNew ? [`  Token       ${token}`] : token === undefined ? [] : ["  Token       the one you gave"]),
    `  CopilotKit  <CopilotKitProvider runtimeUrl="${url}${basePath}"${headers}>`,
    `  AG-UI       new HttpAgent({ url: "${url}"${authorization} })`,
    `  Gateway     ${url.replace("http", "ws")}/ws`,
    `  Web pages   ${origins.length === 0 ? "none may ask: allow one with --origin http://localhost:3000" : origins.join(", ")}`,
    "",
    "Ctrl-C ends it."
  ].join("\n")
}
