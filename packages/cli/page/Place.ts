/**
 * Where something is in a stream of the server: the number of an entry, and which part of it, for an entry may become
 * several events. The ids of the stream say both, `12.0-epoch` and, for the last part, `12-epoch`.
 */

/** A place in a stream. */
export interface Place {
  readonly seq: number
  /** The last part of an entry comes after all others. */
  readonly part: number
}

/** The place that an id names. */
export const placeOf = (id: string): Place => {
  const [, seq = "-1", part] = /^(-?\d+)(?:\.(\d+))?/.exec(id) ?? []
  return { seq: Number(seq), part: part === undefined ? Number.POSITIVE_INFINITY : Number(part) }
}

/** What tells a place from all others of a stream. */
export const keyOf = ({ part, seq }: Place): string => `${seq}.${part}`

/** Whether a place comes after another; all come after none. */
export const isAfter = ({ part, seq }: Place, other: Place | undefined): boolean =>
  other === undefined || seq > other.seq || (seq === other.seq && part > other.part)

/** The opening of the session that an id is from. */
export const epochOf = (id: string): string => id.split("-").at(-1) ?? ""
