import type { Reason } from "#domain/reason.ts"
import { formatSpan } from "./format-span.ts"
import { type CausedProblem, type Problem, problem } from "./problem.ts"
import type { OrderReading, Readings } from "./readings.ts"
import { findRemedy } from "./remedies.ts"

/** The first that fits counts. */
const REMEDIES: readonly { readonly pattern: RegExp; readonly todo: string }[] = [
  {
    pattern: /too-long-mempool-chain|unconfirmed ancestors/i,
    todo:
      "Wait for a block: too many transactions of this wallet have none yet. If it lasts, raise " +
      "the chain's fee cap.",
  },
  {
    pattern: /inputs-missingorspent|txn-mempool-conflict/i,
    todo:
      "Look at the wallet's coins in an explorer: if another program spends them, give it a key " +
      "of its own; else the endpoint is behind, so use another.",
  },
  {
    pattern: /invalid transaction nonce|nonce too (low|high)|replacement .*underpriced/i,
    todo:
      "Look at the wallet's transactions in an explorer: if another program sends with this key, " +
      "give it a key of its own; else the endpoint is behind, so use another.",
  },
  {
    pattern: /custom program error: 0x1\b/i,
    todo:
      "The token's program finds too little in the wallet: compare its balance with an explorer, " +
      "and fund it.",
  },
  {
    pattern: /pool is full|txpool|mempool/i,
    todo:
      "The node has no room for transactions: give the chain another endpoint, or raise its fee " +
      "cap.",
  },
  {
    pattern: /(sendRawTransaction|sendTransaction|addInvokeTransaction).*(not |unsupported|read)/i,
    todo: "This node takes no transactions: give the chain an endpoint that does.",
  },
  {
    pattern: /insufficient (funds|lamports|account balance)|exceeds? (account )?balance|for rent/i,
    todo: "Send the chain's coin to the address that `ballast wallet` shows.",
  },
  {
    pattern: /account validation failed|invalid (account |transaction )?signature/i,
    todo: "The account refuses the signature: correct key and account of the chain, then restart.",
  },
  {
    pattern: /would revert|\.reverted$|paused|frozen|blacklist|denylist|program error: 0x11\b/i,
    todo:
      "The token or the HTLC refuses this call: ask the issuer of the token why; other assets " +
      "go on.",
  },
]

function remedyOfWords(words: string): string | null {
  return REMEDIES.find(({ pattern }) => pattern.test(words))?.todo ?? null
}

/** These orders have problems of their own, or wait as they should. */
const RESTING = ["awaiting-approval", "refund-watch", "disarmed"]
/** Another order has the nonce, the coin or the allowance that this one needs. */
const BEHIND = "journal.resource_taken"

/**
 * Orders whose step fails again and again for one reason: one problem for all of them. It is the
 * cause where a limit of orders in flight is used up. Pure.
 */
export function findStuckOrders(
  readings: Readings,
  silentAfterMs: number,
): readonly CausedProblem[] {
  const { nowMs } = readings
  const late = readings.orders.filter(
    (order) => nowMs - order.sinceMs >= silentAfterMs && isFailing(order, readings),
  )
  const behind = late.filter(({ reasons }) => reasons[0]?.code === BEHIND)
  const failing = late.filter((order) => !behind.includes(order))
  return [...Map.groupBy(failing, groupOf).values()].map((orders) => {
    const sources = new Set(orders.map(({ from }) => from))
    const stuck = describe(orders, behind.filter(({ from }) => sources.has(from)).length, nowMs)
    const [cause] = orders.flatMap(({ reasons }) => reasons[0] ?? [])
    return cause === undefined ? stuck : { ...stuck, cause }
  })
}

/** The order's own alarm says more. */
function isFailing(
  { id, held, state, reasons }: OrderReading,
  { alarms, pause }: Readings,
): boolean {
  const code = reasons[0]?.code
  if (held || code === undefined || RESTING.includes(state)) return false
  const isAlarmed = alarms.some(({ order, closedMs }) => order === id && closedMs === null)
  return !isAlarmed && !(pause !== null && /pause/.test(code))
}

/** Two nodes that refuse for different causes are two problems, whatever numbers they name. */
function groupOf({ state, reasons }: OrderReading): string {
  return `${state} ${reasons[0]?.code} ${wordsOf(reasons[0]).replace(NUMBERS, "0")}`
}

const NUMBERS = /0x[\da-f]+|\b[\da-f]{16,}\b|\d+/gi

/** What the node, the contract or the service itself said; empty where the message has it. */
function wordsOf(reason: Reason | undefined): string {
  if (reason === undefined) return ""
  const { found, reason: why, message } = reason
  const [words = ""] = [found, why].filter((one) => typeof one === "string")
  return message.includes(words) ? "" : words.replace(/\s+/g, " ").slice(0, MOST_WORDS)
}

const MOST_WORDS = 200

const NODE = "Repair the node of this chain, or give the chain another endpoint."
const SECRET =
  "Look at the payout's chain: its node, the coin for fees and the signer's limits; the order " +
  "goes on when they allow it."
const PRICES =
  "Compare the quote and the reference prices (prices.sources) with the market; replace the " +
  "source that is wrong, or ask the operator of the service."
