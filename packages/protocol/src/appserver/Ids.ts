/**
 * Ids of turns, and of the threads of sub-agents, where the model has none.
 *
 * Codex's own are UUIDs, and some of its clients read them as such. Ours are made of what they name, so that a replay,
 * the stored history and every client have the same ones.
 */

/** The id of a turn of a thread: the first is number 1, whichever branch it is on. */
export const turnIdOf = (thread: string, number: number): string => stableUuid(thread, "turn", String(number))

/** The thread of a sub-agent, by the thread of the conversation and the call that started it. */
export const laneThreadId = (thread: string, lane: string): string => stableUuid(thread, "lane", lane)

/** A UUID of version 8 (RFC 9562: made by whoever made it) that is the same for the same texts. */
export const stableUuid = (...texts: ReadonlyArray<string>): string => {
  const hex = hash(JSON.stringify(texts))
    .map((word) => word.toString(16).padStart(8, "0"))
    .join("")
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 3) | 8).toString(16)
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, variant + hex.slice(17, 20), hex.slice(20)]
  return parts.join("-")
}

/** Where the four words of a hash begin, and by what they are multiplied: numbers without a meaning. */
const seeds = [
  [1_779_033_703, 597_399_067],
  [3_144_134_277, 2_869_860_233],
  [1_013_904_242, 951_274_213],
  [2_773_480_762, 2_716_044_179]
] as const

/** 128 bits of a text: enough to tell ids apart, and no secret. */
const hash = (text: string): ReadonlyArray<number> => {
  const words: Array<number> = seeds.map(([seed]) => seed)
  for (let index = 0; index < text.length; index++)
    for (const [at, [, by]] of seeds.entries())
      words[at] = Math.imul((words[at] ?? 0) ^ text.charCodeAt(index) ^ ((words[(at + 1) % 4] ?? 0) >>> 15), by)
  const mixed = words.reduce((one, other) => one ^ other, 0)
  return words.map((word, at) => {
    const stirred = Math.imul(word ^ (mixed >>> (at + 7)), 2_246_822_507)
    return (stirred ^ (stirred >>> 13)) >>> 0
  })
}
