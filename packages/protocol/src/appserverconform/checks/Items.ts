/** The life of items: started once, told in deltas, completed once, as what the deltas said. */
import { fieldsIn, listIn, textIn } from "../../wire/Fields.ts"
import type { Connection, Item, Turn } from "../Connection.ts"
import { checkPatch } from "./Questions.ts"

type Fields = Readonly<Record<string, unknown>>

/** Whose item something is; undefined where that is not said. */
const placeOf = (params: Fields, item: unknown) => {
  const [thread, turn, id] = [textIn(params["threadId"]), textIn(params["turnId"]), textIn(item)]
  return thread === undefined || turn === undefined || id === undefined ? undefined : { thread, turn, id }
}

/** The turn of an item, of which nothing is said any more when it is over. */
const turnOf = (thread: string, id: string, what: string, connection: Connection): Turn => {
  const turn = connection.turn(thread, id)
  if (!turn.isOpen) connection.report("APP-TURN-006", `${what} comes after the turn '${id}' was completed.`)
  return turn
}

/** Judges the beginning of an item. */
export const itemStarted = (params: Fields, connection: Connection): void => {
  const item = fieldsIn(params["item"])
  const place = placeOf(params, item["id"])
  if (place === undefined) return
  const { items } = turnOf(place.thread, place.turn, "item/started", connection)
  if (items.has(place.id)) connection.report("APP-ITEM-001", `The item '${place.id}' is started again.`)
  items.set(place.id, { type: textIn(item["type"]) ?? "", isOpen: true, said: new Map() })
  checkPatch(item, connection)
}

/** Judges the end of an item. */
export const itemCompleted = (params: Fields, connection: Connection): void => {
  const item = fieldsIn(params["item"])
  const place = placeOf(params, item["id"])
  if (place === undefined) return
  const turn = turnOf(place.thread, place.turn, "item/completed", connection)
  const known = turn.items.get(place.id)
  const type = textIn(item["type"]) ?? ""
  if (known === undefined ? turn.isWhole : known.type !== type)
    connection.report(
      "APP-ITEM-002",
      `The ${type} '${place.id}' is completed, but was started as ${known?.type ?? "nothing"}.`
    )
  if (known?.isOpen === false) connection.report("APP-ITEM-003", `The item '${place.id}' is completed again.`)
  if (item["status"] === "inProgress")
    connection.report("APP-ITEM-007", `The ${type} '${place.id}' is completed while it is in progress.`)
  if (known !== undefined && turn.isWhole) checkSaid(place.id, known, item, connection)
  turn.items.set(place.id, { type, said: new Map(), ...known, isOpen: false })
}

/** The deltas whose texts make up an item: the key of the part's number, and where the whole of it is. */
const spoken: Readonly<Record<string, { readonly part?: string; readonly whole: string }>> = {
  "item/agentMessage/delta": { whole: "text" },
  "item/plan/delta": { whole: "text" },
  "item/reasoning/summaryTextDelta": { part: "summaryIndex", whole: "summary" },
  "item/reasoning/textDelta": { part: "contentIndex", whole: "content" }
}

/** Judges a delta. */
export const itemGrew = (method: string, params: Fields, connection: Connection): void => {
  const place = placeOf(params, params["itemId"])
  if (place === undefined) return
  const turn = turnOf(place.thread, place.turn, method, connection)
  const item = turn.items.get(place.id)
  if (turn.isWhole && item?.isOpen !== true)
    connection.report("APP-ITEM-004", `${method} is of the item '${place.id}', which is not open.`)
  const how = spoken[method]
  if (item === undefined || how === undefined) return
  const part = how.part === undefined ? how.whole : `${how.whole}.${String(params[how.part])}`
  item.said.set(part, (item.said.get(part) ?? "") + (textIn(params["delta"]) ?? ""))
}

/** Judges what an item came to, by what its deltas said of it. Where nothing was said in deltas, nothing is owed. */
const checkSaid = (id: string, { said }: Item, item: Fields, connection: Connection): void => {
  for (const [part, text] of said) {
    const [key = "", number] = part.split(".")
    const whole = number === undefined ? item[key] : listIn(item[key])[Number(number)]
    if (whole !== text)
      connection.report(
        "APP-ITEM-006",
        `The deltas of ${part} of '${id}' are ${text.length} characters that it does not end as.`
      )
  }
}

/** Judges the items that are left when a turn is completed. */
export const checkLeftOpen = (id: string, { items }: Turn, connection: Connection): void => {
  for (const [name, { isOpen, type }] of items)
    if (isOpen) connection.report("APP-ITEM-005", `The ${type} '${name}' of the turn '${id}' is left open.`)
}