const ORDER = "Read the order; if its reason names no cause outside, report it with the log line."
/** Whose answer it is, by the first word of a code without a remedy of its own. */
const PEERS: Readonly<Record<string, string>> = {
  evm: NODE,
  bitcoin: NODE,
  solana: NODE,
  starknet: NODE,
  service: "Ask the operator of the service.",
  create: "Ask the operator of the service.",
  verify:
    "Pay nothing by hand: the service's order differs from the agreed one. If the configuration " +
    "is right, report it to the operator of the service.",
  signer: "Read the signer's log, and compare its limits (signer.limits) with the order.",
  kms: "Look at the KMS of this key: its state, its permissions and the way to it.",
  secret: SECRET,
  redemption: SECRET,
  payout: "Look at the node of the payout's chain; the order goes on when it shows the payout.",
  cctp: "Look at the nodes of both chains, and ask the issuer of the route if it lasts.",
  route: "Look at the nodes of both chains, and ask the issuer of the route if it lasts.",
  gasless:
    "Ask the operator of the service why its relay makes no deposit, or set deposit: onchain " +
    "for the chain.",
  fees: "Compare the chain's fees with an explorer; wait, or raise the chain's fee cap.",
  price: PRICES,
  prices: PRICES,
  quote: PRICES,
  limit: "Wait until the limit has room, or raise it only for a reason.",
  affiliate: "Correct affiliate in the configuration, then reload.",
  read: "Repair the node or the service that is late.",
  watch: "Repair the nodes of both chains.",
  chain: NODE,
  account: NODE,
  ending: NODE,
  asset: "Compare the asset's token, htlc and decimals with an explorer, then reload.",
  wallet: "Compare the wallet with an explorer; only a wallet with its key here can pay.",
  config: "Correct the configuration, then reload.",
  family: "Correct the asset or the address in the configuration, then reload.",
  clock: "Set the clock right (NTP), or confirm it with `ballast resume --clock`.",
  journal: "Look at the disk of data_dir, and at the orders before this one.",
  cluster: "Look at PostgreSQL and at the other members (`ballast cluster`).",
  engine: "Read the log; if it lasts, report it with the log line.",
  bug: "Read the log, and report it with the log line.",
  order: ORDER,
  deposit: ORDER,
  approve: ORDER,
  approval: ORDER,
  revoke: ORDER,
  void: ORDER,
  refund: ORDER,
  redeem: ORDER,
  nonce: ORDER,
  signing: ORDER,
  plan: ORDER,
  transaction: ORDER,
}

/** The reason with the words in it, and the next step. */
function explain(reason: Reason | undefined): { readonly said: string; readonly todo: string } {
  const words = wordsOf(reason)
  const whole = `${reason?.message}${words === "" ? "" : `: ${words}`}`
  const said = whole.replace(TOKEN_ERRORS, (number) => `${number}${TOKEN_WORDS[number] ?? ""}`)
  const code = reason?.code ?? ""
  const [room = ""] = code.split(".")
  return { said, todo: remedyOfWords(`${said} ${code}`) ?? findRemedy(code, PEERS[room]).todo }
}

/** The numbers of errors of SPL Token that its issuer or an empty account cause. */
const TOKEN_ERRORS = /(?<=custom program error: )0x11?\b/g
const TOKEN_WORDS: Readonly<Record<string, string>> = {
  "0x1": " (of a token: insufficient funds)",
  "0x11": " (of a token: the account is frozen)",
}

/** A longer list says less: the command shows each order. */
const MOST_PAIRS = 5

function describe(orders: readonly OrderReading[], behind: number, nowMs: number): Problem {
  const [first] = orders.toSorted((a, b) => a.sinceMs - b.sinceMs)
  const [reason] = first?.reasons ?? []
  const short = (first?.id ?? "").slice(0, 8)
  const span = formatSpan(nowMs - (first?.sinceMs ?? nowMs))
  const pairs = [...new Set(orders.map(({ from, to }) => `${from} to ${to}`))]
  const left = pairs.length - MOST_PAIRS
  const others = left > 0 ? `, and ${left} other ${left === 1 ? "pair" : "pairs"}` : ""
  const way = `from ${pairs.slice(0, MOST_PAIRS).join(", ")}${others}`
  const many =
    orders.length === 1 ? `Order ${short} ${way} has` : `${orders.length} orders ${way} have`
  const more =
    behind === 0 ? "" : `; ${behind} more wait behind ${orders.length === 1 ? "it" : "them"}`
  const { said, todo } = explain(reason)
  const deadlineMs = findPayoutEnd(orders)
  return problem({
    level: "attention",
    code: "order.stuck",
    about: `${first?.state} ${reason?.code}`,
    sentence: `${many} waited at ${first?.state} for ${span}: ${said} [${reason?.code}]${more}`,
    todo: `Remove the cause, and the orders go on by themselves. ${todo}`,
    command: `ballast order ${short}`,
    meaning: deadlineMs === null ? KEPT : TOLD,
    deadlineMs,
    order: orders.length === 1 ? (first?.id ?? null) : null,
  })
}

const KEPT = "The orders keep their place. A deposit that was made stays behind its timelock."
const TOLD =
  "A secret of ours is told, so its payout must be redeemed before the payout's lock ends."

/** The nearest end of a payout whose secret is told; `null` without one. */
function findPayoutEnd(orders: readonly OrderReading[]): number | null {
  const ends = orders.flatMap(({ deadline }) =>
    deadline?.kind === "payout" ? [deadline.atMs] : [],
  )
  return ends.length === 0 ? null : Math.min(...ends)
}
