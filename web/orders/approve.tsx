import type { JSX } from "preact"
import { useEffect, useId, useRef, useState } from "preact/hooks"
import { describeReference } from "#order/view-reference.ts"
import type { AnswerOf } from "#schema/answers/answers.ts"
import type { OrderAnswer, Settings } from "../answers.ts"
import { type Change, Confirm } from "../confirm.tsx"
import { Dialog } from "../dialog.tsx"
import { clockTime, money, nameAsset, percentOf, shortAmount } from "../format.ts"
import { describeKnown } from "../known.ts"
import { refreshAll, useLive } from "../live.ts"
import { Amount, Say, useRefusal, When } from "../parts.tsx"
import { change, makeKey, Refused } from "../session.ts"

const HOLD_MS = 1_000
const LAST = 4

/**
 * Two gestures: open, and hold. The drawer shows the payee first and in full; one that is new or
 * not our own wallet also needs its last characters. An approval covers exactly the deposit shown:
 * its hash goes with it. A link to the drawer opens it at once.
 */
export function Approve({
  order,
  scopes,
  opens,
}: {
  order: OrderAnswer
  scopes: readonly string[]
  opens: boolean
}): JSX.Element {
  const refusal = useRefusal("approve", scopes)
  const [open, setOpen] = useState<"drawer" | "reject" | null>(
    opens && refusal === null ? "drawer" : null,
  )
  const close = (): void => setOpen(null)
  return (
    <>
      <button
        type="button"
        class="main"
        data-key="approve"
        disabled={refusal !== null}
        title={refusal ?? undefined}
        onClick={() => setOpen("drawer")}
      >
        Approve or reject
      </button>
      {open === "drawer" ? (
        <Drawer order={order} onReject={() => setOpen("reject")} onClose={close} />
      ) : null}
      {open === "reject" ? <Confirm change={rejectionOf(order)} onClose={close} /> : null}
    </>
  )
}

function rejectionOf({ id, amount, from }: OrderAnswer): Change {
  const kept = `${shortAmount(amount)} ${nameAsset(from).symbol}`
  return {
    title: "Reject this order?",
    word: "reject",
    button: "Reject",
    path: `orders/${id}/reject`,
    body: {},
    danger: true,
    children: <p>Nothing was deposited. The order ends, and {kept} stay in the wallet.</p>,
  }
}

function Drawer({
  order,
  onReject,
  onClose,
}: {
  order: OrderAnswer
  onReject: () => void
  onClose: () => void
}): JSX.Element {
  const title = useId()
  const [key] = useState(makeKey)
  const [typed, setTyped] = useState("")
  const [error, setError] = useState<Refused | null>(null)
  const isOurs = useOwnWallet(order)
  const isFamiliar = isOurs && (order.payee?.uses ?? 0) > 0
  const ready = isFamiliar || typed.trim() === order.destinationOwner.slice(-LAST)
  async function approve(): Promise<void> {
    try {
      await change(`orders/${order.id}/approve`, { intent: order.intent }, key)
      refreshAll()
      onClose()
    } catch (cause) {
      if (cause instanceof Refused) setError(cause)
    }
  }
  return (
    <Dialog class="approve" labelledBy={title} onClose={onClose}>
      <header>
        <small>
          ends <When at={order.approveBefore} />
        </small>
        <h2 id={title} tabIndex={-1}>
          Approve {order.fiat === null ? "this order" : money(order.fiat)}?
        </h2>
        <button type="button" onClick={onClose}>
          Later
        </button>
      </header>
      <Payee order={order} isOurs={isOurs} isFamiliar={isFamiliar} />
      <Terms order={order} />
      <details>
        <summary>All fields that are signed</summary>
        <dl class="pairs small">
          {Object.entries(order.intentFields ?? {}).map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <code>{value}</code>
              </dd>
            </div>
          ))}
        </dl>
      </details>
      {isFamiliar ? null : <LastCharacters typed={typed} onType={setTyped} />}
      {error === null ? null : (
        <p class="notice bad" role="alert">
          {error.message}
        </p>
      )}
      <footer>
        <button type="button" class="danger" onClick={onReject}>
          Reject
        </button>
        <HoldButton disabled={!ready} onHeld={() => void approve()} />
      </footer>
    </Dialog>
  )
}

function LastCharacters(props: { typed: string; onType: (text: string) => void }): JSX.Element {
  const field = useId()
  return (
    <>
      <label for={field}>Type the last {LAST} characters of the address</label>
      <input
        id={field}
        value={props.typed}
        maxLength={LAST}
        autocomplete="off"
        spellcheck={false}
        onInput={(event) => props.onType(event.currentTarget.value)}
      />
    </>
  )
}

