/**
 * Where a page of a list ends, for those who ask for the page before it: a text that means nothing to them. It
 * belongs to its thread, and to none that is made anew under the same name.
 */

/** The cursor of a place, which is said by some numbers. `createdAt`: when the thread was made. */
export const pageCursor = (createdAt: number, ...place: ReadonlyArray<number>): string =>
  `${place.join(".")}-${createdAt.toString(36)}`

/** The place of a cursor; undefined when it is none of this thread, or of a list of another kind. */
export const placeOf = (createdAt: number, cursor: string, numbers: number): ReadonlyArray<number> | undefined => {
  const [place = "", epoch, ...more] = cursor.split("-")
  if (epoch !== createdAt.toString(36) || more.length > 0) return undefined
  const parts = place.split(".")
  return parts.length === numbers && parts.every((part) => /^\d{1,15}$/.test(part)) ? parts.map(Number) : undefined
}
