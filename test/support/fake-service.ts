import { createHash } from "node:crypto"
import { max } from "#domain/amount.ts"
import { type AssetId, type ChainId, chainOf, type Family } from "#domain/asset.ts"
import type { CreatedOrder, DepositRequest } from "#domain/deposit.ts"
import type { ReportedLeg, ServiceOrder } from "#domain/leg.ts"
import { encodeJson } from "#lib/json.ts"
import type { ServicePort } from "#ports/service.ts"
import { accountOf, familyOf, hashOf, swapKey } from "./fake-chain.ts"
import {
  type FakeLedger,
  HTLC,
  type LedgerTx,
  STRANGER,
  type SwapState,
  type SwapTerms,
} from "./fake-ledger.ts"
import { failure } from "./faults.ts"

/** How the service and its solver behave. Tests change these fields while an order is open. */
export type Conduct = {
  /** The solver funds the destination. */
  fills: boolean
  /** The solver funds only after the deadline. */
  fillsLate: boolean
  /** How many units the solver funds too little. */
  fillShortUnits: bigint
  /** The service redeems the destination to our wallet. */
  redeems: boolean
  /** The solver redeems the source. */
  takesSource: boolean
  /**
   * The service delays the payout until our refund is in the mempool; then payout and redemption of
   * the source follow at once.
   */
  racesRefund: boolean
  /** The solver refunds an unredeemed payout after its timelock. */
  takesBack: boolean
  /** The relay makes the deposit of a submitted signature on chain. */
  relays: boolean
  offersGasless: boolean
  /** The service reports a redemption of the destination that no chain shows. */
  reportsRedeemed: boolean
  /** The service reports the swap of a stranger as the order's deposit. */
  namesStrangerSwap: boolean
  /** The service names the transactions of the payout. */
  namesPayout: boolean
  /** How many units the redemption pays too little. */
  shortUnits: bigint
  /** The fee of the quote in basis points. */
  costBps: bigint
  /** The cost that the values of the quote show, if it is not the true one. */
  valueCostBps: bigint | null
  /** A solver quotes at this moment. */
  quotes: boolean
  /** The value of a unit in the quote, in fiat millionths. */
  unitFiat: bigint
  /** If set, every order gets this secret hash. */
  secretHash: string | null
  sourceTimelock: bigint
  destinationTimelock: bigint
  deadlineAfterMs: number | null
  /** The service takes the client's secret hash. */
  takesOwnHash: boolean
  /** A lock of the payout that differs from the order's. */
  fillTimelock: bigint | null
  /** The payout names another redeemer than us. */
  fillsForAnother: boolean
  /** How service and solver treat one order, where that differs. */
  treat: ((order: FakeOrder) => Partial<Conduct>) | null
}

export type FakeOrder = {
  readonly orderId: string
  readonly nonce: string
  readonly createdAtMs: number
  readonly secretHash: string
  readonly from: AssetId
  readonly to: AssetId
  readonly sourceUnits: bigint
  readonly destinationUnits: bigint
  readonly sourceTimelock: bigint
  readonly destinationTimelock: bigint
  readonly deadlineMs: number | null
  readonly affiliateFees: ServiceOrder["affiliateFees"]
  /** The client chose the secret. */
  readonly isOwn?: boolean
  /** The key of the payout's redeem leaf, which the client asked for. */
  readonly delegate?: string | null
}

export type FakeService = {
  readonly port: ServicePort
  readonly conduct: Conduct
  readonly orders: readonly FakeOrder[]
  /** Every secret that a client has told. */
  readonly reveals: readonly { readonly orderId: string; readonly secret: string }[]
  /**
   * Makes a signature useless, as if its contract was replaced; `false` if the relay has used it
   * already.
   */
  readonly forgetSignature: (orderId: string) => boolean
  /**
   * One turn of relay, solver and redeemer: they submit their next transactions to the mempools.
   */
  readonly act: () => void
}

type Given = {
  readonly now: () => number
  readonly ledgers: ReadonlyMap<ChainId, FakeLedger>
  readonly isToken: (asset: AssetId) => boolean
  /**
   * Makes the solver, the orders and the secrets of several services on the same chains different.
   */
  readonly name?: string
  /** Chains with another family than the usual one of their ledger kind. */
  readonly families?: ReadonlyMap<ChainId, Family>
}

