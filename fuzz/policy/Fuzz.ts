/**
 * Differential testing of what the policy reads in a shell text: texts that it allows are run by the real bash, and
 * nothing may run, or be written, that the reading does not list.
 */
import type { ShellReading } from "../../packages/bridge/src/policy/shell/ShellText.ts"
import { corpusTexts } from "./Corpus.ts"
import { generated } from "./Grammar.ts"
import { allowedReading, isInteresting, unlisted } from "./Judge.ts"
import { minimised } from "./Minimise.ts"
import { mutated } from "./Mutation.ts"
import { randomFrom } from "./Random.ts"
import type { Sandbox } from "./Sandbox.ts"

/** How far it is. */
export interface Figures {
  texts: number
  allowed: number
  run: number
  calls: number
  timedOut: number
  findings: number
}

/** A text that was allowed and did more than was listed. */
export interface Finding {
  readonly text: string
  readonly minimal: string
  readonly what: string
}

/** What to do, and when to stop. */
export interface Plan {
  readonly seed: number
  readonly sandbox: Sandbox
  /** Asked after each batch. */
  readonly isEnough: (figures: Figures) => boolean
  readonly onFinding: (finding: Finding) => void
}

const batchSize = 64

/** Of the texts in which nothing forbidden is hidden, this many are run: their words may be wrong. */
const sample = 1 / 4

/** Makes texts, judges them, and runs what is allowed, until it is enough. */
export const fuzz = async ({ isEnough, onFinding, sandbox, seed }: Plan): Promise<Figures> => {
  const random = randomFrom(seed)
  const corpus = (["evasions", "doubtful", "ordinary", "writing", "looking"] as const)
    .flatMap(corpusTexts)
    .map(inSandbox)
  const figures: Figures = { texts: 0, allowed: 0, run: 0, calls: 0, timedOut: 0, findings: 0 }
  const known = new Set<string>()

  const nextText = (): string => {
    const base = random.chance(0.5) ? generated(random) : random.pick(corpus)
    return random.chance(0.6) ? mutated(random, base, random.pick(corpus)) : base
  }

  const finish = async (text: string): Promise<void> => {
    const isFinding = async (each: string): Promise<boolean> => (await findingIn(sandbox, each)) !== undefined
    // What a text before it left behind may have told late.
    if (!(await isFinding(text))) return
    const minimal = await minimised(text, isFinding)
    figures.findings++
    onFinding({ text, minimal, what: (await findingIn(sandbox, minimal)) ?? "" })
  }

  let batch: Array<{ readonly text: string; readonly reading: ShellReading }> = []
  const flush = async (): Promise<void> => {
    const texts = batch
    batch = []
    const runs = await sandbox.run(texts.map(({ text }) => text))
    for (const [at, { reading, text }] of texts.entries()) {
      const run = runs[at]
      if (run === undefined) continue
      figures.run++
      figures.calls += run.calls.length
      if (run.isTimedOut) figures.timedOut++
      if (unlisted(reading, run) !== undefined) await finish(text)
    }
  }

  do {
    for (let left = 1000; left > 0; left--) {
      const text = nextText()
      figures.texts++
      const reading = text.includes("\0") ? undefined : allowedReading(text)
      if (reading === undefined) continue
      figures.allowed++
      if (known.has(text) || !(isInteresting(text) || random.chance(sample))) continue
      known.add(text)
      batch.push({ text, reading })
      if (batch.length >= batchSize) await flush()
    }
    if (batch.length > 0) await flush()
    if (known.size > 1_000_000) known.clear()
  } while (!isEnough(figures))
  return figures
}

/** What a text of the corpus says in the sandbox, where `rm` tells that it was called and `touch` is not there. */
export const inSandbox = (text: string): string => text.replaceAll("touch", "rm")

/** What one text did that was not listed, in words. */
export const findingIn = async (sandbox: Sandbox, text: string): Promise<string | undefined> => {
  const reading = allowedReading(text)
  const [run] = reading === undefined ? [] : await sandbox.run([text])
  return reading === undefined || run === undefined ? undefined : unlisted(reading, run)
}
