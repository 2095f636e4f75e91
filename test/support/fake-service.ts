import { type AssetId, type ChainId, chainOf, type Family } from "#domain/asset.ts"
import type { CreatedOrder, DepositRequest } from "#domain/deposit.ts"
import type { ReportedLeg, ServiceOrder } from "#domain/leg.ts"
import { encodeJson } from "#lib/json.ts"
import type { ServicePort } from "#service/port.ts"
import { accountOf, familyOf, hashOf, swapKey } from "./fake-chain.ts"
import { type FakeLedger, HTLC, type LedgerTx, type SwapState, type SwapTerms } from "./fake-ledger.ts"
import { failure } from "./faults.ts"

/** What the service and its solver do, or fail to do. Tests turn these while an order is under way. */
export type Conduct = {
  /** The solver funds the destination. */
  fills: boolean
  /** It lets the deadline pass first. */
  fillsLate: boolean
  /** Units by which the solver funds the destination too low. */
  fillShortUnits: bigint
  /** The destination is redeemed to us. */
  redeems: boolean
  /** The source is redeemed by the solver. */
  takesSource: boolean
  /** The payout is held back until our refund is on its way; then everything comes at once. */
  racesRefund: boolean
  /** The solver takes an unredeemed payout back when its own lock is over. */
  takesBack: boolean
  /** A relayed signature is initiated on chain. */
  relays: boolean
  offersGasless: boolean
  /** The service says that the destination was redeemed, whatever the chain shows. */
  reportsRedeemed: boolean
  /** Units that the redemption pays too little. */
  shortUnits: bigint
  /** Fee of the quote, basis points. */
  costBps: bigint
  /** What a unit is worth in the quote, fiat millionths. */
  unitFiat: bigint
  /** Every order gets this secret hash. */
  secretHash: string | null
  sourceTimelock: bigint
  deadlineAfterMs: number | null
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
  readonly deadlineMs: number | null
  readonly affiliateFees: ServiceOrder["affiliateFees"]
}

export type FakeService = {
  readonly port: ServicePort
  readonly conduct: Conduct
  readonly orders: readonly FakeOrder[]
  /** A signature can never be used any more, because its contract was replaced; `false` where it was used before. */
  readonly forgetSignature: (orderId: string) => boolean
  /** One turn of relay, solver and redeemer: what is due goes to the mempools. */
  readonly act: () => void
}

type Deps = {
  readonly now: () => number
  readonly ledgers: ReadonlyMap<ChainId, FakeLedger>
  readonly isToken: (asset: AssetId) => boolean
  /** Chains whose family is another than their kind of ledger says. */
  readonly families?: ReadonlyMap<ChainId, Family>
}

const SOLVER = "solver"
const DESTINATION_TIMELOCK = 100n

/** An honest swap service with one solver, until its conduct is changed. It knows the ledgers, and nothing of ours. */
export function createFakeService(deps: Deps): FakeService {
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
    shortUnits: 0n,
    costBps: 30n,
    unitFiat: 1_000_000n,
    secretHash: null,
    sourceTimelock: 600n,
    deadlineAfterMs: 10 * 60_000,
  }
  const orders: FakeOrder[] = []
  const signed = new Set<string>()
  const find = (orderId: string): FakeOrder => {
    const order = orders.find((candidate) => candidate.orderId === orderId)
    if (!order) throw failure("refused", "service.not_found")
    return order
  }
  const port: ServicePort = {
    fetchQuotes: async ({ from, to, sourceUnits, affiliateBps }) => {
      const destinationUnits = sourceUnits - (sourceUnits * conduct.costBps) / 10_000n
      // One unit is worth one fiat unit: the numbers of a test are its limits.
      const fiat = {
        sourceFiat: sourceUnits * conduct.unitFiat,
        destinationFiat: destinationUnits * conduct.unitFiat,
      }
      return [
        { from, to, sourceUnits, destinationUnits, ...fiat, solverId: SOLVER, estimatedSeconds: 20, affiliateBps },
      ]
    },
    submitOrder: async ({ quote, nonce, affiliateFees: asked }) => {
      const { from, to, sourceUnits, destinationUnits } = quote
      const secretHash = conduct.secretHash ?? hashOf(`secret ${orders.length}`)
      const deadlineMs = conduct.deadlineAfterMs === null ? null : deps.now() + conduct.deadlineAfterMs
      const { sourceTimelock } = conduct
      const orderId = hashOf(`order ${orders.length}`)
      const amounts = { sourceUnits, destinationUnits, sourceTimelock, deadlineMs }
      const affiliateFees = asked.map((fee) => ({ ...fee, units: 1n }))
      const order = { orderId, nonce, affiliateFees, createdAtMs: deps.now(), secretHash, from, to, ...amounts }
      orders.push(order)
      return toCreated(deps, order, conduct.offersGasless)
    },
    fetchOrder: async (orderId) => toServiceOrder(deps, find(orderId), conduct),
    findOrders: async () => null,
    submitSignature: async (orderId, signature) => {
      const order = find(orderId)
      if (signature !== `signature ${order.secretHash}`) throw failure("refused", "service.signature")
      signed.add(orderId)
      return { answer: "accepted" }
    },
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
    for (const order of orders) actOn(deps, conduct, signed, order)
  }
  return { port, conduct, orders, forgetSignature, act }
}

