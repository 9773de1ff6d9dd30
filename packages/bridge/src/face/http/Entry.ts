/** Which connections have shown that they may enter: when there are too many, those that have not go first. */
import type { Duplex } from "node:stream"

const entered = new WeakSet<Duplex>()

/** Notes that a request on a connection was let in. */
export const noteEntry = (socket: Duplex): void => void entered.add(socket)

/** Whether a request on a connection was ever let in. */
export const hasEntered = (socket: Duplex): boolean => entered.has(socket)
