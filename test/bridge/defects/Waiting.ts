/** Waits that end: for a promise, and for something that has to become true. */

/** How long anything may take here. A machine with much to do needs seconds to start a CLI. */
const limit = 30_000

/** A promise, or an error that says what did not happen in time. */
export const within = async <A>(what: string, promise: Promise<A>): Promise<A> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Not within ${limit / 1000} s: ${what}.`)), limit)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Asks again and again until something holds. */
export const until = async (what: string, holds: () => Promise<boolean>): Promise<void> => {
  const end = Date.now() + limit
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`Not within ${limit / 1000} s: ${what}.`)
    await pause(20)
  }
}

/** So many milliseconds: between two looks, and where a person takes their time. */
export const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds)
  })