/** `terms`: those of both swaps of an order, which every block asks for. */
type Deps = Given & { readonly terms: WeakMap<FakeOrder, Terms> }
type Terms = Readonly<Record<"source" | "destination", SwapTerms>>

const SOLVER = "solver"

/**
 * A swap service with one solver, honest until a test changes its conduct. It reads the ledgers and
 * never the daemon.
 */
export function createFakeService(given: Given): FakeService {
  const deps: Deps = { ...given, terms: new WeakMap() }
  const conduct: Conduct = {
    fills: true,
    fillsLate: false,
    fillShortUnits: 0n,
    redeems: true,
    takesSource: true,
    racesRefund: false,
    takesBack: false,
    relays: true,
    offersGasless: true,
    reportsRedeemed: false,
    namesStrangerSwap: false,
    namesPayout: true,
    shortUnits: 0n,
    costBps: 30n,
    valueCostBps: null,
    quotes: true,
    unitFiat: 1_000_000n,
    secretHash: null,
    sourceTimelock: 600n,
    destinationTimelock: 100n,
    deadlineAfterMs: 10 * 60_000,
    takesOwnHash: true,
    fillTimelock: null,
    fillsForAnother: false,
    treat: null,
  }
  const prefix = deps.name === undefined ? "" : `${deps.name} `
  const solverId = deps.name === undefined ? SOLVER : `solver-${deps.name}`
  const orders: FakeOrder[] = []
  const signed = new Set<string>()
  const filled = new Set<string>()
  const told = new Set<string>()
  const reveals: { orderId: string; secret: string }[] = []
  const find = (orderId: string): FakeOrder => {
    const order = orders.find((candidate) => candidate.orderId === orderId)
    if (!order) throw failure("refused", "service.not_found")
    return order
  }
  const port: ServicePort = {
    fetchQuotes: async ({ from, to, sourceUnits: asked, exactUnits, affiliateBps }) => {
      if (!conduct.quotes) return []
      const kept = 10_000n - conduct.costBps
      const sourceUnits =
        exactUnits === undefined ? asked : (exactUnits * 10_000n + kept - 1n) / kept
      const lessCost = (bps: bigint): bigint => sourceUnits - (sourceUnits * bps) / 10_000n
      const destinationUnits = exactUnits ?? lessCost(conduct.costBps)
      // One unit is worth one fiat unit, so a test can compare units with fiat limits.
      const fiat = {
        sourceFiat: sourceUnits * conduct.unitFiat,
        destinationFiat: lessCost(conduct.valueCostBps ?? conduct.costBps) * conduct.unitFiat,
      }
      return [
        {
          from,
          to,
          sourceUnits,
          destinationUnits,
          ...fiat,
          solverId,
          estimatedSeconds: 20,
          affiliateBps,
        },
      ]
    },
    submitOrder: async ({ quote, nonce, affiliateFees: asked, ownSecret }) => {
      const { from, to, sourceUnits, destinationUnits } = quote
      const isOwn = ownSecret !== undefined && conduct.takesOwnHash
      const secretHash = isOwn
        ? ownSecret.hash
        : (conduct.secretHash ?? hashOf(`${prefix}secret ${orders.length}`))
      const deadlineMs =
        conduct.deadlineAfterMs === null ? null : deps.now() + conduct.deadlineAfterMs
      const { sourceTimelock, destinationTimelock } = conduct
      const orderId = hashOf(`${prefix}order ${orders.length}`)
      const amounts = {
        sourceUnits,
        destinationUnits,
        sourceTimelock,
        destinationTimelock,
        deadlineMs,
      }
      const affiliateFees = asked.map((fee) => ({ ...fee, units: 1n }))
      const delegate = isOwn ? (ownSecret.destinationExtras["delegate"] ?? null) : null
      const createdAtMs = deps.now()
      const order = {
        orderId,
        nonce,
        affiliateFees,
        createdAtMs,
        secretHash,
        from,
        to,
        ...amounts,
        isOwn,
        delegate,
      }
      orders.push(order)
      return toCreated(deps, order, conduct.offersGasless)
    },
    fetchOrder: async (orderId) => toServiceOrder(deps, find(orderId), conduct),
    findOrders: async () => null,
    submitSignature: async (orderId, signature) => {
      const order = find(orderId)
      if (signature !== `signature ${order.secretHash}`)
        throw failure("refused", "service.signature")
      signed.add(orderId)
      return { answer: "accepted" }
    },
    revealSecret: async (orderId, secret) => {
      const order = find(orderId)
      told.add(orderId)
      reveals.push({ orderId, secret: secret.reveal() })
      const opens =
        createHash("sha256").update(Buffer.from(secret.reveal(), "hex")).digest("hex") ===
        order.secretHash
      if (!opens) throw failure("refused", "service.refused")
      return { answer: "accepted" }
    },
    listAssets: async () => Promise.reject(failure("refused", "service.not_found")),
    listChains: async () => Promise.reject(failure("refused", "service.not_found")),
    listPolicy: async () => Promise.reject(failure("refused", "service.not_found")),
  }
  const forgetSignature = (orderId: string): boolean => {
    const order = find(orderId)
    const relay = hashOf(`relay ${orderId}`)
    if (
      sourceOf(deps, order) ||
      ledgerOf(deps, order.from)
        .mempool()
        .some(({ txid }) => txid === relay)
    )
      return false
    signed.delete(orderId)
    return true
  }
  const act = (): void => {
    for (const order of orders) {
      if (isSettled(deps, order)) {
        filled.add(order.orderId)
        continue
      }
      const treated = conduct.treat === null ? conduct : { ...conduct, ...conduct.treat(order) }
      actOn(deps, treated, { signed, filled, told }, order)
    }
  }
  return { port, conduct, orders, reveals, forgetSignature, act }
}

