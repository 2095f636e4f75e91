import type { JSX } from "preact"
import { useState } from "preact/hooks"
import type { AnswerOf } from "#schema/answers/answers.ts"
import type { Quote } from "../answers.ts"
import { Act, type Change } from "../confirm.tsx"
import type { Desk } from "../desk.ts"
import { money, nameAsset, percentOf } from "../format.ts"
import { Amount, Card, Hash, Pill, Reasons, Say, Title } from "../parts.tsx"
import { ask, Refused } from "../session.ts"

const NOTE = "Nothing is ordered before you have seen the quote and typed the amount."

/**
 * A swap by hand: a quote with the judgement of the guards and the worst case first, then a typed
 * confirmation.
 */
export function SwapView(desk: Desk): JSX.Element {
  const assets = (desk.overview.value?.treasury ?? []).map(({ asset }) => asset)
  const [from, setFrom] = useState("")
  const [to, setTo] = useState("")
  const [amount, setAmount] = useState("")
  const [quote, setQuote] = useState<Quote | null>(null)
  const [error, setError] = useState<string | null>(null)
  const [asking, setAsking] = useState(false)
  /** A quote belongs to one request, so it vanishes with every change. */
  function change(apply: () => void): void {
    apply()
    setQuote(null)
  }
  async function askQuote(event: Event): Promise<void> {
    event.preventDefault()
    setAsking(true)
    setQuote(null)
    setError(null)
    try {
      setQuote(await fetchQuote({ from, to, amount }))
    } catch (cause) {
      setError(cause instanceof Refused ? cause.message : "The page failed")
    }
    setAsking(false)
  }
  return (
    <>
      <Title note={NOTE}>New swap</Title>
      <div class="grid even">
        <Card title="Request">
          <form class="fields" onSubmit={askQuote}>
            <AssetField
              label="Send"
              id="swap-from"
              value={from}
              assets={assets}
              onChoose={(asset) => change(() => setFrom(asset))}
            />
            <AmountField
              asset={from}
              value={amount}
              onType={(text) => change(() => setAmount(text))}
            />
            <AssetField
              label="Receive"
              id="swap-to"
              value={to}
              assets={assets}
              onChoose={(asset) => change(() => setTo(asset))}
            />
            <button
              type="submit"
              class="main"
              disabled={from === "" || to === "" || amount === "" || asking}
            >
              {asking ? "Asking…" : "Get a quote"}
            </button>
          </form>
          {error === null ? null : (
            <p class="notice bad" role="alert">
              {error}
            </p>
          )}
        </Card>
        {quote === null ? null : <QuoteCard quote={quote} desk={desk} />}
      </div>
    </>
  )
}

async function fetchQuote(request: { from: string; to: string; amount: string }): Promise<Quote> {
  // CAST: the daemon's own answer.
  return (await ask("GET", `quote?${new URLSearchParams(request)}`)) as Quote
}

function AmountField(props: {
  asset: string
  value: string
  onType: (text: string) => void
}): JSX.Element {
  const unit = props.asset === "" ? "" : `, in ${nameAsset(props.asset).symbol}`
  return (
    <>
      <label for="swap-amount">Amount{unit}</label>
      <input
        id="swap-amount"
        inputMode="decimal"
        autocomplete="off"
        value={props.value}
        onInput={({ currentTarget }) => props.onType(currentTarget.value.trim())}
      />
    </>
  )
}

function AssetField(props: {
  label: string
  id: string
  value: string
  assets: readonly string[]
  onChoose: (asset: string) => void
}): JSX.Element {
  return (
    <>
      <label for={props.id}>{props.label}</label>
      <select
        id={props.id}
        value={props.value}
        onChange={(event) => props.onChoose(event.currentTarget.value)}
      >
        <option value="">Choose an asset</option>
        {props.assets.map((asset) => (
          <option key={asset} value={asset}>
            {nameAsset(asset).symbol} on {nameAsset(asset).chain}
          </option>
        ))}
      </select>
    </>
  )
}

function QuoteCard({ quote, desk }: { quote: Quote; desk: Desk }): JSX.Element {
  const change: Change = {
    title: "Order this swap?",
    word: quote.amount,
    button: "Order the swap",
    path: "swap",
    body: { from: quote.from, to: quote.to, amount: quote.amount },
    onDone: (answer) => {
      // CAST: the daemon's own answer to an accepted swap.
      location.hash = `#/orders/${(answer as AnswerOf<"AcceptedSwap">).id}`
    },
    children: (
      <>
        <p>
          Send <Amount amount={quote.amount} asset={quote.from} /> and receive about{" "}
          <Amount amount={quote.receive} asset={quote.to} />.
        </p>
        <Worst sentences={quote.worstCase} />
      </>
    ),
  }
  return (
    <Card
      title="Quote"
      note={
        quote.refused.length === 0 ? (
          <Pill tone="good">the guards allow it</Pill>
        ) : (
          <Pill tone="bad">refused</Pill>
        )
      }
    >
      <p class="big">
        <Amount amount={quote.receive} asset={quote.to} />
      </p>
      <QuoteFacts quote={quote} />
      <Worst sentences={quote.worstCase} />
      <Reasons reasons={quote.refused.map((reason) => desk.known.humane(reason, quote))} />
      <div class="actions">
        {quote.refused.length === 0 ? (
          <Act change={change} scope="operate" scopes={desk.scopes} main />
        ) : null}
      </div>
    </Card>
  )
}

function feesText({ deposit, refund, redeem }: NonNullable<Quote["fees"]>): string {
  return redeem === undefined
    ? `${deposit}; for a refund ${refund}`
    : `${deposit}; for our own redemption ${redeem}`
}

function QuoteFacts({ quote }: { quote: Quote }): JSX.Element {
  return (
    <dl class="pairs">
      <div>
        <dt>Cost</dt>
        <dd>
          {percentOf(quote.costBps)}
          {quote.sendsFiat === null || quote.receivesFiat === null
            ? ""
            : `: ${money(quote.sendsFiat)} for ${money(quote.receivesFiat)}`}
        </dd>
      </div>
      <div>
        <dt>Service and solver</dt>
        <dd>
          {quote.service ?? "none"}{" "}
          {quote.solver === null ? null : <Hash hash={quote.solver} what="the solver's id" />}
        </dd>
      </div>
      <div>
        <dt>Network fees at most</dt>
        <dd>
          {quote.fees === null ? "cannot be estimated now" : <Say text={feesText(quote.fees)} />}
        </dd>
      </div>
      <div>
        <dt>Approval</dt>
        <dd>{quote.needsApproval ? "a person must approve the order" : "not needed"}</dd>
      </div>
    </dl>
  )
}

function Worst({ sentences }: { sentences: readonly string[] }): JSX.Element {
  return (
    <div class="notice warn">
      <b>The worst case</b>
      <ul>
        {sentences.map((sentence) => (
          <li key={sentence}>
            <Say text={sentence} />
          </li>
        ))}
      </ul>
    </div>
  )
}
