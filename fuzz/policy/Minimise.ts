/** The shortest text that still shows a finding, by taking out pieces of half, a quarter, … down to one character. */

/** Makes a text shorter while it fails. */
export const minimised = async (text: string, fails: (text: string) => Promise<boolean>): Promise<string> => {
  let shortest = text
  for (let size = Math.ceil(text.length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let at = 0; at < shortest.length; ) {
      const shorter = shortest.slice(0, at) + shortest.slice(at + size)
      if (await fails(shorter)) shortest = shorter
      else at += size
    }
  }
  return shortest
}
