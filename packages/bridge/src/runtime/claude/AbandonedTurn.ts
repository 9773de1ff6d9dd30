/**
 * The last thing that is said to a CLI whose connection is over: stop what you are doing.
 *
 * 2.1.37 writes a conversation down when the first answer ends, and one that was never written down cannot be resumed.
 * An interrupt ends the answer, and the `result` that follows says that it is over.
 */
import { decodeLine, encodeLine } from "@agentwire/protocol/claude"
import type { RawData, WebSocket } from "ws"

const interrupt = encodeLine({
  type: "control_request",
  request_id: "agentwire-last",
  request: { subtype: "interrupt" }
})

/** Interrupts what the CLI is doing, and calls `done` when that is over, or after a limit: it may be idle. */
export const abandonTurn = (socket: WebSocket, limitMs: number, done: () => void): void => {
  const finish = () => {
    clearTimeout(timer)
    socket.off("message", hear).off("close", finish).terminate()
    done()
  }
  const hear = (data: RawData) => {
    const decoded = decodeLine(String(data))
    if (decoded._tag === "Known" && decoded.message.type === "result") finish()
  }
  const timer = setTimeout(finish, limitMs)
  socket.on("message", hear).once("close", finish)
  socket.send(interrupt)
  socket.resume()
}
