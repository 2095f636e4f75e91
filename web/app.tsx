import type { ComponentChildren, JSX } from "preact"
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks"
import type { Overview, Settings, Summary } from "./answers.ts"
import type { Desk } from "./desk.ts"
import { clockTime, relative } from "./format.ts"
import { describeKnown } from "./known.ts"
import {
  connection,
  followEvents,
  forgetAll,
  refreshAll,
  useLive,
  useNow,
  usePlace,
} from "./live.ts"
import { LoginView } from "./login.tsx"
import { BooksView } from "./money/books.tsx"
import { TreasuryView } from "./money/treasury.tsx"
import { OrderPage } from "./orders/order.tsx"
import { OrdersView } from "./orders/orders.tsx"
import { SwapView } from "./orders/swap.tsx"
import { AlarmsView } from "./overview/alarms.tsx"
import { OverviewView } from "./overview/overview.tsx"
import { PauseNote } from "./overview/pause.tsx"
import { ChainOrder, ClockTimes, Offline, Prices, Speech } from "./parts.tsx"
import { DecisionsView } from "./rules/decisions.tsx"
import { LimitsView } from "./rules/limits.tsx"
import { PlanView } from "./rules/plan.tsx"
import { RulesView } from "./rules/rules.tsx"
import { SimulateView } from "./rules/try-rule.tsx"
import { type Account, findAccount } from "./session.ts"
import { SettingsPage } from "./settings.tsx"
import type { Command } from "./shell/find-commands.ts"
import type { IconName } from "./shell/icons.tsx"
import { KeyHelp } from "./shell/key-help.tsx"
import { type Keys, moveInList, openFocused, pressAct, useKeys } from "./shell/keys.ts"
import { Palette } from "./shell/palette.tsx"
import { Sidebar, Topbar } from "./shell/shell.tsx"
import { Tabs } from "./tabs.tsx"

/** `of`: the entry of the menu that has the view as a part. */
const VIEWS: readonly {
  readonly id: string
  readonly name: string
  readonly icon: IconName
  readonly of?: string
  readonly show: (desk: Desk) => JSX.Element
}[] = [
  { id: "", name: "Overview", icon: "overview", show: OverviewView },
  { id: "treasury", name: "Treasury", icon: "treasury", show: TreasuryView },
  { id: "books", name: "Books", icon: "treasury", of: "treasury", show: BooksView },
  { id: "orders", name: "Orders", icon: "orders", show: OrdersView },
  { id: "rules", name: "Rules", icon: "rules", show: RulesView },
  { id: "plan", name: "Plan", icon: "rules", of: "rules", show: PlanView },
  { id: "decisions", name: "Decisions", icon: "rules", of: "rules", show: DecisionsView },
  { id: "limits", name: "Limits", icon: "rules", of: "rules", show: LimitsView },
  { id: "simulate", name: "Simulate", icon: "simulate", show: SimulateView },
  { id: "settings", name: "Settings", icon: "settings", show: SettingsPage },
  { id: "alarms", name: "Alarms", icon: "settings", of: "settings", show: AlarmsView },
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
  const [view = "", detail = null, part = null] = usePlace()
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
  const prices = usePrices()
  const desk = { overview, known: describeKnown(settings.value), scopes: account.scopes, detail }
  const isStale = useStale() && overview.value !== null
  const [asClock, setAsClock] = useState(false)
  const [open, setOpen] = useState<"palette" | "help" | null>(null)
  const swapTimes = (): void => setAsClock((now) => !now)
  const find = (): void => setOpen("palette")
  const help = (): void => setOpen("help")
  useKeys(listKeys({ find, help, swapTimes }, overview.value))
  return (
    <Contexts known={desk.known} prices={prices} isStale={isStale} asClock={asClock}>
      <div class="frame">
        <button type="button" class="skip" onClick={skipToContent}>
          Skip to the content
        </button>
        <Sidebar
          entries={VIEWS.filter(({ of }) => of === undefined)}
          shown={shown?.of ?? view}
          overview={overview.value}
          treasury={settings.value?.treasury ?? null}
        />
        <div class="body">
          <Topbar
            account={account}
            overview={overview.value}
            onFind={() => setOpen("palette")}
            onLeave={onLeave}
          />
          <Stale overview={overview.value} isStale={isStale} />
          <PauseNote overview={overview.value} scopes={account.scopes} />
          <main id="content" tabIndex={-1}>
            <Place key={`${view}/${detail}`} view={view} detail={detail} part={part} desk={desk} />
          </main>
        </div>
      </div>
      {open === "palette" ? (
        <Palette
          commands={listCommands(overview.value, () => setOpen("help"))}
          onOrder={(id) => goTo(`orders/${id}`)}
          onClose={() => setOpen(null)}
        />
      ) : null}
      {open === "help" ? <KeyHelp onClose={() => setOpen(null)} /> : null}
    </Contexts>
  )
}