function actOn(deps: Deps, conduct: Conduct, signed: ReadonlySet<string>, order: FakeOrder): void {
  const source = ledgerOf(deps, order.from)
  const destination = ledgerOf(deps, order.to)
  const [sourceSwap, destinationSwap] = [sourceOf(deps, order), destinationOf(deps, order)]
  const late = order.deadlineMs !== null && deps.now() > order.deadlineMs
  const tx = (what: string, action: LedgerTx["action"]): LedgerTx => ({
    txid: hashOf(`${what} ${order.orderId}`),
    fee: 0n,
    resources: [],
    action,
  })
  if (conduct.relays && !sourceSwap && signed.has(order.orderId)) {
    source.submit(tx("relay", { kind: "initiate", payer: "wallet", swap: sourceTerms(deps, order) }))
  }
  const mayFill = conduct.fills && late === conduct.fillsLate
  if (mayFill && sourceSwap && !sourceSwap.refunded && !destinationSwap) {
    const swap = destinationTerms(deps, order)
    const units = max(1n, swap.units - conduct.fillShortUnits)
    const fill = paying(destination, "fill", conduct.fillShortUnits)
    destination.submit(tx(fill, { kind: "initiate", payer: "solver", swap: { ...swap, units } }))
  }
  const isRefunding = source.mempool().some(({ action }) => action.kind === "refund" && action.key === sourceSwap?.key)
  const waits = conduct.racesRefund && !isRefunding && !sourceSwap?.refunded
  const isOpen = destinationSwap && !destinationSwap.redeemed && !destinationSwap.refunded
  if (conduct.redeems && isOpen && !waits) {
    const key = destinationSwap.key
    const pay = paying(destination, "pay", conduct.shortUnits)
    destination.submit(tx(pay, { kind: "redeem", key, payTo: "wallet", shortUnits: conduct.shortUnits }))
  }
  if (
    conduct.takesBack &&
    isOpen &&
    destination.height() >= destinationSwap.initiated.height + destinationSwap.timelock
  ) {
    destination.submit(tx("back", { kind: "refund", key: destinationSwap.key }))
  }
  const isPaying = conduct.racesRefund && isRefunding && isOpen
  if (
    conduct.takesSource &&
    sourceSwap &&
    !sourceSwap.redeemed &&
    (destinationSwap?.redeemed || isPaying || !conduct.fills)
  ) {
    const take = tx("take", { kind: "redeem", key: sourceSwap.key, payTo: "solver", shortUnits: 0n })
    if (isPaying) submitFirst(source, take)
    else source.submit(take)
  }
}

/** A Bitcoin transaction's id stands for its outputs; elsewhere what a call pays depends on the block that it is in. */
function paying(ledger: FakeLedger, what: string, shortUnits: bigint): string {
  return ledger.kind === "utxo" && shortUnits > 0n ? `${what} short` : what
}

