/**
 * Prompts by HTTP, whose answers are posted back.
 *
 * `POST /ext/webhook/NAME` with `{"text": "…"}` prompts the session of the hook NAME, and is answered with 202 and the
 * `id` of the prompt. The agent's answer is posted to the `url` of the hook, again and again until that says yes (the bridge
 * repeats what this throws at, also after a restart): `{"id", "outcome", "text", "code"?, "message"?}`, with the id as
 * `Idempotency-Key`. A request with an `Idempotency-Key` of its own prompts once, however often it comes: the last 1,000
 * keys are kept, also over a restart.
 *
 * Its configuration: `{"hooks": {"NAME": {"url": "https://…", "token"?: "…", "threadId"?: "…"}}}`. Where the answers go is
 * the owner's choice alone.
 */

/** How many keys are kept. */
const maxKnown = 1000

const refused = (status, message) => ({ status, json: { error: { message } } })

/** What an id may be: it is the name of a file, too. */
const isId = (text) => /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}$/.test(text)

export default (config) => {
  const hooks = new Map(Object.entries(config?.hooks ?? {}))
  for (const [name, { url }] of hooks)
    if (!/^https?:\/\//.test(url ?? "")) throw new Error(`The hook ${name} needs a url, to post the answers to.`)
  let context
  /** The ids of prompts that came with a key, the oldest first. */
  let known = []

  /** What came with a key is not said again when its answer was taken long ago. */
  const remember = async (id) => {
    known = [...known, id].slice(-maxKnown)
    await context.store.set("keys", known)
  }

  return {
    id: "webhook",
    name: "Webhook",
    sourceRoutes: ["webhook"],

    start: async (given) => {
      context = given
      known = (await context.store.get("keys")) ?? []
    },

    handlePage: async ({ body, headers, method, path }) => {
      const name = decodeURIComponent(path.slice(1))
      const hook = hooks.get(name)
      if (hook === undefined) return refused(404, "There is no hook of this name.")
      if (method !== "POST") return refused(405, "Post to it.")
      if (typeof body?.text !== "string" || body.text === "") return refused(400, 'Send {"text": "…"}.')
      const key = headers["idempotency-key"]
      if (key !== undefined && !isId(key)) return refused(400, "The Idempotency-Key is no id.")
      const threadId = hook.threadId ?? `webhook-${name}`
      const id = key === undefined ? undefined : `${name}-${key}`
      if (known.includes(id)) return { status: 202, json: { id, threadId } }
      try {
        const accepted = await context.prompt({
          content: body.text,
          source: `webhook/${name}`,
          threadId,
          ...(id !== undefined && { id })
        })
        if (id !== undefined && !known.includes(id)) await remember(id)
        return { status: 202, json: accepted }
      } catch (error) {
        context.log.warn("a prompt was refused", { hook: name, code: error.code })
        return refused(503, error.message)
      }
    },

    handleSourceResponse: async (source, { code, id, message, outcome, text }) => {
      const { token, url } = hooks.get(source.slice("webhook/".length)) ?? {}
      // The hook is gone from the configuration: nobody wants the answer any more.
      if (url === undefined) return
      const answer = await fetch(url, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          "idempotency-key": id,
          ...(token !== undefined && { authorization: `Bearer ${token}` })
        },
        body: JSON.stringify({ id, outcome, text, code, message }),
        redirect: "error",
        signal: AbortSignal.timeout(10_000)
      })
      if (!answer.ok) throw new Error(`The receiver answered with ${answer.status}.`)
    },

    health: () => ({ ok: true, details: { hooks: [...hooks.keys()] } })
  }
}