/** Of the whole units, in the reference currency. */
function usePrices(): ReadonlyMap<string, string> {
  const { value } = useLive<Summary>("summary", 30_000)
  return new Map(
    (value?.assets ?? []).flatMap(({ asset, price }) => (price === null ? [] : [[asset, price]])),
  )
}

/** What every part of the page may ask for. */
function Contexts(props: {
  known: Desk["known"]
  prices: ReadonlyMap<string, string>
  isStale: boolean
  asClock: boolean
  children: ComponentChildren
}): JSX.Element {
  return (
    <Speech.Provider value={props.known.speak}>
      <ChainOrder.Provider value={props.known.chains}>
        <Offline.Provider value={props.isStale}>
          <ClockTimes.Provider value={props.asClock}>
            <Prices.Provider value={props.prices}>{props.children}</Prices.Provider>
          </ClockTimes.Provider>
        </Offline.Provider>
      </ChainOrder.Provider>
    </Speech.Provider>
  )
}

/** The order whose approval ends first; the overview while none waits. */
function urgentApproval(overview: Overview | null): string {
  const [first] = (overview?.tasks ?? [])
    .filter(({ kind, order }) => kind === "approval" && order !== null)
    .toSorted((a, b) => (a.deadline ?? "~").localeCompare(b.deadline ?? "~"))
  return first === undefined ? "" : `orders/${first.order}/approve`
}

function goTo(place: string): void {
  location.hash = `#/${place}`
}

function listKeys(
  acts: {
    readonly find: () => void
    readonly help: () => void
    readonly swapTimes: () => void
  },
  overview: Overview | null,
): Keys {
  return {
    "g h": () => goTo(""),
    "g t": () => goTo("treasury"),
    "g o": () => goTo("orders"),
    "g r": () => goTo("rules"),
    "g s": () => goTo("simulate"),
    "g ,": () => goTo("settings"),
    "p p": () => pressAct("pause"),
    "/": acts.find,
    "?": acts.help,
    ".": acts.swapTimes,
    j: () => moveInList(1),
    k: () => moveInList(-1),
    ArrowDown: () => moveInList(1),
    ArrowUp: () => moveInList(-1),
    o: openFocused,
    a: () => pressAct("approve") || goTo(urgentApproval(overview)),
    f: () => pressAct("filter"),
    e: () => pressAct("export"),
  }
}

/** Views, open orders, rules and acts. */
function listCommands(overview: Overview | null, onHelp: () => void): readonly Command[] {
  const keys: Readonly<Record<string, string>> = {
    "": "g h",
    treasury: "g t",
    orders: "g o",
    rules: "g r",
    simulate: "g s",
    settings: "g ,",
  }
  return [
    ...VIEWS.map(({ id, name }) => ({ name, keys: keys[id], act: () => goTo(id) })),
    { name: "New swap", act: () => goTo("swap") },
    { name: "Pause everything", keys: "p p", act: () => pressAct("pause") },
    { name: "Keys", keys: "?", act: onHelp },
    ...(overview?.orders ?? []).map(({ id, from, to }) => ({
      name: `Order ${id.slice(0, 8)} ${from} → ${to}`,
      act: () => goTo(`orders/${id}`),
    })),
    ...(overview?.rules ?? []).map(({ id }) => ({
      name: `Rule ${id}`,
      act: () => goTo(`decisions/${encodeURIComponent(id)}`),
    })),
  ]
}

function Place({
  view,
  detail,
  part,
  desk,
}: {
  view: string
  detail: string | null
  part: string | null
  desk: Desk
}): JSX.Element {
  if (view === "orders" && detail !== null)
    return <OrderPage {...desk} detail={detail} opens={part === "approve"} />
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

const STALE_MS = 10_000

/** Is what is shown old? Renders again only when the answer changes. */
function useStale(): boolean {
  const [stale, setStale] = useState(false)
  useEffect(() => {
    const timer = setInterval(
      () => setStale(connection.failing || Date.now() - connection.lastMs > STALE_MS),
      500,
    )
    return () => clearInterval(timer)
  }, [])
  return stale
}

/** Says so when what is shown is old. */
function Stale(props: { overview: Overview | null; isStale: boolean }): JSX.Element {
  const { overview, isStale } = props
  const now = useNow()
  // An old verdict must not look like a good one, so the style takes its colour away.
  useLayoutEffect(() => void document.body.classList.toggle("old", isStale), [isStale])
  return (
    <div role="status">
      {isStale && overview !== null ? (
        <p class="notice bad stale">
          <b>This is not live.</b> The daemon last answered{" "}
          {relative(new Date(connection.lastMs).toISOString(), now)}. You see the state of{" "}
          {clockTime(overview.at, now)}.{" "}
          <button type="button" onClick={refreshAll}>
            Try now
          </button>
        </p>
      ) : null}
    </div>
  )
}
