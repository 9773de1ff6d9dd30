/** The colour of the page, which the agent can change with the tool `setAccent`. */

const storageKey = "agentwire.accent"

const isColor = (color: string): boolean => CSS.supports("color", color)

const apply = (color: string): void => {
  document.documentElement.style.setProperty("--accent-chosen", color)
  document.documentElement.dataset["accent"] = color
}

/** Puts the colour back that this tab had. */
export const restoreAccent = (): void => {
  const color = sessionStorage.getItem(storageKey)
  if (color !== null && isColor(color)) apply(color)
}

/** Changes the colour, and says what became of it, for the agent to read. */
export const setAccent = (color: string): string => {
  if (!isColor(color)) return `The page did not change: ${JSON.stringify(color)} is no CSS colour.`
  sessionStorage.setItem(storageKey, color)
  apply(color)
  return `The page is now ${color}.`
}
