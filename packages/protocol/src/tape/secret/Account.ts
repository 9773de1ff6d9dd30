/**
 * The ids of accounts: they open nothing, but say who it was. Codex writes them in its logins and accounts
 * (`chatgptAccountId`), in `auth.json` (`account_id`), and services repeat them in the words of their errors (`in
 * organization org-…`).
 */
import { type Form, ofKind } from "./Form.ts"
import { matchAt, notYet, type Rule, type Sighting } from "./Rule.ts"

const kind = "account"
const because = "is the id of an account"

/** The ends of the names that such an id has, as they are without `_` and `-`. */
const nameEnds = /(?:account(?:user)?(?:id|uuid)|chatgptuserid|organi[sz]ation(?:id|uuid)|^org(?:id|uuid))$/

/** Ids, and nothing that is a type, a word or a variable: as UUIDs, as numbers, as what begins with what it is of. */
const id =
  "(?:[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}|\\d{9,20}|(?:user|org|acct|acc|account|ws)[-_](?=[A-Za-z_-]{0,40}\\d)[\\w-]{6,100}|(?=[A-Za-z]{0,40}\\d)[A-Za-z0-9]{16,100})(?![\\w-])"

const wholeId = new RegExp(`^${id}$`)

/** The whole of a value that stands under the name of such an id. */
export const accountUnder = (name: string, value: string): ReadonlyArray<Sighting> =>
  name.length <= 64 &&
  value.length <= 128 &&
  nameEnds.test(name.replaceAll(/[_-]/g, "").toLowerCase()) &&
  wholeId.test(value)
    ? [{ start: 0, end: value.length, kind, because }]
    : []

/** From the end of a name to its value: `": "`, `=`, and what of it is escaped. */
const lead = /\\{0,3}["']?[ \t]{0,4}[:=][ \t]{0,4}\\{0,3}["']?/y
const here = new RegExp(id, "y")

/** The longest way from the beginning of a name to what shows that a value is over. */
const far = 200

/** Ids of users and organisations of OpenAI: 24 characters of every sort. */
const openAi: ReadonlyArray<Form> = [
  {
    rule: "an OpenAI account",
    words: ["org-", "user-"],
    isApart: true,
    rest: "(?=[A-Za-z]{0,23}\\d)(?=[a-z0-9]{0,23}[A-Z])(?=[A-Z0-9]{0,23}[a-z])[A-Za-z0-9]{24}(?![\\w-])"
  }
]

/** How ids of accounts are found in texts. */
export const accountRules: ReadonlyArray<Rule> = [
  ...ofKind(kind, openAi),
  {
    rule: "account id",
    kind,
    because,
    words: [
      ...["account", "organization", "organisation"].flatMap((of) =>
        ["_id", "id", "-id", "_uuid", "uuid"].map((end) => `${of}${end}`)
      ),
      ...["account_user_id", "accountuserid", "chatgpt_user_id", "chatgptuserid", "org_id", "org_uuid"]
    ],
    ignoreCase: true,
    isWide: true,
    look: (text, at, word) => {
      const name = matchAt(lead, text, at + word.length)
      const start = at + word.length + (name?.[0].length ?? 0)
      const value = name === null ? null : matchAt(here, text, start)
      if (value === null) return notYet(at + far)
      const end = start + value[0].length
      return { seen: end + 1, secrets: [{ start, end }] }
    }
  }
]
