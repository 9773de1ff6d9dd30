/**
 * An extension that a program brings along: it runs in the thread of the bridge. What it does too long at a time, everybody
 * waits for; whoever cannot trust it with that gives it a module, which has a thread of its own (`InWorker.ts`).
 */
import type { ExtensionExport } from "./Extension.ts"
import type { FromExtension, OpenExtension, ToExtension } from "./ExtensionPort.ts"
import { serveExtension } from "./ServeExtension.ts"

/** Begins an extension in this thread. */
export const inProcess =
  (extension: ExtensionExport): OpenExtension =>
  ({ hear }) => {
    let isOver = false
    let listener: (message: ToExtension) => void = () => undefined
    serveExtension(
      {
        send: (message: FromExtension) => void setImmediate(() => isOver || hear(message)),
        listen: (hears) => {
          listener = hears
        }
      },
      () => extension
    )
    return {
      send: (message) => void setImmediate(() => isOver || listener(message)),
      end: async () => {
        isOver = true
      },
      canEnd: false
    }
  }
