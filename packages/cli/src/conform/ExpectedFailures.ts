/**
 * The file of expected failures: what is known to fail and shall not break a build. It keeps itself honest: an entry
 * that no longer fails is a failure too.
 *
 * One entry a line, `#` starts a comment. An entry is a rule (anywhere), a scenario or file (whatever fails in it), or
 * both, first the scenario or file:
 *
 *     AGUI-USAGE-002
 *     LIVE-007
 *     LIVE-012 AGUI-RUN-*
 *     recorded/old-*.ndjson AGUI-TEXT-003
 */
import { Failure } from "../Failure.ts"
import { type Pattern, patternOf } from "./Pattern.ts"
import { ruleIds, staleRule } from "./Rules.ts"
import type { Judged } from "./Subject.ts"

interface Entry {
  readonly line: number
  readonly text: string
  /** What it says of the file or scenario. */
  readonly subject: Pattern
  /** What it says of the rule. */
  readonly rule: Pattern
  /** It names both, and both must fit; a single name is one of a rule or of a file or scenario, whichever fits. */
  readonly isPair: boolean
  matched: boolean
  judged: boolean
}

/** The entries of a file, and which of them still fail. */
export class ExpectedFailures {
  readonly #entries: ReadonlyArray<Entry>

  private constructor(entries: ReadonlyArray<Entry>) {
    this.#entries = entries
  }

  /** Reads a file's text. Throws a {@link Failure} for a rule that does not exist. */
  static parse(file: string, text: string): ExpectedFailures {
    const entries = text.split(/\r?\n/).flatMap((whole, index): ReadonlyArray<Entry> => {
      const entry = whole.replace(/(^|\s)#.*$/, "").trim()
      if (entry === "") return []
      const line = index + 1
      const [, first, last = entry] = /^(.*\S)\s+(\S+)$/.exec(entry) ?? []
      const isRule = ruleIds.some(patternOf(last))
      if (!isRule && looksLikeRule.test(last))
        throw new Failure(`${file} line ${line}: there is no rule ${last}. \`agentwire conform --list\` has them all.`)
      const isPair = first !== undefined && isRule
      const subject = subjectPattern(isPair ? first : entry)
      return [{ line, text: entry, subject, rule: patternOf(last), isPair, matched: false, judged: false }]
    })
    return new ExpectedFailures(entries)
  }

  /** Notes that a file or scenario is being judged, by the rules that are asked for. */
  begin(name: string, selected: Pattern): void {
    for (const entry of this.#entries) {
      const { isPair, rule, subject } = entry
      const tested = ruleIds.some((id) => rule(id) && selected(id))
      entry.judged ||= isPair ? subject(name) && tested : subject(name) || tested
    }
  }

  /** Whether a finding is expected. */
  has(name: string, finding: Pick<Judged, "rule">): boolean {
    let found = false
    for (const entry of this.#entries) {
      const [ofSubject, ofRule] = [entry.subject(name), entry.rule(finding.rule)]
      if (entry.isPair ? !(ofSubject && ofRule) : !(ofSubject || ofRule)) continue
      entry.matched = true
      found = true
    }
    return found
  }

  /** A finding for each entry that was put to the test and does not fail. */
  get stale(): ReadonlyArray<Judged> {
    return this.#entries
      .filter(({ judged, matched }) => judged && !matched)
      .map(({ line, text }) => ({
        rule: staleRule.id,
        level: "error",
        index: -1,
        line,
        message: `"${text}" no longer fails: take the line out.`,
        excerpt: "",
        prefix: 0
      }))
  }

  /** The entries that name nothing of this run. */
  get untested(): ReadonlyArray<{ readonly line: number; readonly text: string }> {
    return this.#entries.filter(({ judged, matched }) => !judged && !matched)
  }
}

// A scenario's id has a number where a rule's has a family: `APP-047`, `APP-PLAY-001`.
const looksLikeRule = /^(?:AGUI-|APP-[A-Z])/

// `old.ndjson` also means `recorded/old.ndjson`, from wherever the command is run.
const subjectPattern = (text: string): Pattern => {
  const path = text.replace(/^(\.\/)+/, "")
  const [whole, inside] = [patternOf(path), patternOf(`*/${path}`)]
  return (subject) => {
    const name = subject.replaceAll("\\", "/")
    return whole(name) || inside(name)
  }
}
