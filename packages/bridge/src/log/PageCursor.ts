/**
 * Where a page of a history ends, for those who ask for the page before it: a text that means nothing to them. It
 * belongs to its thread, and to none that is made anew under the same name.
 */

/** The cursor of a position. `createdAt`: when the thread was made. */
export const pageCursor = (createdAt: number, position: number): string => `${position}-${createdAt.toString(36)}`

/** The position of a cursor; undefined when it is none of this thread. */
export const positionOf = (createdAt: number, cursor: string): number | undefined => {
  const [position = "", epoch, ...more] = cursor.split("-")
  return /^\d{1,15}$/.test(position) && epoch === createdAt.toString(36) && more.length === 0
    ? Number(position)
    : undefined
}
