import { type ComponentChildren, createContext, type JSX } from "preact"
import { useContext, useState } from "preact/hooks"
import type { Reason } from "#domain/reason.ts"
import {
  clockTime,
  money,
  nameAsset,
  nameChain,
  plain,
  relative,
  shortAmount,
  shortenAmounts,
  shortHash,
  type Tone,
  toneOfState,
} from "./format.ts"
import { type Live, useNow } from "./live.ts"

/** Turns ids in a sentence into names; the frame sets it once the settings are known. */
export const Speech = createContext<(text: string) => string>((text) => text)

/** A sentence in short; its title has what was cut. */
export function Say({ text }: { text: string }): JSX.Element {
  const said = useContext(Speech)(text)
  const short = shortenAmounts(said)
  if (short !== said) return <span title={said}>{short}</span>
  return <>{said}</>
}

/** The chains in the order of the configuration, so that each keeps its colour. */
export const ChainOrder = createContext<readonly string[]>([])

const CHAIN_COLOURS = 10

/** The class of a chain's colour; `chain` may be the id of an asset. */
export function useChainClass(): (chain: string) => string {
  const order = useContext(ChainOrder)
  return (chain) => {
    const at = order.indexOf(chain.split(":")[0] ?? "")
    return at === -1 ? "chain-none" : `chain-${at % CHAIN_COLOURS}`
  }
}

/** A chain by its name, with a dot in its colour. */
export function Chain({ id }: { id: string }): JSX.Element {
  const classOf = useChainClass()
  return (
    <span class="chain-name">
      <i class={classOf(id)} />
      {nameChain(id.split(":")[0] ?? "")}
    </span>
  )
}

/** Has the daemon not answered for a while? Then each act is off. */
export const Offline = createContext(false)

/** Why a button does nothing for this caller now; `null` where it acts. */
export function useRefusal(scope: string, scopes: readonly string[]): string | null {
  const isOffline = useContext(Offline)
  if (isOffline) return "The daemon does not answer, so nothing can be changed"
  return scopes.includes(scope) ? null : `Your token lacks the scope ${scope}`
}

export function Pill({ tone, children }: { tone: Tone; children: ComponentChildren }): JSX.Element {
  return <span class={`pill ${tone}`}>{children}</span>
}

/** Quiet is plain: an end as it should be has no colour. */
export function StateMark({ state }: { state: string }): JSX.Element {
  return state === "completed" ? (
    <>✓ completed</>
  ) : (
    <Pill tone={toneOfState(state)}>{plain(state)}</Pill>
  )
}

/** The colour of a series beside its name. */
export function Swatch({ tone }: { tone: "bar-a" | "bar-b" }): JSX.Element {
  return (
    <svg class="swatch" viewBox="0 0 10 10" aria-hidden="true">
      <rect class={tone} width="10" height="10" />
    </svg>
  )
}

/** A section with a heading. `link` leads to the view that shows all of it. */
export function Card(props: {
  title: string
  note?: ComponentChildren
  link?: string
  wide?: boolean
  children: ComponentChildren
}): JSX.Element {
  return (
    <section class={props.wide ? "card wide" : "card"}>
      <header>
        <h2>{props.link === undefined ? props.title : <a href={props.link}>{props.title}</a>}</h2>
        {props.note === undefined ? null : <span class="note">{props.note}</span>}
      </header>
      {props.children}
    </section>
  )
}

export function Title({
  children,
  note,
}: {
  children: ComponentChildren
  note?: ComponentChildren
}): JSX.Element {
  return (
    <header class="title">
      <h1 tabIndex={-1}>{children}</h1>
      {note === undefined ? null : <p class="note">{note}</p>}
    </header>
  )
}

/** An amount with its asset. The title has all digits and the asset's id; a copy has the digits. */
export function Amount({
  amount,
  asset,
  chain = true,
  symbol = true,
}: {
  amount: string | null
  asset: string
  chain?: boolean
  symbol?: boolean
}): JSX.Element {
  const name = nameAsset(asset)
  return (
    <span
      class="amount"
      title={`${amount ?? "no reading"} ${asset}`}
      data-exact={amount ?? undefined}
    >
      <b>{amount === null ? "no reading" : shortAmount(amount)}</b>
      {symbol ? ` ${name.symbol}` : null}
      {chain ? <small> {name.chain}</small> : null}
    </span>
  )
}

/** The prices of now by asset; an asset without one has no value. */
export const Prices = createContext<ReadonlyMap<string, string>>(new Map())

/** What an amount is worth at the price of now; nothing without one. */
export function Worth({ amount, asset }: { amount: string; asset: string }): JSX.Element | null {
  const price = useContext(Prices).get(asset)
  if (price === undefined) return null
  return <small class="worth">{money(String(Number(amount) * Number(price)))}</small>
}

