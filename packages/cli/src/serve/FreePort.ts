/** The port when none was chosen: the usual one, or one of the next when it is taken. */
import { createServer } from "node:net"

/** Where to listen. */
export interface Place {
  readonly host: string
  readonly port: number
}

/** How many ports are tried. */
const attempts = 50

/**
 * The first port from this one on that can be listened on; the port itself when none can, so that whoever listens
 * there says what is wrong. Somebody else may take the port before it is used, which is then said as well.
 */
export const freePort = async ({ host, port }: Place): Promise<number> => {
  for (let each = port; each < port + attempts && each <= 65_535; each++) if (!(await isTaken(host, each))) return each
  return port
}

/** A host that cannot be listened on at all is wrong with every port: there is no use in trying them. */
const isTaken = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once("error", (error) => resolve("code" in error && error.code === "EADDRINUSE"))
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(false)))
  })
