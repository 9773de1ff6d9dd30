/**
 * Prompts at a time, kept over restarts.
 *
 * `scheduler.add` takes `{"content": "…", "at": "2027-01-01T09:00:00Z", "everyMs"?: 86400000, "threadId"?: "…", "id"?: "…"}` and
 * answers with the job; `scheduler.list` and `scheduler.cancel` (`{"id"}`) do what they say. `scheduler.answered` is told
 * with each answer. A job whose time came while the bridge was down is done when it is back, once, however often it was
 * due; one whose session is busy is tried again.
 *
 * Its configuration: `{"retryMs"?: 30000}`.
 */
import { randomUUID } from "node:crypto"

/** Timers take no longer time. */
const maxTimerMs = 2 ** 31 - 1

/** What an id may be: it is the name of a file, too. */
const isId = (text) => /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}$/.test(text)

export default (config) => {
  const retryMs = config?.retryMs ?? 30_000
  const timers = new Map()
  let context

  const keyOf = (id) => `job-${id}`

  const arm = (job, waitMs = Date.parse(job.at) - Date.now()) => {
    clearTimeout(timers.get(job.id))
    const wait = Math.min(Math.max(waitMs, 0), maxTimerMs)
    const timer = setTimeout(() => (Date.parse(job.at) > Date.now() ? arm(job) : run(job, timer)), wait)
    timers.set(job.id, timer)
  }

  const run = async (job, timer) => {
    try {
      // The same id is the same prompt: what was given before a crash is not given again.
      await context.prompt({
        content: job.content,
        threadId: job.threadId,
        source: `scheduler/${job.id}`,
        id: `${job.id}-${Date.parse(job.at)}`
      })
      // It was cancelled meanwhile, or is another job now.
      if (timers.get(job.id) === timer) await settle(job)
    } catch (error) {
      context.log.warn("a job has to wait", { job: job.id, code: error.code })
      if (timers.get(job.id) === timer) arm(job, retryMs)
    }
  }

  /** It was done: it is forgotten, or due again. */
  const settle = async (job) => {
    timers.delete(job.id)
    if (job.everyMs === undefined) return context.store.delete(keyOf(job.id))
    const missed = Math.max(0, Math.floor((Date.now() - Date.parse(job.at)) / job.everyMs))
    const next = { ...job, at: new Date(Date.parse(job.at) + (missed + 1) * job.everyMs).toISOString() }
    await context.store.set(keyOf(job.id), next)
    arm(next)
  }

  const methods = {
    "scheduler.add": async ({ at, content, everyMs, id = randomUUID(), threadId = `scheduler-${id}` }) => {
      if (Number.isNaN(Date.parse(at))) throw new Error("`at` is a time, such as 2027-01-01T09:00:00Z.")
      if (typeof content !== "string" || content === "") throw new Error("`content` is what to prompt with.")
      if (!isId(id)) throw new Error("`id` has letters, digits, `.`, `_` and `-`.")
      if (everyMs !== undefined && !(everyMs >= 1000)) throw new Error("`everyMs` is at least a second.")
      const job = { id, at: new Date(at).toISOString(), content, threadId, ...(everyMs !== undefined && { everyMs }) }
      // Kept before anybody is told.
      await context.store.set(keyOf(id), job)
      arm(job)
      return job
    },
    "scheduler.list": async () => ({ jobs: (await context.store.list()).map(({ value }) => value) }),
    "scheduler.cancel": async ({ id }) => {
      clearTimeout(timers.get(id))
      const cancelled = timers.delete(id)
      if (cancelled) await context.store.delete(keyOf(id))
      return { cancelled }
    }
  }

  return {
    id: "scheduler",
    name: "Scheduler",
    methods: Object.keys(methods),
    events: ["scheduler.answered"],
    sourceRoutes: ["scheduler"],

    start: async (given) => {
      context = given
      for (const { value } of await context.store.list()) arm(value)
    },

    stop: () => {
      for (const timer of timers.values()) clearTimeout(timer)
      timers.clear()
    },

    handleMethod: (method, params) => methods[method](params),

    handleSourceResponse: (source, { id, outcome, text, threadId }) => {
      context.emit("scheduler.answered", { job: source.slice("scheduler/".length), id, threadId, outcome, text })
    },

    health: () => ({ ok: true, details: { jobs: timers.size } })
  }
}