/** Are moments shown as clock times? The page swaps them with one key. */
export const ClockTimes = createContext(false)

/** A value in the reference currency, with all digits in its title and in a copy. */
export function Fiat({ fiat }: { fiat: string }): JSX.Element {
  return (
    <span title={`${fiat} usd`} data-exact={fiat}>
      {money(fiat)}
    </span>
  )
}

/** A moment: how long ago, with the exact time in the title. */
export function When({ at, clock = false }: { at: string | null; clock?: boolean }): JSX.Element {
  const now = useNow()
  const asClock = useContext(ClockTimes) || clock
  if (at === null) return <span class="quiet">never</span>
  return (
    <time dateTime={at} title={at}>
      {asClock ? clockTime(at, now) : relative(at, now)}
    </time>
  )
}

/** Sentences of reasons, each once. */
export function Reasons({
  reasons,
  none = null,
}: {
  reasons: readonly Reason[]
  none?: string | null
}): JSX.Element | null {
  const shown = [...new Map(reasons.map((reason) => [reason.message, reason])).values()]
  if (shown.length === 0) return none === null ? null : <p class="quiet">{none}</p>
  return (
    <ul class="reasons">
      {shown.map(({ code, message }) => (
        <li key={message} title={code}>
          <Say text={message} />
        </li>
      ))}
    </ul>
  )
}

/** A hash: linked where the explorer of its chain is known, and always ready to be copied. */
export function Hash({
  hash,
  link = null,
  what,
}: {
  hash: string
  link?: string | null
  what: string
}): JSX.Element {
  return (
    <span class="hash">
      {link === null ? (
        <code title={hash}>{shortHash(hash)}</code>
      ) : (
        <a href={link} target="_blank" rel="noopener noreferrer" title={hash}>
          <code>{shortHash(hash)}</code>
          <span class="hidden"> (opens the explorer)</span>
        </a>
      )}
      <Copy text={hash} what={what} />
    </span>
  )
}

export function Copy({ text, what }: { text: string; what: string }): JSX.Element {
  const [done, setDone] = useState(false)
  const copy = (): void => {
    void navigator.clipboard?.writeText(text).then(() => {
      setDone(true)
      setTimeout(() => setDone(false), 1_500)
    })
  }
  return (
    <button type="button" class="copy" onClick={copy} aria-label={`Copy ${what}`}>
      {done ? "copied" : "copy"}
    </button>
  )
}

/** The value of a read, or a sentence while there is none. */
export function Loaded<T>({
  live,
  children,
}: {
  live: Live<T>
  children: (value: T) => ComponentChildren
}): JSX.Element {
  if (live.value !== null) return <>{children(live.value)}</>
  if (live.error === null) return <Skeleton />
  return <p class="notice bad">{live.error.message}</p>
}

/** Grey lines where the content will be. */
export function Skeleton(): JSX.Element {
  return (
    <div class="card skeleton" role="status">
      <span class="hidden">Reading…</span>
      <i />
      <i />
      <i />
    </div>
  )
}

export function Empty({ children }: { children: ComponentChildren }): JSX.Element {
  return <p class="empty">{children}</p>
}

/** A table whose rows become cards on a narrow screen. Every row has one cell for each column. */
export function Table(props: {
  caption: string
  columns: readonly string[]
  /** Figures stand at the right of their columns; names come first. */
  figures?: boolean
  rows: readonly { readonly key: string; readonly cells: readonly ComponentChildren[] }[]
}): JSX.Element {
  return (
    <table class={props.figures ? "figures" : undefined}>
      <caption class="hidden">{props.caption}</caption>
      <thead>
        <tr>
          {props.columns.map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {props.rows.map(({ key, cells }) => (
          <tr key={key}>
            {cells.map((cell, index) => (
              <td key={props.columns[index]} data-label={props.columns[index]}>
                <div>{cell}</div>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** A share as a bar, with the same in words. */
export function Meter({ percent, label }: { percent: number; label: string }): JSX.Element {
  const tone = percent >= 100 ? "bad" : percent >= 80 ? "warn" : "good"
  return (
    <svg
      class={`meter ${tone}`}
      viewBox="0 0 100 6"
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <rect class="track" width="100" height="6" />
      <rect class="fill" width={Math.max(0, Math.min(100, percent))} height="6" />
    </svg>
  )
}

/** Names with their values. */
export function Pairs({
  pairs,
}: {
  pairs: readonly (readonly [string, JSX.Element | string])[]
}): JSX.Element {
  return (
    <dl class="pairs">
      {pairs.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