/** A redeemer who is in a hurry pays for the front of the block. */
function submitFirst(ledger: FakeLedger, tx: LedgerTx): void {
  const waiting = ledger.mempool()
  ledger.dropMempool()
  for (const each of [tx, ...waiting]) ledger.submit(each)
}

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}

function toCreated(deps: Deps, order: FakeOrder, gasless: boolean): CreatedOrder {
  const ledger = ledgerOf(deps, order.from)
  const { orderId, sourceUnits: units, secretHash, sourceTimelock: timelock } = order
  const data = encodeJson({ redeemer: SOLVER, timelock, units, secretHash })
  const typedData = gasless && deps.isToken(order.from) ? { primaryType: "Initiate" } : null
  const family = deps.families?.get(chainOf(order.from)) ?? familyOf({ ledger })
  return { orderId, depositRequest: claimOf(family, { to: sourceTerms(deps, order).key, units, data, typedData }) }
}

function claimOf(
  family: Family,
  { to, units, data, typedData }: { to: string; units: bigint; data: string; typedData: unknown },
): DepositRequest {
  switch (family) {
    case "bitcoin":
      return { family, to, units }
    case "solana":
      return { family, transaction: data }
    case "starknet":
      return { family, transaction: { to: HTLC, selector: "initiate", calldata: [data] }, typedData }
    case "evm": {
      const transaction = { to: HTLC, valueUnits: 0n, data, gasLimit: 100_000n, chainId: 1n }
      return { family, transaction, approval: null, typedData }
    }
  }
}

function toServiceOrder(deps: Deps, order: FakeOrder, conduct: Conduct): ServiceOrder {
  const { orderId, nonce, deadlineMs } = order
  const source = leg(deps, order, "source")
  const destination = leg(deps, order, "destination")
  const claimed = conduct.reportsRedeemed && source.initiateTx !== null ? { redeemTx: hashOf("nothing") } : {}
  return {
    orderId,
    nonce,
    version: "v1",
    source,
    destination: { ...destination, ...claimed },
    deadlineMs,
    affiliateFees: order.affiliateFees,
  }
}

function leg(deps: Deps, order: FakeOrder, side: "source" | "destination"): ReportedLeg {
  const isSource = side === "source"
  const terms = isSource ? sourceTerms(deps, order) : destinationTerms(deps, order)
  const swap = isSource ? sourceOf(deps, order) : destinationOf(deps, order)
  const asset = isSource ? order.from : order.to
  return {
    swapId: terms.key,
    chain: chainOf(asset),
    asset,
    initiator: isSource ? accountOf(chainOf(asset)) : SOLVER,
    redeemer: isSource ? SOLVER : accountOf(chainOf(asset)),
    delegate: null,
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

function sourceTerms(deps: Deps, order: FakeOrder): SwapTerms {
  const { from: asset, secretHash, sourceUnits: units, sourceTimelock: timelock } = order
  const initiator = accountOf(chainOf(asset))
  const key = swapKey(ledgerOf(deps, asset), chainOf(asset), { secretHash, initiator })
  return { key, asset, units, secretHash, timelock, token: deps.isToken(asset) }
}

function destinationTerms(deps: Deps, order: FakeOrder): SwapTerms {
  const { to: asset, secretHash, destinationUnits: units } = order
  const key = swapKey(ledgerOf(deps, asset), chainOf(asset), { secretHash, initiator: SOLVER })
  return { key, asset, units, secretHash, timelock: DESTINATION_TIMELOCK, token: false }
}

function sourceOf(deps: Deps, order: FakeOrder): SwapState | undefined {
  return ledgerOf(deps, order.from).state().swaps.get(sourceTerms(deps, order).key)
}

function destinationOf(deps: Deps, order: FakeOrder): SwapState | undefined {
  return ledgerOf(deps, order.to).state().swaps.get(destinationTerms(deps, order).key)
}

function ledgerOf({ ledgers }: Deps, asset: AssetId): FakeLedger {
  const ledger = ledgers.get(chainOf(asset))
  if (!ledger) throw failure("refused", "service.no_pair")
  return ledger
}
