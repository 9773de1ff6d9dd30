/** Where the page begins. */
import "@copilotkit/react-core/v2/styles.css"
import "./page.css"
import { createRoot } from "react-dom/client"
import { restoreAccent } from "./Accent.ts"
import { ensureThread, takeToken } from "./Address.ts"
import { App } from "./App.tsx"
import { problemOf } from "./Problem.ts"
import { ProblemCard } from "./ProblemCard.tsx"
import { readSettings } from "./Server.ts"

/** CopilotKit's styles go by a class, the page's by the media query: both follow the system. */
const followColors = (): void => {
  const dark = matchMedia("(prefers-color-scheme: dark)")
  const apply = () => document.documentElement.classList.toggle("dark", dark.matches)
  dark.addEventListener("change", apply)
  apply()
}

const begin = async (): Promise<void> => {
  const place = document.getElementById("page")
  if (place === null) return
  const root = createRoot(place)
  followColors()
  restoreAccent()
  const token = takeToken()
  ensureThread()
  addEventListener("hashchange", ensureThread)
  try {
    root.render(<App settings={await readSettings()} token={token} />)
  } catch {
    root.render(
      <main className="gate">
        <ProblemCard problem={problemOf("SERVER_GONE")}>
          <button type="button" onClick={() => location.reload()}>
            Try again
          </button>
        </ProblemCard>
      </main>
    )
  }
}

void begin()
