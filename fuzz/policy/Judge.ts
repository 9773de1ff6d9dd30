/** What a policy that allows a few harmless programs says about a text, and whether a run kept to it. */
import { matchItems, matchOf } from "../../packages/bridge/src/policy/Match.ts"
import {
  readShellText,
  type ShellCommand,
  type ShellReading
} from "../../packages/bridge/src/policy/shell/ShellText.ts"
import type { Run } from "./Sandbox.ts"

/** Programs that the policy allows. */
const allowed: ReadonlySet<string> = new Set(
  [
    ": [ [[ alpha builtin cat cd command declare echo env eval exec exit export false find git head local ls nice nohup printf",
    "read readonly set sh sort test time timeout touch true type typeset unset wc xargs bash"
  ].flatMap((line) => line.split(" "))
)

/** The reading of a text that the policy allows; undefined: it is not allowed. */
export const allowedReading = (text: string): ShellReading | undefined => {
  const reading = readShellText(text)
  const { commands, doubts, files } = reading
  const isAllowed =
    doubts.length === 0 &&
    commands.every(({ words: [program] }) => allowed.has(program?.value ?? "")) &&
    !commands.some(isLogin) &&
    files.every(({ path }) => !path.startsWith("/") && !path.includes(".."))
  return isAllowed ? reading : undefined
}

/** A login shell reads the profiles of this machine first, and those run whatever they like. */
const isLogin = ({ words: [program, ...args] }: ShellCommand): boolean =>
  /^(?:ba)?sh$/.test(program?.value ?? "") && args.some(({ value }) => /^(?:-[a-z]*l|--login$)/i.test(value ?? "-l"))

/** Whether a run could show anything: the forbidden name is in the text, in some spelling. */
export const isInteresting = (text: string): boolean => /r[^a-z]*m|\\x|\\[01]/.test(text)

/** What a run did that the reading does not list, in words; undefined: nothing. */
export const unlisted = ({ commands, files }: ShellReading, { calls, files: made }: Run): string | undefined => {
  const call = calls.find((each) => !commands.some((command) => isCall(command, each)))
  if (call !== undefined) return `ran ${JSON.stringify(call)}`
  const file = made.find((name) => !files.some(({ path }) => path.replace(/^(\.\/)+/, "").split("/")[0] === name))
  return file === undefined ? undefined : `wrote ${JSON.stringify(file)}`
}

/** Whether a command is this call, as far as its words are known. */
const isCall = ({ words }: ShellCommand, call: ReadonlyArray<string>): boolean => {
  const steps = words.map(({ many, value }) =>
    many ? ("many" as const) : (item: string) => matchOf(value === undefined || value === item)
  )
  return matchItems(steps, call, { isMany: () => false, mayBeSkipped: () => false }) === "yes"
}