/**
 * The orders that have a signature for the relay, and those with a destination that was ever
 * funded.
 */
type Known = {
  readonly signed: ReadonlySet<string>
  readonly filled: Set<string>
  readonly told: ReadonlySet<string>
}

function actOn(
  deps: Deps,
  conduct: Conduct,
  { signed, filled, told }: Known,
  order: FakeOrder,
): void {
  const turn: Turn = {
    deps,
    conduct,
    order,
    wasFilled: filled.has(order.orderId),
    hasSecret: order.isOwn !== true || told.has(order.orderId),
    source: ledgerOf(deps, order.from),
    destination: ledgerOf(deps, order.to),
    sourceSwap: sourceOf(deps, order),
    destinationSwap: destinationOf(deps, order),
  }
  const isRefunding = turn.source
    .mempool()
    .some(({ action }) => action.kind === "refund" && action.key === turn.sourceSwap?.key)
  if (turn.destinationSwap) filled.add(order.orderId)
  if (signed.has(order.orderId)) relaySignature(turn)
  fillDestination(turn)
  redeemDestination(turn, isRefunding)
  refundDestination(turn)
  redeemSource(turn, isRefunding)
}

/** The solver has the deposit, and the payout was paid or taken back: nothing is left to do. */
function isSettled(deps: Deps, order: FakeOrder): boolean {
  const payout = destinationOf(deps, order)
  const isOver = payout !== undefined && !isOpen(payout)
  return isOver && sourceOf(deps, order)?.redeemed != null
}

/** One order in one turn: its ledgers and swaps before the service acts. */
type Turn = {
  readonly deps: Deps
  readonly conduct: Conduct
  readonly order: FakeOrder
  readonly wasFilled: boolean
  /** The service chose the secret, or the client has told it. */
  readonly hasSecret: boolean
  readonly source: FakeLedger
  readonly destination: FakeLedger
  readonly sourceSwap: SwapState | undefined
  readonly destinationSwap: SwapState | undefined
}

function transactionOf({ order }: Turn, name: string, action: LedgerTx["action"]): LedgerTx {
  return { txid: hashOf(`${name} ${order.orderId}`), fee: 0n, resources: [], action }
}

function relaySignature(turn: Turn): void {
  const { deps, conduct, order, source, sourceSwap } = turn
  if (!conduct.relays || sourceSwap) return
  const swap = termsOf(deps, order).source
  source.submit(transactionOf(turn, "relay", { kind: "initiate", payer: "wallet", swap }))
}

