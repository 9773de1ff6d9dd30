/** Whether a prompt gets through to the CLI and an answer comes back as AG-UI that a client can trust. */
import * as Agui from "@agentwire/protocol/agui"
import * as Claude from "@agentwire/protocol/claude"
import * as Conform from "@agentwire/protocol/conform"
import * as Effect from "effect/Effect"
import type { Finding } from "../Finding.ts"
import { modelAnswer, type RoundTrip } from "../RoundTrip.ts"
import { type Check, typedFile, withCli } from "./Check.ts"
import { install } from "./Cli.ts"

/** A scripted prompt, judged. */
export const roundTrip: Check = {
  name: "round-trip",
  title: "Round trip",
  inspect: (surroundings) =>
    surroundings.options.run
      ? tried(surroundings)
      : Effect.succeed({ status: "skipped", found: "Not tried, because of --no-run." })
}

const tried = withCli((cli, { options, roundTrip }) => {
  const transport = options.transport === "ws" ? "ws" : "stdio"
  const socket = Claude.lookup("sdkUrl", cli.version)
  if (transport === "ws" && !socket.value && !socket.assumed)
    return Effect.succeed({ status: "skipped", found: "Not tried: the CLI does not have this transport." })
  return Effect.match(roundTrip(cli, transport), {
    onFailure: ({ message }): Finding => ({
      status: "problem",
      found: `It could not be tried: ${message}.`,
      advice: "It needs a temporary folder that can be written (TMPDIR) and a free port on 127.0.0.1."
    }),
    onSuccess: (trip) => judge(trip, typedFile(cli))
  })
})

const judge = (trip: RoundTrip, path: string): Finding => {
  const { asked, events, milliseconds } = trip
  const facts = { milliseconds, events: events.length, asked }
  const problem = (found: string, advice: string): Finding => ({ status: "problem", found, advice, facts })
  if (!trip.ended)
    return problem(`No answer within ${seconds(milliseconds)}: ${howFar(trip)}`, `${tryLonger} ${broken}`)
  const last = events.at(-1)
  if (last?.type === "RUN_ERROR")
    return problem(`The run failed: ${last.message}${howItEnded(trip)}${foreignWords(trip)}`, broken)
  const said = Agui.foldEvents(events).messages.findLast(({ role }) => role === "assistant")?.content
  if (said !== modelAnswer)
    return problem(
      `The model said ${JSON.stringify(modelAnswer)}, and ${said === undefined ? "nothing" : JSON.stringify(said)} came back.`,
      `To see what the CLI changed, run: agentwire drift --cli ${path}`
    )
  const { errors, findings, warnings } = Conform.checkEvents(events, { input: trip.input })
  const worst = findings.find(({ level }) => level === (errors > 0 ? "error" : "warning"))
  if (worst !== undefined)
    return {
      status: errors > 0 ? "problem" : "warning",
      found: `The answer came back, but its events break ${worst.rule}: ${worst.message}`,
      advice: `For all of it, run: agentwire conform --cli ${path}`,
      facts: { ...facts, errors, warnings }
    }
  return {
    status: "ok",
    found: `A scripted prompt was answered in ${seconds(milliseconds)}, in ${events.length} events that keep the rules.`,
    facts: { ...facts, errors, warnings }
  }
}

const broken = `If it is broken, install it again (${install}), or try another one with --cli PATH.`

const tryLonger = "A slow machine may need more: --timeout SECONDS."

const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`

/** The ends that are ours: they say nothing of the CLI. */
const ourSignals: ReadonlyArray<string | null> = ["SIGTERM", "SIGKILL"]

/** Of a CLI that failed: how it ended, and the last it said. */
const howItEnded = ({ process: { exit, stderr } }: RoundTrip): string => {
  if (exit === undefined || exit.code === 0 || ourSignals.includes(exit.signal)) return ""
  const how = exit.signal === null ? `with code ${exit.code}` : `by ${exit.signal}`
  const words = shortened(stderr.trim().split("\n").at(-1) ?? "")
  return ` The CLI ended ${how}${words === "" ? "." : `: ${words}`}`
}

/** Of one that runs. */
const howFar = (trip: RoundTrip): string => {
  if (trip.asked > 0) return "the CLI asked the model, and did not finish."
  const how =
    trip.status === "starting"
      ? "the CLI started, but did not answer `initialize`."
      : "the CLI took the prompt, but did not ask the model."
  return `${how}${foreignWords(trip)}`
}

/** Whatever speaks the protocol begins with a brace. */
const foreignWords = ({ process: { stdout } }: RoundTrip): string => {
  const [first = ""] = stdout.trimStart().split("\n")
  return first === "" || first.startsWith("{")
    ? ""
    : ` It said ${JSON.stringify(shortened(first))}, which is not its protocol.`
}

const shortened = (text: string): string => (text.length > 200 ? `${text.slice(0, 200)}…` : text)
