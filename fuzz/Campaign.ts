/**
 * Fuzzes a target for some time: one thread searches, this one watches. What breaks the law or hangs is made small and
 * kept in the corpus.
 */
import { keepFinding, readCorpus } from "./Corpus.ts"
import { minimise } from "./Minimise.ts"
import { Thread } from "./Thread.ts"

/** What a campaign is told. */
export interface CampaignOptions {
  readonly target: string
  /** The address of the module whose `targets` has the target. */
  readonly module: string
  readonly seed: number
  readonly durationMs: number
  /** The folder of all corpora. Default: that of the repository. */
  readonly corpus?: string
  /** How long an input may take. It is given three times as long once more: a busy machine is no hang. Default 10 seconds. */
  readonly limitMs?: number
  /** Ends the campaign early. */
  readonly signal?: AbortSignal
  /** Called once a second. */
  readonly onProgress?: (progress: Progress) => void
}

/** How far a campaign is. */
export interface Progress {
  readonly runs: number
  readonly seconds: number
  /** How many inputs are kept, those of the corpus included. */
  readonly kept: number
  readonly findings: ReadonlyArray<Finding>
}

/** A way in which the law is broken. */
export interface Finding {
  readonly signature: string
  readonly message: string
  readonly file: string
  readonly bytes: number
}

const hang = "it takes too long"

/** How often a finding is tried to be made smaller. */
const maxTries = { broken: 4000, hanging: 16 }

/** No more ways than these are looked for in one campaign. */
const maxFindings = 20

/** Runs a campaign to its end. */
export const runCampaign = async (options: CampaignOptions): Promise<Progress> => {
  const { corpus: folder, durationMs, limitMs = 10_000, module, onProgress, seed, signal, target } = options
  const corpus = readCorpus(target, folder).map(({ input }) => input)
  const findings: Array<Finding> = []
  let started: number | undefined
  const elapsedMs = () => (started === undefined ? 0 : Date.now() - started)
  let runs = 0
  let kept = corpus.length
  const progress = (): Progress => ({ runs, seconds: elapsedMs() / 1000, kept, findings })
  const isOver = () => signal?.aborted === true || elapsedMs() >= durationMs || findings.length >= maxFindings

  for (let part = 0; !isOver(); part++) {
    const thread = await Thread.start(module, target)
    // Loading what is fuzzed does not count.
    started ??= Date.now()
    const before = runs
    // Another seed after a hang, which the same one would lead to again.
    const order = {
      _tag: "Search",
      corpus,
      seed: seed + part,
      from: part === 0 ? 0 : corpus.length,
      until: started + durationMs
    } as const
    const found = await watch(
      thread,
      order,
      { isOver, limitMs, known: new Set(findings.map(({ signature }) => signature)) },
      (count, size) => {
        runs = before + count
        kept = size
        onProgress?.(progress())
      }
    )
    await thread.end()
    if (found === undefined) break
    const finding = await settle(options, found, limitMs)
    if (finding !== undefined && !findings.some(({ signature }) => signature === finding.signature))
      findings.push(finding)
  }
  return progress()
}

interface Suspect {
  readonly signature: string
  readonly message: string
  readonly input: Uint8Array
}

interface Watch {
  readonly isOver: () => boolean
  readonly limitMs: number
  /** What was found already. */
  readonly known: ReadonlySet<string>
}

/** Watches a search until it finds something, hangs, or is over. */
const watch = (
  thread: Thread,
  order: Parameters<Thread["order"]>[0],
  { isOver, known, limitMs }: Watch,
  onProgress: (runs: number, kept: number) => void
): Promise<Suspect | undefined> =>
  new Promise((resolve) => {
    const { current } = thread
    let [lastRuns, lastChange, lastTold] = [current.runs, Date.now(), Date.now()]
    const timer = setInterval(() => {
      const now = Date.now()
      if (current.runs !== lastRuns) [lastRuns, lastChange] = [current.runs, now]
      if (now - lastTold >= 1000) {
        lastTold = now
        onProgress(current.runs, current.kept)
      }
      if (isOver()) settled(undefined)
      else if (now - lastChange > limitMs) settled({ signature: hang, message: hang, input: current.input })
    }, 100)
    const settled = (found: Suspect | undefined): void => {
      clearInterval(timer)
      onProgress(current.runs, current.kept)
      resolve(found)
    }
    thread.order(order, (news) => {
      if (news._tag === "Over") settled(undefined)
      else if (news._tag === "Broken" && !known.has(news.signature)) settled(news)
    })
  })

/** Makes a suspect small and keeps it; undefined when it does no harm a second time. */
const settle = async (
  { corpus, module, target }: CampaignOptions,
  { input, message, signature }: Suspect,
  limitMs: number
): Promise<Finding | undefined> => {
  let thread = await Thread.start(module, target)
  let words = message
  const breaks = async (smaller: Uint8Array, patienceMs: number): Promise<boolean> => {
    const outcome = await thread.check(smaller, patienceMs)
    if (outcome === undefined || (outcome._tag === "Broken" && outcome.signature.startsWith("the thread ended"))) {
      await thread.end()
      thread = await Thread.start(module, target)
      return signature === hang || outcome !== undefined
    }
    if (outcome._tag === "Broken" && outcome.signature === signature) words = outcome.message
    return outcome._tag === "Broken" && outcome.signature === signature
  }
  try {
    if (!(await breaks(input, 3 * limitMs))) return undefined
    const tries = signature === hang ? maxTries.hanging : maxTries.broken
    const small = await minimise(input, (smaller) => breaks(smaller, limitMs), tries)
    return { signature, message: words, file: keepFinding(target, small, corpus), bytes: small.length }
  } finally {
    await thread.end()
  }
}
