import type { JSX } from "preact"
import { useEffect, useState } from "preact/hooks"
import type { Overview } from "../answers.ts"
import { nameChain } from "../format.ts"
import { PauseAll } from "../overview/pause.tsx"
import { type Account, logOut } from "../session.ts"
import { Icon, type IconName } from "./icons.tsx"

export type Entry = { readonly id: string; readonly name: string; readonly icon: IconName }

/** The menu; on a phone a dock at the bottom, and the settings in the bar at the top. */
export function Sidebar(props: {
  entries: readonly Entry[]
  shown: string
  overview: Overview | null
  treasury: string | null
}): JSX.Element {
  const { overview } = props
  const counts: Record<string, number | undefined> = {
    "": overview?.tasks.length,
    orders: overview?.orders.length,
  }
  return (
    <nav class="side" aria-label="Views">
      <div class="rail">
        <a class="brand" href="#/">
          <img src="/icon.svg" alt="" width="26" height="26" />
          <span>
            Ballast<small>{props.treasury ?? ""}</small>
          </span>
        </a>
        <ul>
          {props.entries.map(({ id, name, icon }) => (
            <li key={id}>
              <a href={`#/${id}`} aria-current={id === props.shown ? "page" : undefined}>
                <Icon name={icon} />
                {name}
                {counts[id] ? (
                  <span class={id === "" ? "count tasks" : "count"}>{counts[id]}</span>
                ) : null}
              </a>
            </li>
          ))}
        </ul>
        {overview === null ? null : <Pulse overview={overview} />}
      </div>
    </nav>
  )
}

/** Service and nodes at the foot of the menu, on each view. */
function Pulse({ overview: { services, nodes } }: { overview: Overview }): JSX.Element {
  const ill = nodes.filter(({ state }) => state !== "good")
  return (
    <dl class="pulse">
      {services.map(({ name, state }) => (
        <div key={name}>
          <dt>Service {name}</dt>
          <dd>{state === "good" ? "✓ good" : `▲ ${state}`}</dd>
        </div>
      ))}
      <div title={ill.map(({ chain, state }) => `${nameChain(chain)} ${state}`).join(", ")}>
        <dt>Chains</dt>
        <dd>
          {ill.length === 0 ? "✓" : "▲"} {nodes.length - ill.length} of {nodes.length} good
        </dd>
      </div>
    </dl>
  )
}

/** What every view has at its top: find or do, the mode, and the pause. */
export function Topbar(props: {
  account: Account
  overview: Overview | null
  onFind: () => void
  onLeave: () => void
}): JSX.Element {
  const { account, overview } = props
  const leave = (): void => void logOut().then(props.onLeave)
  return (
    <header class="top">
      <p class="state">
        {overview === null ? null : (
          <>
            <span class={`dot ${overview.level}`} />
            {overview.pause === null ? `${overview.mode ?? "unknown"} mode` : "paused"}
          </>
        )}
      </p>
      <button
        type="button"
        class="find"
        onClick={props.onFind}
        aria-label="Find or do"
        aria-keyshortcuts="/ Control+K"
      >
        <Icon name="find" />
        <span>Find or do…</span>
        <kbd>/</kbd>
      </button>
      <a class="button" href="#/swap">
        New swap
      </a>
      {overview === null ? null : <PauseAll overview={overview} scopes={account.scopes} />}
      <a class="button gear" href="#/settings" aria-label="Settings">
        <Icon name="settings" />
      </a>
      <ThemeButton />
      {account.csrf === null ? null : (
        <button
          type="button"
          onClick={leave}
          title={`Logged in with the token ${account.name}: ${account.scopes.join(", ")}`}
        >
          Log out
        </button>
      )}
    </header>
  )
}

function ThemeButton(): JSX.Element {
  const [theme, setTheme] = useState(localStorage.getItem("ballast.theme") ?? "system")
  useEffect(() => {
    if (theme === "system") delete document.documentElement.dataset["theme"]
    else document.documentElement.dataset["theme"] = theme
    localStorage.setItem("ballast.theme", theme)
  }, [theme])
  const word = { light: "Light", dark: "Dark" }[theme] ?? "Auto"
  const next = { system: "light", light: "dark", dark: "system" }[theme] ?? "system"
  return (
    <button
      type="button"
      class="theme"
      onClick={() => setTheme(next)}
      aria-label={`${word} colours. Change to ${next}`}
    >
      {word}
    </button>
  )
}
