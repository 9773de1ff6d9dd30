/** What is judged: a command that is started for each scenario, or a server at a URL. */
import { UsageFailure } from "../../Failure.ts"

/** A server of the app-server protocol. */
export type AppServerTarget =
  /** Started by the suite, with a home, a project and a model of its own. */
  | { readonly _tag: "Command"; readonly program: string; readonly args: ReadonlyArray<string> }
  /** Runs already, with whatever model it has. */
  | { readonly _tag: "Url"; readonly url: string; readonly token?: string }

/** Reads what `--app-server` names: a `ws://` URL, or the words of a command, in quotes where they hold spaces. */
export const appServerTarget = (text: string, token: string | undefined): AppServerTarget => {
  if (/^wss?:\/\//.test(text)) {
    if (!URL.canParse(text)) throw new UsageFailure(`--app-server ${text} is no URL.`)
    return { _tag: "Url", url: text, ...(token !== undefined && { token }) }
  }
  const [program, ...args] = [...text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? ""
  )
  if (program === undefined) throw new UsageFailure("--app-server needs a command or a URL.")
  return { _tag: "Command", program, args }
}
