/**
 * The patterns that a user adds to redaction with `--redact`. They are run by an engine that reads a text once,
 * whatever the pattern, so that none can hold up a recording; what that engine cannot do is said before anything
 * starts.
 */
import type { Tape } from "@agentwire/protocol"
import type { RE2JS } from "re2js"
import { UsageFailure } from "../Failure.ts"

/** How long the matches of one pattern in one text may take. */
export interface PatternOptions {
  /** The milliseconds that have passed since some moment. Default: the clock of this process. */
  readonly now?: () => number
  /** Told once, in a sentence, when a pattern took too long. */
  readonly onSlow?: (message: string) => void
}

/** Enough for some megabytes of any text. */
const patience = 5000

/** The patterns with these sources. Throws a {@link UsageFailure} for the first that cannot be used. */
export const patternsOf = async (
  sources: ReadonlyArray<string>,
  options: PatternOptions = {}
): Promise<ReadonlyArray<Tape.SecretPattern>> => {
  if (sources.length === 0) return []
  const { RE2JS } = await import("re2js")
  return sources.map((source) => patternOf(source, compiled(RE2JS, source), options))
}

const compiled = (engine: typeof RE2JS, source: string): RE2JS => {
  try {
    new RegExp(source, "u")
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new UsageFailure(`--redact takes a regular expression, and "${source}" is not one: ${reason}.`)
  }
  try {
    return engine.compile(engine.translateRegExp(source))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new UsageFailure(
      `--redact cannot use "${source}" (${reason}): a pattern may have no look-ahead, look-behind or back reference, so that it cannot hold up a recording. Write it without.`
    )
  }
}

const patternOf = (
  source: string,
  pattern: RE2JS,
  { now = () => performance.now(), onSlow }: PatternOptions
): Tape.SecretPattern => {
  let isReported = false
  return {
    source,
    find: (text) => {
      const ranges: Array<{ readonly start: number; readonly end: number }> = []
      const matcher = pattern.matcher(text)
      const deadline = now() + patience
      while (matcher.find()) {
        ranges.push({ start: matcher.start(), end: matcher.end() })
        if (now() < deadline) continue
        // One search reads the text once, but there may be as many as the text has characters.
        ranges.push({ start: matcher.end(), end: text.length })
        if (!isReported)
          onSlow?.(
            `The pattern "${source}" takes too long. What it had not looked at yet is replaced as a whole; make it simpler.`
          )
        isReported = true
        break
      }
      return ranges
    }
  }
}