function Payee(props: { order: OrderAnswer; isOurs: boolean; isFamiliar: boolean }): JSX.Element {
  const { order, isOurs, isFamiliar } = props
  const { destinationOwner: address, payee } = order
  const { value } = useLive<Settings>("settings", 60_000)
  const name = describeKnown(value).payeeOf(address)
  return (
    <p class={isFamiliar ? "payee" : "payee unfamiliar"}>
      {isFamiliar ? "" : "▲ "}
      {isOurs ? "Pays our own wallet" : "Pays an address that is not this daemon's wallet"}
      {name === null ? "" : `: ${name}`}
      {payee === undefined ? null : <small> · {sayUses(payee)}</small>}
      <code>{address.match(FROM_THE_END)?.join(" ")}</code>
    </p>
  )
}

/** Groups of four; the last one is what a person types. */
const FROM_THE_END = /.{1,4}(?=(?:.{4})*$)/g

function sayUses({ uses, of, since }: NonNullable<OrderAnswer["payee"]>): string {
  if (uses > 0 && since !== null)
    return `used ${uses === 1 ? "once" : `${uses} times`} since ${clockTime(since)}`
  return of === 0 ? "new payee" : `new payee: not among the last ${of} payouts`
}

function Terms({ order }: { order: OrderAnswer }): JSX.Element {
  const from = nameAsset(order.from)
  const to = nameAsset(order.to)
  const { route } = order
  const lost = order.costParts.refundAtMostFiat
  return (
    <dl class="pairs">
      <div>
        <dt>Sends</dt>
        <dd>
          <Amount amount={order.amount} asset={order.from} chain={false} />, {from.chain}
        </dd>
      </div>
      <div>
        <dt>Receives</dt>
        <dd>
          <Amount amount={order.destinationAmount} asset={order.to} chain={false} />, {to.chain}
        </dd>
      </div>
      <div>
        <dt>Costs</dt>
        <dd>
          {order.costFiat === null ? "unknown" : money(order.costFiat)} ({percentOf(order.costBps)})
        </dd>
      </div>
      <Reference order={order} />
      <div class="says">
        <dt>Why it asks</dt>
        <dd>{order.askedBy ?? order.rule} wants more than one order may send without a person</dd>
      </div>
      <div class="says">
        <dt>At worst</dt>
        <dd>
          {route === undefined
            ? `${shortAmount(order.amount)} ${from.symbol} stay locked until the timelock ends`
            : route.trust}
          {route !== undefined ? "" : ", then come back"}
          {route !== undefined || lost === null ? "" : `, for a fee of up to ${money(lost)}`}
        </dd>
      </div>
      <People order={order} />
    </dl>
  )
}

/** The quote against our own prices, and the price sources that are off. */
function Reference({ order }: { order: OrderAnswer }): JSX.Element | null {
  const sentences = describeReference(order)
  const isOff = (order.reference?.outliers.length ?? 0) > 0
  return sentences.length === 0 ? null : (
    <div class="says">
      <dt>{isOff ? "▲ Reference" : "Reference"}</dt>
      <dd>
        {sentences.map((sentence) => (
          <span key={sentence} class="block">
            <Say text={sentence} />
          </span>
        ))}
      </dd>
    </div>
  )
}

/** How many people must approve, and those that have; the one that asked may not. */
function People({ order: { people, askedBy } }: { order: OrderAnswer }): JSX.Element {
  const needed = people?.needed ?? 1
  const approved = people?.approved ?? []
  return (
    <div>
      <dt>People</dt>
      <dd>
        {approved.length} of {needed} approved
        {approved.map(({ by, at }) => (
          <span key={by} class="block" title={at}>
            ✓ {by} <When at={at} />
          </span>
        ))}
        {askedBy === undefined ? null : (
          <small class="block">{askedBy} asked, and may not approve</small>
        )}
      </dd>
    </div>
  )
}

/** Mouse, finger, Enter or Space: held for a second. A hold guards against a slip of the hand. */
function HoldButton(props: { disabled: boolean; onHeld: () => void }): JSX.Element {
  const timer = useRef(0)
  const [holding, setHolding] = useState(false)
  const start = (): void => {
    if (props.disabled || timer.current !== 0) return
    setHolding(true)
    timer.current = window.setTimeout(() => {
      stop()
      props.onHeld()
    }, HOLD_MS)
  }
  const stop = (): void => {
    clearTimeout(timer.current)
    timer.current = 0
    setHolding(false)
  }
  useEffect(() => stop, [])
  const isKey = ({ key }: KeyboardEvent): boolean => key === "Enter" || key === " "
  return (
    <button
      type="button"
      class={holding ? "main hold holding" : "main hold"}
      disabled={props.disabled}
      onPointerDown={start}
      onPointerUp={stop}
      onPointerLeave={stop}
      onKeyDown={(event) => (isKey(event) ? start() : undefined)}
      onKeyUp={stop}
      onBlur={stop}
      onContextMenu={(event) => event.preventDefault()}
    >
      Hold to approve
    </button>
  )
}

/** Until the daemon has named its wallets, no payee counts as ours. */
function useOwnWallet({ to, destinationOwner }: OrderAnswer): boolean {
  const { value } = useLive<AnswerOf<"Status">>("status", 60_000)
  const chain = to.split(":")[0]
  return (
    value?.chains.some((one) => one.chain === chain && one.account === destinationOwner) ?? false
  )
}
