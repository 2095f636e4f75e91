import type { JSX } from "preact"
import { useEffect, useRef, useState } from "preact/hooks"
import { AlarmsView } from "./alarms.tsx"
import type { Overview, Settings } from "./answers.ts"
import { BooksView } from "./books.tsx"
import { DecisionsView } from "./decisions.tsx"
import type { Desk } from "./desk.ts"
import { clockTime, relative } from "./format.ts"
import { describeKnown } from "./known.ts"
import { LimitsView } from "./limits.tsx"
import { connection, followEvents, forgetAll, useLive, useNow, usePlace } from "./live.ts"
import { LoginView } from "./login.tsx"
import { OrderPage } from "./order.tsx"
import { OrdersView } from "./orders.tsx"
import { OverviewView } from "./overview.tsx"
import { Speech } from "./parts.tsx"
import { PlanView } from "./plan.tsx"
import { RulesView } from "./rules.tsx"
import { type Account, findAccount, logOut } from "./session.ts"
import { SettingsPage } from "./settings.tsx"
import { SwapView } from "./swap.tsx"
import { Tabs } from "./tabs.tsx"
import { TreasuryView } from "./treasury.tsx"

/** `of`: the entry of the menu that has the view as a part. */
const VIEWS: readonly {
  readonly id: string
  readonly name: string
  readonly of?: string
  readonly show: (desk: Desk) => JSX.Element
}[] = [
  { id: "", name: "Overview", show: OverviewView },
  { id: "orders", name: "Orders", show: OrdersView },
  { id: "treasury", name: "Treasury", show: TreasuryView },
  { id: "books", name: "Books", of: "treasury", show: BooksView },
  { id: "rules", name: "Rules", show: RulesView },
  { id: "plan", name: "Plan", of: "rules", show: PlanView },
  { id: "decisions", name: "Decisions", of: "rules", show: DecisionsView },
  { id: "limits", name: "Limits", of: "rules", show: LimitsView },
  { id: "alarms", name: "Alarms", show: AlarmsView },
  { id: "settings", name: "Settings", show: SettingsPage },
]

/** Asks for a token until there is a session, then shows the desk. */
export function App(): JSX.Element {
  const [account, setAccount] = useState<Account | null | "asking">("asking")
  const [tries, setTries] = useState(0)
  useEffect(() => {
    findAccount().then(setAccount, () => setTimeout(() => setTries((count) => count + 1), 2_000))
  }, [tries])
  if (account === "asking")
    return (
      <main class="login">
        <p class="quiet">
          {tries === 0
            ? "Reading…"
            : "The daemon does not answer. The page tries again every two seconds."}
        </p>
      </main>
    )
  if (account === null) return <LoginView onLogin={setAccount} />
  const leave = (): void => {
    forgetAll()
    connection.loggedOut = false
    setAccount(null)
  }
  return <DeskFrame account={account} onLeave={leave} />
}

function DeskFrame({ account, onLeave }: { account: Account; onLeave: () => void }): JSX.Element {
  const overview = useLive<Overview>("overview", 3_000)
  const settings = useLive<Settings>("settings", 60_000)
  const [view = "", detail = null] = usePlace()
  const arrived = useRef(false)
  useEffect(() => {
    const end = new AbortController()
    void followEvents(end.signal)
    document.addEventListener("copy", copyExact, { signal: end.signal })
    return () => end.abort()
  }, [])
  const isOver = connection.loggedOut
  useEffect(() => {
    if (isOver) onLeave()
  }, [isOver])
  const shown = VIEWS.find(({ id }) => id === view)
  const name = view === "swap" ? "New swap" : (shown?.name ?? "Not found")
  useEffect(() => {
    document.title = `${name} · Ballast`
    // The first view leaves the focus at the top, so that the skip link comes first.
    if (arrived.current) document.querySelector<HTMLElement>("h1")?.focus({ preventScroll: true })
    arrived.current = true
    scrollTo(0, 0)
  }, [view, detail])
  const desk = { overview, known: describeKnown(settings.value), scopes: account.scopes, detail }
  return (
    <Speech.Provider value={desk.known.speak}>
      <div class="frame">
        <button type="button" class="skip" onClick={skipToContent}>
          Skip to the content
        </button>
        <Sidebar
          view={view}
          overview={overview.value}
          treasury={settings.value?.treasury ?? null}
        />
        <div class="body">
          <Topbar account={account} overview={overview.value} onLeave={onLeave} />
          <Stale overview={overview.value} />
          <main id="content" tabIndex={-1}>
            <Place key={`${view}/${detail}`} view={view} detail={detail} desk={desk} />
          </main>
        </div>
      </div>
    </Speech.Provider>
  )
}

