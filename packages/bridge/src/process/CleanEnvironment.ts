/**
 * The environment of what a bridge starts: its own, without the variables that an agent sets for its children when it
 * started the bridge. With those the next agent would take itself for a part of that session.
 */

/** An environment without some variables, and with what is added to it. `own`: the bridge's, where nothing else is given. */
export const cleanEnvironment = (
  without: ReadonlySet<string>,
  added: Readonly<Record<string, string>> = {},
  own: Readonly<Record<string, string | undefined>> = process.env
): Readonly<Record<string, string>> => {
  const kept: Record<string, string> = {}
  for (const [name, value] of Object.entries(own)) if (value !== undefined && !without.has(name)) kept[name] = value
  return { ...kept, ...added }
}
