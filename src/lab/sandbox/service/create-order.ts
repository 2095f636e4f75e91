import { createHash, randomBytes } from "node:crypto"
import type { LocalChain, LocalSwap } from "../local-chain.ts"
import type { CreateBody } from "./create-body.ts"
import type { OrderStore } from "./order-store.ts"
import type { Dialect } from "./order-wire.ts"
import { type Pair, type QuoteBook, symbolOf } from "./quote-book.ts"
import { rejectRequest } from "./reject-request.ts"
import { sameOwner } from "./same-owner.ts"
import type { AffiliateRecord, StoredLeg, StoredOrder } from "./stored-order.ts"

/**
 * Creates orders: checks a create body against the current quotes, generates the secret, and asks
 * both chains to describe their HTLC. With a `secret_hash` the client keeps the secret, and reveals
 * it when the destination is funded.
 *
 * Like the interface, it is not idempotent. It answers 409 to a nonce that the depositor has used
 * before.
 */
export function createOrderCreator(options: OrderCreatorOptions): OrderCreator {
  const inProgress = new Set<string>()
  return async (body) => {
    const checked = checkOrder(body, options)
    const nonce = body.nonce ?? generateNonce()
    const key = `${body.source.owner.toLowerCase()} ${nonce}`
    // The description of a swap takes time, so remember the nonce until the order is stored: a
    // concurrent equal request then gets 409.
    if (inProgress.has(key) || isUsed(nonce, body.source.owner, options.store))
      rejectRequest(409, "duplicate nonce")
    inProgress.add(key)
    try {
      return await describeAndStore(body, { ...checked, nonce }, options)
    } finally {
      inProgress.delete(key)
    }
  }
}

type OrderCreatorOptions = {
  readonly chains: readonly LocalChain[]
  readonly book: QuoteBook
  readonly store: OrderStore
  readonly appId: string
  readonly dialect: Dialect
  /**
   * Seconds from creation to the deadline; `null` means 1 h, or 6 h for a Bitcoin source (field
   * notes).
   */
  readonly deadlineSeconds: number | null
}

/**
 * Gives the stored order and, in `response`, the family's fields of the create answer without
 * `order_id`.
 */
export type OrderCreator = (
  body: CreateBody,
) => Promise<{ readonly order: StoredOrder; readonly response: Readonly<Record<string, unknown>> }>

type Checked = {
  readonly pair: Pair
  readonly solverId: string
  readonly affiliateFees: readonly AffiliateRecord[]
}

function checkOrder(body: CreateBody, options: OrderCreatorOptions): Checked {
  const request = {
    from: body.source.asset,
    to: body.destination.asset,
    units: BigInt(body.source.amount),
  }
  const pair = options.book.findPair(request.from, request.to)
  rejectBadParties(body, pair)
  rejectBadSecretHash(body, options.store)
  const affiliateFees = body.affiliate_fees.map((entry) => {
    const payout = findPayoutAsset(entry.asset, entry.address, options.chains)
    const amount = options.book.payoutUnits({ ...payout, feeBps: entry.fee }, request).toString()
    return { asset: entry.asset, address: entry.address, fee: entry.fee, amount }
  })
  const affiliateBps = affiliateFees.reduce((sum, entry) => sum + entry.fee, 0)
  const quotes = options.book.quote({ ...request, affiliateBps })
  const offered =
    body.solver_id === undefined
      ? quotes
      : quotes.filter((quote) => quote.solverId === body.solver_id)
  const best =
    offered.at(-1) ?? rejectRequest(400, `no quotes available from solver ${body.solver_id}`)
  rejectBadAmount(BigInt(body.destination.amount), best.destinationUnits)
  return { pair, solverId: best.solverId, affiliateFees }
}

function rejectBadParties(body: CreateBody, pair: Pair): void {
  if (!pair.source.chain.isAddress(body.source.owner))
    rejectRequest(400, "source.owner is not an address on its chain")
  if (!pair.destination.chain.isAddress(body.destination.owner)) {
    rejectRequest(400, "destination.owner is not an address on its chain")
  }
  for (const side of ["source", "destination"] as const) {
    const key = delegateOf(body, pair, side)
    if (key !== undefined && !/^[0-9a-f]{64}$/.test(key)) {
      rejectRequest(400, `${side}.delegate: expected an x-only public key, 64 hex digits`)
    }
  }
  if (delegateOf(body, pair, "destination") !== undefined && body.secret_hash === undefined) {
    rejectRequest(
      400,
      "destination.delegate needs a secret_hash: this service redeems with its own key",
    )
  }
}

/**
 * Only Bitcoin has a delegate: the user's key of the refund leaf (source) or of the redeem leaf
 * (destination).
 */
function delegateOf(
  body: CreateBody,
  pair: Pair,
  side: "source" | "destination",
): string | undefined {
  return pair[side].chain.family === "bitcoin" ? body[side].delegate : undefined
}

/**
 * Two orders with one hash would share one secret: the first redemption reveals the secret of the
 * other.
 */