function Place({
  view,
  detail,
  desk,
}: {
  view: string
  detail: string | null
  desk: Desk
}): JSX.Element {
  if (view === "orders" && detail !== null) return <OrderPage {...desk} detail={detail} />
  if (view === "swap") return <SwapView {...desk} />
  const found = VIEWS.find(({ id }) => id === view)
  if (found === undefined) return <h1 tabIndex={-1}>There is no such view</h1>
  const entry = found.of ?? found.id
  const parts = VIEWS.filter(({ id, of }) => id === entry || of === entry)
  return (
    <>
      {parts.length < 2 ? null : <Tabs parts={parts} shown={view} label="Parts of this view" />}
      <found.show {...desk} />
    </>
  )
}

/** A copy of one amount takes all of its digits. */
function copyExact(event: ClipboardEvent): void {
  const selection = getSelection()
  const [start, end] = [selection?.anchorNode, selection?.focusNode].map(
    (node) => node?.parentElement?.closest<HTMLElement>("[data-exact]") ?? null,
  )
  if (start == null || start !== end) return
  event.clipboardData?.setData("text/plain", start.dataset["exact"] ?? "")
  event.preventDefault()
}

function skipToContent(): void {
  document.querySelector<HTMLElement>("#content")?.focus()
}

function Sidebar(props: {
  view: string
  overview: Overview | null
  treasury: string | null
}): JSX.Element {
  const [open, setOpen] = useState(false)
  useEffect(() => setOpen(false), [props.view])
  const entry = VIEWS.find(({ id }) => id === props.view)?.of ?? props.view
  const counts: Record<string, number | undefined> = {
    orders: props.overview?.orders.length,
    alarms: props.overview?.alarms.length,
  }
  return (
    <nav class={open ? "side open" : "side"} aria-label="Views">
      <div class="rail">
        <a class="brand" href="#/">
          <img src="/icon.svg" alt="" width="26" height="26" />
          <span>
            Ballast<small>{props.treasury ?? ""}</small>
          </span>
        </a>
        <ul>
          {VIEWS.filter((one) => one.of === undefined).map(({ id, name }) => (
            <li key={id}>
              <a href={`#/${id}`} aria-current={id === entry ? "page" : undefined}>
                {name}
                {counts[id] ? <span class={`count ${id}`}>{counts[id]}</span> : null}
              </a>
            </li>
          ))}
        </ul>
        <button type="button" class="more" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? "Less" : "More"}
        </button>
      </div>
    </nav>
  )
}

function Topbar(props: {
  account: Account
  overview: Overview | null
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
      <a class="button main" href="#/swap">
        New swap
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
      onClick={() => setTheme(next)}
      aria-label={`${word} colours. Change to ${next}`}
    >
      {word}
    </button>
  )
}

const STALE_MS = 10_000

/** Says so when what is shown is old. */
function Stale({ overview }: { overview: Overview | null }): JSX.Element | null {
  const now = useNow()
  const ageMs = now - connection.lastMs
  const stale = overview !== null && (connection.failing || ageMs > STALE_MS)
  // An old verdict must not look like a good one, so the style takes its colour away.
  useEffect(() => void document.body.classList.toggle("old", stale), [stale])
  return (
    <div role="status">
      {stale ? (
        <p class="notice bad stale">
          <b>This is not live.</b> The daemon last answered{" "}
          {relative(new Date(connection.lastMs).toISOString(), now)}. You see the state of{" "}
          {clockTime(overview.at, now)}.
        </p>
      ) : null}
    </div>
  )
}
