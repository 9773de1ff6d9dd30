/**
 * How long a policy takes to judge long shell texts of kinds that are much work, beside what the parser alone takes for
 * the same text: of the longest that it looks at, most of which have more words than it reads, and of shorter ones, which
 * it reads whole. Milliseconds of processor time, the best of a few. `npm run bench:policy`.
 */
import { claudeToolInputs } from "@agentwire/bridge/claude"
import { explainDecision, loadPolicy } from "@agentwire/bridge/policy"
import * as Effect from "effect/Effect"
import { parse } from "unbash"

const lengths = [65_536, 32_768, 16_384]
const times = 5

/** A text of that length: pieces that differ by their number, joined. */
const filled = (length: number, piece: (n: number) => string, separator: string, begin = ""): string => {
  let text = begin
  for (let n = 0; ; n++) {
    const next = `${n === 0 ? "" : separator}${piece(n)}`
    if (text.length + next.length > length) return text
    text += next
  }
}

const textsOf = (length: number): Readonly<Record<string, string>> => ({
  "commands in a chain": filled(length, (n) => `cat src/${n}.ts`, " && "),
  "commands of git": filled(length, () => "git log -p", "; "),
  "one command, many files": filled(length, (n) => `f${n}`, " ", "cat "),
  "one command, single letters": filled(length, () => "a", " ", "cat "),
  redirections: filled(length, (n) => `ls > ${n}`, "; "),
  "quoted words": filled(length, (n) => `echo "a b ${n}"`, "; "),
  variables: filled(length, (n) => `"$x${n}"`, " ", "echo "),
  substitutions: filled(length, () => "$(ls)", " ", "echo "),
  loops: filled(length, () => "for f in a b; do ls $f; done", "; "),
  "a here-document": `cat <<'EOF'\n${filled(length, (n) => `line ${n} $(rm x)`, "\n").slice(0, -100)}\nEOF\n`,
  "open brackets": "{".repeat(length),
  "open substitutions": filled(length, () => "$(", ""),
  "a find": filled(length, (n) => `-name a${n}`, " -o ", "find . ")
})

/** Processor time of one go, in milliseconds. */
const spent = async (work: () => unknown): Promise<number> => {
  let best = Number.POSITIVE_INFINITY
  for (let n = 0; n < times; n++) {
    const before = process.cpuUsage()
    try {
      await work()
    } catch {
      // The parser alone gives up on some of them.
    }
    const { system, user } = process.cpuUsage(before)
    best = Math.min(best, (system + user) / 1000)
  }
  return best
}

const rules = await Effect.runPromise(loadPolicy("examples/policies/team.json", claudeToolInputs, "implementer"))
const judge = (command: string) =>
  Effect.runPromise(
    explainDecision(rules, { toolName: "Bash", input: { command }, cwd: process.cwd(), mode: "implementer" })
  )

console.log(`Judged by examples/policies/team.json; ms of processor time, best of ${times}`)
for (const length of lengths) {
  console.log(`\n  ${`${length} characters`.padEnd(30)}   judged  parser alone  decision`)
  for (const [name, text] of Object.entries(textsOf(length))) {
    const judged = await spent(() => judge(text))
    // Its time grows with the square of what is open.
    const floor = /^open /.test(name) ? undefined : await spent(() => parse(text))
    const { decision } = await judge(text)
    console.log(
      `  ${name.padEnd(30)} ${judged.toFixed(1).padStart(8)} ${(floor?.toFixed(1) ?? "-").padStart(13)}  ${decision}`
    )
  }
}
