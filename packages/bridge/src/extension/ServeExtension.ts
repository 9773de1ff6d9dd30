/**
 * The extension's side of the line: hears what is asked, calls the extension, and says what it answers.
 *
 * The text of this function is what the thread of an extension runs, so it uses nothing but what is in it: that way there
 * is no file to be found beside a program that was bundled.
 */
import type { Extension, ExtensionContext, ExtensionEvent } from "./Extension.ts"
import type { ExtensionEnd, WantedName } from "./ExtensionPort.ts"

/** Serves the extension that `load` gives: itself, what makes it, or a module that has either as its default. */
export const serveExtension = (end: ExtensionEnd, load: () => unknown): void => {
  const handlers = new Map<number, (event: ExtensionEvent) => unknown>()
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>()
  let extension: Extension | undefined
  let config: unknown
  let lastId = 0
  let room = 0
  let maxCharacters = 0
  let maxWanted = 0
  let dropped = { events: 0, lines: 0 }

  const write = (value: unknown): string => {
    const json = JSON.stringify(value === undefined ? null : value)
    if (json === undefined) throw new Error("It is no JSON.")
    return json
  }
  const wordsOf = (error: unknown): string => {
    try {
      return String(error instanceof Error ? error.message : error).slice(0, 2000)
    } catch {
      return "It threw something that has no words."
    }
  }
  const want = (name: WantedName, value: unknown): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (waiting.size >= maxWanted)
        throw Object.assign(new Error("It asks for too much at once."), { code: "EXTENSION_BUSY" })
      const json = write(value)
      const id = ++lastId
      waiting.set(id, { resolve, reject })
      end.send({ tag: "ask", id, name, value: json })
    })
  const hasRoom = (what: "events" | "lines"): boolean => {
    if (room > 0) {
      room--
      return true
    }
    dropped[what]++
    return false
  }
  const log =
    (level: string) =>
    (message: string, facts: unknown = {}): void => {
      if (!hasRoom("lines")) return
      let value = "{}"
      try {
        value = write(facts)
      } catch (error) {
        value = write({ facts: wordsOf(error) })
      }
      end.send({
        tag: "log",
        level,
        message: String(message).slice(0, 2000),
        value: value.length > 10_000 ? "{}" : value
      })
    }
  const contextOf = (): ExtensionContext => ({
    config,
    log: { debug: log("debug"), info: log("info"), warn: log("warn"), error: log("error") },
    on: (pattern, handler) => {
      if (handlers.size >= 100) throw new Error("It has 100 handlers of events already.")
      const id = ++lastId
      handlers.set(id, handler)
      end.send({ tag: "on", id, pattern: String(pattern) })
      return () => {
        if (handlers.delete(id)) end.send({ tag: "off", id })
      }
    },
    emit: (type, payload) => {
      const value = write(payload)
      if (!hasRoom("events")) return false
      end.send({ tag: "emit", type: String(type), value })
      return true
    },
    prompt: (prompt) => want("prompt", prompt) as ReturnType<ExtensionContext["prompt"]>,
    interrupt: (threadId) => want("interrupt", { threadId }) as Promise<boolean>,
    store: {
      get: (key) => want("get", { key }),
      set: (key, value) => want("set", { key, value: value === undefined ? null : value }) as Promise<void>,
      delete: (key) => want("delete", { key }) as Promise<void>,
      list: () => want("list", {}) as ReturnType<ExtensionContext["store"]["list"]>
    }
  })
  const loaded = async (value: {
    config: unknown
    maxTold: number
    maxAnswerCharacters: number
    maxWanted: number
  }): Promise<unknown> => {
    config = value.config
    room = value.maxTold
    maxCharacters = value.maxAnswerCharacters
    maxWanted = value.maxWanted
    let given = (await load()) as { default?: unknown }
    if (given !== null && typeof given === "object" && "default" in given) given = given.default as typeof given
    const made: unknown = typeof given === "function" ? await (given as (config: unknown) => unknown)(config) : given
    if (made === null || typeof made !== "object")
      throw new Error("Its default export is neither an extension nor a function that makes one.")
    extension = made as Extension
    const { events = [], id, methods = [], name, pages, sourceRoutes = [] } = extension
    return {
      id,
      name,
      methods,
      events,
      sourceRoutes,
      ...(pages !== undefined && { pages: String(pages) }),
      handlesPages: typeof extension.handlePage === "function",
      handlesSources: typeof extension.handleSourceResponse === "function"
    }
  }
  const answer = async (name: string, json: string): Promise<unknown> => {
    const value = JSON.parse(json)
    if (name === "alive") return null
    if (name === "load") return loaded(value)
    if (extension === undefined) throw new Error("It is not loaded.")
    switch (name) {
      case "start":
        await extension.start?.(contextOf())
        return null
      case "stop":
        await extension.stop?.()
        return null
      case "method":
        return extension.handleMethod?.(value.method, value.params)
      case "source":
        await extension.handleSourceResponse?.(value.source, value)
        return null
      case "page":
        return extension.handlePage?.(value)
      case "health":
        return (await extension.health?.()) ?? { ok: true }
      default:
        await Promise.all(
          (value.handlers as ReadonlyArray<number>).map(async (id) => handlers.get(id)?.(structuredClone(value.event)))
        )
        return null
    }
  }
  end.listen((message) => {
    if (message.tag === "room") {
      room += message.count
      const { events, lines } = dropped
      if (events + lines === 0) return
      dropped = { events: 0, lines: 0 }
      return end.send({ tag: "dropped", events, lines })
    }
    if (message.tag === "answer") {
      const asker = waiting.get(message.id)
      waiting.delete(message.id)
      if (message.ok) return asker?.resolve(JSON.parse(message.value))
      return asker?.reject(Object.assign(new Error(message.value), { code: message.code }))
    }
    const { id } = message
    answer(message.name, message.value)
      .then((value) => {
        const json = write(value)
        if (json.length > maxCharacters) throw new Error(`Its answer has ${json.length} characters: too many.`)
        end.send({ tag: "answer", id, ok: true, value: json })
      })
      .catch((error: unknown) => end.send({ tag: "answer", id, ok: false, value: wordsOf(error) }))
  })
}
