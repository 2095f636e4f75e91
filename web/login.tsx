import type { JSX } from "preact"
import { useState } from "preact/hooks"
import { type Account, logIn, Refused } from "./session.ts"

export function LoginView({ onLogin }: { onLogin: (account: Account) => void }): JSX.Element {
  const [token, setToken] = useState("")
  const [sending, setSending] = useState(false)
  const [error, setError] = useState<string | null>(null)
  async function submit(event: Event): Promise<void> {
    event.preventDefault()
    setSending(true)
    try {
      onLogin(await logIn(token.trim()))
    } catch (cause) {
      setError(cause instanceof Refused ? cause.message : "The page failed")
      setSending(false)
    }
  }
  return (
    <main class="login">
      <form class="card" onSubmit={submit}>
        <img src="/icon.svg" alt="" width="44" height="44" />
        <h1>Ballast</h1>
        <p class="note">
          Log in with one of the tokens of <code>ops.token</code> or <code>ops.tokens</code>. What
          you can do here is what the token's scopes allow.
        </p>
        <label for="token">Token</label>
        <input
          id="token"
          type="password"
          autocomplete="current-password"
          value={token}
          onInput={(event) => setToken(event.currentTarget.value)}
        />
        {error === null ? null : (
          <p class="notice bad" role="alert">
            {error}
          </p>
        )}
        <button type="submit" class="main" disabled={token === "" || sending}>
          Log in
        </button>
      </form>
    </main>
  )
}
