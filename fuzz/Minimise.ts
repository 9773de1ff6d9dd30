/** Makes an input that breaks the law small: what can be left out is left out, in halves, then in ever smaller parts. */

/** Whether an input still breaks the law in the same way. */
export type StillBreaks = (input: Uint8Array) => Promise<boolean>

/** The smallest input that was found within a number of tries. */
export const minimise = async (input: Uint8Array, stillBreaks: StillBreaks, maxTries: number): Promise<Uint8Array> => {
  let best = input
  let tries = 0
  for (let size = Math.ceil(best.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < best.length && tries < maxTries; ) {
      const shorter = Buffer.concat([best.subarray(0, from), best.subarray(from + size)])
      tries++
      if (await stillBreaks(new Uint8Array(shorter))) best = new Uint8Array(shorter)
      else from += size
    }
  }
  return best
}