/** The solver funds the destination. */
function fillDestination(turn: Turn): void {
  const { deps, conduct, order, wasFilled, destination, sourceSwap, destinationSwap } = turn
  const isLate = order.deadlineMs !== null && deps.now() > order.deadlineMs
  // A reorganisation removed the payment, and the solver has the deposit: it pays again at any
  // time. One that colludes does not pay after it took a deposit.
  const owes = wasFilled && sourceSwap?.redeemed != null
  const mayFill = conduct.fills && (owes || isLate === conduct.fillsLate)
  const hasTaken = conduct.treat !== null && sourceSwap?.redeemed != null && !owes
  const isClosed = sourceSwap?.refunded != null || hasTaken
  if (!mayFill || !sourceSwap || isClosed || destinationSwap) return
  const swap = termsOf(deps, order).destination
  const units = max(1n, swap.units - conduct.fillShortUnits)
  const timelock = conduct.fillTimelock ?? swap.timelock
  const payee = conduct.fillsForAnother ? { redeemer: "stranger" } : {}
  const name = nameOfPayment(destination, "fill", conduct.fillShortUnits)
  destination.submit(
    transactionOf(turn, name, {
      kind: "initiate",
      payer: "solver",
      swap: { ...swap, units, timelock, ...payee },
    }),
  )
}

/** The service pays the destination to us. */
function redeemDestination(turn: Turn, isRefunding: boolean): void {
  const { conduct, destination, sourceSwap, destinationSwap } = turn
  const waits = conduct.racesRefund && !isRefunding && !sourceSwap?.refunded
  if (!conduct.redeems || !turn.hasSecret || !isOpen(destinationSwap) || waits) return
  const { shortUnits } = conduct
  const name = nameOfPayment(destination, "pay", shortUnits)
  const action = { kind: "redeem", key: destinationSwap.key, payTo: "wallet", shortUnits } as const
  destination.submit(transactionOf(turn, name, action))
}

/** The solver refunds an unredeemed payout after its timelock. */
function refundDestination(turn: Turn): void {
  const { conduct, destination, destinationSwap } = turn
  if (!conduct.takesBack || !isOpen(destinationSwap)) return
  if (destination.height() < destinationSwap.initiated.height + destinationSwap.timelock) return
  destination.submit(transactionOf(turn, "back", { kind: "refund", key: destinationSwap.key }))
}

/** The solver redeems the source once it knows the secret. */
function redeemSource(turn: Turn, isRefunding: boolean): void {
  const { conduct, source, sourceSwap, destinationSwap } = turn
  const isPaying = conduct.racesRefund && isRefunding && isOpen(destinationSwap)
  const isShown = turn.destination
    .mempool()
    .some(({ action }) => action.kind === "redeem" && action.key === destinationSwap?.key)
  const isThief = turn.order.isOwn === true ? turn.hasSecret || isShown : !conduct.fills || isPaying
  const knowsSecret = destinationSwap?.redeemed || isThief
  if (!conduct.takesSource || !sourceSwap || sourceSwap.redeemed || !knowsSecret) return
  const action = { kind: "redeem", key: sourceSwap.key, payTo: "solver", shortUnits: 0n } as const
  const redemption = transactionOf(turn, "take", action)
  if (isPaying) submitFirst(source, redemption)
  else source.submit(redemption)
}

function isOpen(swap: SwapState | undefined): swap is SwapState {
  return swap !== undefined && !swap.redeemed && !swap.refunded
}

/**
 * A Bitcoin transaction with other outputs has another id. On other chains the id does not depend
 * on the amount that the call pays.
 */
function nameOfPayment(ledger: FakeLedger, name: string, shortUnits: bigint): string {
  return ledger.kind === "utxo" && shortUnits > 0n ? `${name} short` : name
}

/** Puts a transaction at the front of the next block, as a redeemer with a high fee does. */
function submitFirst(ledger: FakeLedger, tx: LedgerTx): void {
  const waiting = ledger.mempool()
  ledger.dropMempool()
  for (const each of [tx, ...waiting]) ledger.submit(each)
}

function toCreated(deps: Deps, order: FakeOrder, gasless: boolean): CreatedOrder {
  const ledger = ledgerOf(deps, order.from)
  const { orderId, sourceUnits: units, secretHash, sourceTimelock: timelock } = order
  const data = encodeJson({ redeemer: SOLVER, timelock, units, secretHash })
  const typedData = gasless && deps.isToken(order.from) ? { primaryType: "Initiate" } : null
  const family = deps.families?.get(chainOf(order.from)) ?? familyOf({ ledger })
  return {
    orderId,
    depositRequest: depositRequestOf(family, {
      to: termsOf(deps, order).source.key,
      units,
      data,
      typedData,
    }),
  }
}