function rejectBadSecretHash(body: CreateBody, store: OrderStore): void {
  if (body.secret_hash === undefined) return
  if (!/^(0x)?[0-9a-fA-F]{64}$/.test(body.secret_hash))
    rejectRequest(400, "secret_hash: expected 32 bytes in hex")
  const hash = bareSecretHash(body.secret_hash)
  if (store.list().some((order) => order.source.swap.secretHash === hash)) {
    rejectRequest(400, "secret_hash: another order has it")
  }
}

function bareSecretHash(text: string): string {
  return text.replace(/^0x/, "").toLowerCase()
}

/**
 * The client may ask for at most the best quote, and down to 2 % less: a slower solver or an older
 * price gave such an amount.
 */
function rejectBadAmount(asked: bigint, best: bigint): void {
  if (asked > best) rejectRequest(400, `destination amount ${asked} exceeds the quote of ${best}`)
  if (asked * 100n < best * 98n) {
    rejectRequest(400, `destination amount ${asked} does not match any quote; the best is ${best}`)
  }
}

/** Affiliate payouts are USDC or cbBTC on a supported chain (service interface §1). */
function findPayoutAsset(
  assetId: string,
  address: string,
  chains: readonly LocalChain[],
): { symbol: string; decimals: number } {
  const symbol = symbolOf(assetId)
  const decimals = PAYOUT_DECIMALS[symbol]
  const chain = chains.find((candidate) => assetId === `${candidate.name}:${symbol}`)
  if (chain === undefined || decimals === undefined) {
    return rejectRequest(
      400,
      `affiliate fee asset ${assetId} is not supported: payouts are usdc or cbbtc on a ` +
        "supported chain",
    )
  }
  if (!chain.isAddress(address))
    rejectRequest(400, `affiliate fee address ${address} is not an address on ${chain.name}`)
  const listed = chain.assets.find((asset) => asset.id === assetId)
  return { symbol, decimals: listed?.decimals ?? decimals }
}

const PAYOUT_DECIMALS: Readonly<Record<string, number>> = { usdc: 6, cbbtc: 8 }

/**
 * Newer answers have a field for data that the destination needs. The sandbox's destinations need
 * none.
 */
const NO_DATA = "0x"

async function describeAndStore(
  body: CreateBody,
  checked: Checked & { readonly nonce: string },
  options: OrderCreatorOptions,
): ReturnType<OrderCreator> {
  const { source, destination } = checked.pair
  const secret = body.secret_hash === undefined ? randomBytes(32) : null
  const secretHash =
    secret === null
      ? bareSecretHash(body.secret_hash ?? "")
      : createHash("sha256").update(secret).digest("hex")
  const refundKey = delegateOf(body, checked.pair, "source")
  const redeemKey = delegateOf(body, checked.pair, "destination")
  const { swap, response } = await source.chain.describeSource({
    assetId: body.source.asset,
    units: BigInt(body.source.amount),
    owner: body.source.owner,
    secretHash,
    timelock: source.chain.timelocks.source,
    ...(refundKey === undefined ? {} : { delegate: refundKey }),
    ...(options.dialect === "2026" ? { destinationData: NO_DATA } : {}),
  })
  const destinationSwap = await destination.chain.describeDestination({
    assetId: body.destination.asset,
    units: BigInt(body.destination.amount),
    owner: body.destination.owner,
    secretHash,
    timelock: destination.chain.timelocks.destination,
    ...(redeemKey === undefined ? {} : { delegate: redeemKey }),
  })
  const createdAtMs = Date.now()
  const seconds = options.deadlineSeconds ?? (source.chain.family === "bitcoin" ? 6 : 1) * 3600
  const order: StoredOrder = {
    id: randomBytes(32).toString("hex"),
    nonce: checked.nonce,
    solverId: checked.solverId,
    createdAtMs,
    deadlineMs: createdAtMs + seconds * 1000,
    secret: secret?.toString("hex") ?? "",
    source: newLeg(swap, source.price, source.chain),
    destination: newLeg(destinationSwap, destination.price, destination.chain),
    affiliateFees: checked.affiliateFees,
    // The interface says "present on some orders only"; the sandbox sets it on orders that pay an
    // affiliate.
    integrator: checked.affiliateFees.length > 0 ? options.appId : null,
    version: source.chain.contracts ?? destination.chain.contracts ?? "v2",
    ...(body.slippage === undefined ? {} : { slippageBps: body.slippage }),
    phase: "open",
    note: "waits for the deposit",
    depositSeenAtMs: null,
    attempts: {},
  }
  options.store.put(order)
  return { order, response }
}

function newLeg(swap: LocalSwap, price: string, chain: LocalChain): StoredLeg {
  const seen = { initiated: null, redeemed: null, refunded: null }
  return { swap, price, requiredConfirmations: chain.requiredConfirmations, seen }
}

/** A random u64 with its highest bit set, so that no JavaScript number can hold it exactly. */
function generateNonce(): string {
  return (randomBytes(8).readBigUInt64BE() | (1n << 63n)).toString()
}

function isUsed(nonce: string, owner: string, store: OrderStore): boolean {
  return store
    .list()
    .some((order) => order.nonce === nonce && sameOwner(order.source.swap.owner, owner))
}
