/** Asks for the token, and says where to find it. */
import { useId, useState } from "react"

/** What the form is given. */
export interface TokenFormProps {
  /** Whether a token was refused. */
  readonly wasRefused: boolean
  readonly enter: (token: string) => void
}

/** The form. */
export const TokenForm = ({ enter, wasRefused }: TokenFormProps) => {
  const [token, setToken] = useState("")
  const field = useId()
  return (
    <main className="gate">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (token.trim() !== "") enter(token.trim())
        }}
      >
        <h1>agentwire</h1>
        {wasRefused && (
          <p className="wrong" role="alert">
            The token was refused. Every start of the server has a token of its own, unless you choose one.
          </p>
        )}
        <p>
          This page needs the server's token. Open the URL that <code>agentwire serve --page</code> printed in its
          terminal, or copy the token from there.
        </p>
        <label htmlFor={field}>Token</label>
        <input
          id={field}
          type="password"
          autoComplete="off"
          value={token}
          onChange={(event) => setToken(event.target.value)}
        />
        <div className="actions">
          <button type="submit" className="primary" disabled={token.trim() === ""}>
            Enter
          </button>
        </div>
      </form>
    </main>
  )
}