function depositRequestOf(
  family: Family,
  { to, units, data, typedData }: { to: string; units: bigint; data: string; typedData: unknown },
): DepositRequest {
  switch (family) {
    case "bitcoin":
      return { family, to, units }
    case "solana":
      return { family, transaction: data }
    case "starknet":
      return {
        family,
        transaction: { to: HTLC, selector: "initiate", calldata: [data] },
        typedData,
      }
    default: {
      const transaction = { to: HTLC, valueUnits: 0n, data, gasLimit: 100_000n, chainId: 1n }
      return { family, transaction, approval: null, typedData }
    }
  }
}

function toServiceOrder(deps: Deps, order: FakeOrder, conduct: Conduct): ServiceOrder {
  const { orderId, nonce, deadlineMs } = order
  const own = leg(deps, order, "source")
  const isStrange = conduct.namesStrangerSwap && ledgerOf(deps, order.from).kind !== "utxo"
  const source = isStrange ? { ...own, swapId: STRANGER } : own
  const destination = leg(deps, order, "destination")
  const redeemReport =
    conduct.reportsRedeemed && source.initiateTx !== null ? { redeemTx: hashOf("nothing") } : {}
  return {
    orderId,
    nonce,
    version: "v1",
    source,
    destination: {
      ...(conduct.namesPayout ? destination : { ...destination, ...UNNAMED }),
      ...redeemReport,
    },
    deadlineMs,
    affiliateFees: order.affiliateFees,
  }
}

const UNNAMED = { initiateTx: null, redeemTx: null, refundTx: null } as const

function leg(deps: Deps, order: FakeOrder, side: "source" | "destination"): ReportedLeg {
  const isSource = side === "source"
  const terms = termsOf(deps, order)[side]
  const swap = isSource ? sourceOf(deps, order) : destinationOf(deps, order)
  const asset = isSource ? order.from : order.to
  return {
    swapId: terms.key,
    chain: chainOf(asset),
    asset,
    initiator: isSource ? accountOf(chainOf(asset)) : SOLVER,
    redeemer: isSource ? SOLVER : accountOf(chainOf(asset)),
    delegate: isSource ? null : (order.delegate ?? null),
    timelock: terms.timelock,
    units: terms.units,
    filledUnits: swap?.units ?? 0n,
    secretHash: order.secretHash,
    secret: null,
    initiateTx: swap?.initiated.txid ?? null,
    redeemTx: swap?.redeemed?.txid ?? null,
    refundTx: swap?.refunded?.txid ?? null,
    instantRefundTx: null,
    requiredConfirmations: 1,
    currentConfirmations: 0,
  }
}

function termsOf(deps: Deps, order: FakeOrder): Terms {
  const known = deps.terms.get(order)
  if (known !== undefined) return known
  const { from, to, secretHash } = order
  const keyOf = (asset: AssetId, initiator: string): string =>
    swapKey(ledgerOf(deps, asset), chainOf(asset), { secretHash, initiator })
  const terms = {
    source: {
      key: keyOf(from, accountOf(chainOf(from))),
      asset: from,
      units: order.sourceUnits,
      secretHash,
      timelock: order.sourceTimelock,
      token: deps.isToken(from),
    },
    destination: {
      key: keyOf(to, SOLVER),
      asset: to,
      units: order.destinationUnits,
      secretHash,
      timelock: order.destinationTimelock,
      token: false,
    },
  }
  deps.terms.set(order, terms)
  return terms
}

function sourceOf(deps: Deps, order: FakeOrder): SwapState | undefined {
  return ledgerOf(deps, order.from).state().swaps.get(termsOf(deps, order).source.key)
}

function destinationOf(deps: Deps, order: FakeOrder): SwapState | undefined {
  return ledgerOf(deps, order.to).state().swaps.get(termsOf(deps, order).destination.key)
}

function ledgerOf({ ledgers }: Deps, asset: AssetId): FakeLedger {
  const ledger = ledgers.get(chainOf(asset))
  if (!ledger) throw failure("refused", "service.no_pair")
  return ledger
}
