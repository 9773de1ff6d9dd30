/** Ids with wildcards, as options and files name them: `AGUI-RUN-*`. */

/** Whether an id is meant. `*` stands for any characters, `?` for one; letters may be of either case. */
export type Pattern = (id: string) => boolean

/** What a text with wildcards means. */
export const patternOf = (text: string): Pattern => {
  const source = text
    .replace(/[.+^${}()|[\]\\]/g, "\\$&")
    .replace(/\*/g, ".*")
    .replace(/\?/g, ".")
  const expression = new RegExp(`^${source}$`, "is")
  return (id) => expression.test(id)
}
