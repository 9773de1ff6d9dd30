/** How far a run of many parts is, and what runs now: `[####----] 12/33 LIVE-012 …`. */

/** Counts the parts. */
export interface ProgressBar {
  /** A part begins. */
  readonly start: (name: string) => void
  /** A part is over. */
  readonly end: (name: string) => void
}

const width = 20

/** A bar for a number of parts, written again whenever it changes. */
export const progressBar = (total: number, show: (text: string) => void): ProgressBar => {
  const running = new Set<string>()
  let done = 0
  const tell = (): void => show(barText(done, total, [...running].join(", ")))
  return {
    start: (name) => {
      running.add(name)
      tell()
    },
    end: (name) => {
      running.delete(name)
      done++
      tell()
    }
  }
}

const barText = (done: number, total: number, what: string): string => {
  const full = total === 0 ? width : Math.floor((Math.min(done, total) / total) * width)
  const bar = `[${"#".repeat(full)}${"-".repeat(width - full)}] ${done}/${total}`
  return what === "" ? bar : `${bar} ${what} …`
}
