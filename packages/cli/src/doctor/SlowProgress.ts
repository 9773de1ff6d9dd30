/** Shows what is being done once it takes longer than a second, and for how long. */
import type { Console } from "../Console.ts"

/** What is being done. */
export interface SlowProgress {
  /** Something begins, and what was before is over. */
  readonly start: (title: string) => void
  /** Everything is over. */
  readonly end: () => void
}

/** Nothing is being done yet. */
export const slowProgress = ({ progress }: Pick<Console, "progress">): SlowProgress => {
  let timer: NodeJS.Timeout | undefined
  const end = () => clearInterval(timer)
  return {
    end,
    start: (title) => {
      end()
      let seconds = 0
      timer = setInterval(() => progress(`${title} … ${++seconds} s`), 1000)
    }
  }
}
