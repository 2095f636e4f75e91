import { expect } from "vitest"
import type { SandboxSummary } from "../../../src/app/cli/demo/demo-config.ts"
import { SANDBOX_WALLETS } from "../../../src/lab/sandbox/sandbox-wallets.ts"
import { chainOf, type World } from "./open-client.ts"
import { createDestination, readPaid, readPayer, readTransaction } from "./plain-chain.ts"
import {
  type Garden,
  type Htlc,
  orderbook,
  type PublishedOrder,
  type PublishedQuote,
  type Result,
  type SwapParams,
  unwrap,
} from "./published-client.ts"

/**
 * Quote, order and deposit, as an app makes them with the published client. Then the client follows
 * the order to its payout, and plain chain clients check payout, redemption, and the payer of the
 * deposit's gas.
 */
export async function completeSwap(
  world: World,
  route: Route,
  deposit: Deposit = depositByCreateSwap,
): Promise<void> {
  const garden = world.client.gardenFor(route.from)
  const quote = await findQuote(garden, route)
  const destinationAddress = await createDestination(world, route.to)
  const { orderId, tx } = await deposit(world, {
    fromAsset: route.from,
    toAsset: route.to,
    sendAmount: quote.source.amount,
    receiveAmount: quote.destination.amount,
    solverId: quote.solver_id,
    sourceAddress: ownerOf(world.sandbox, route.from),
    destinationAddress,
  })
  const { version, source_swap, destination_swap } = await followOrder(garden, orderId)
  const source = chainOf(world.sandbox, route.from)
  const destination = chainOf(world.sandbox, route.to)
  if (VERSIONED.has(source.family)) expect(version).toBe("v3")
  // The service may report a redemption before the plain client of its chain shows it.
  await expect
    .poll(() => readTransaction(destination, destination_swap.redeem_tx_hash))
    .toBe("succeeded")
  expect(await readPaid(destination, route.to, destinationAddress)).toBe(
    BigInt(quote.destination.amount),
  )
  // On Bitcoin the service reports the height too: `txid:height`.
  if (tx !== undefined) expect(source_swap.initiate_tx_hash.split(":")[0]).toBe(tx)
  if (source.family === "bitcoin") return
  const payer = await readPayer(source, source_swap.initiate_tx_hash)
  const own = sameAddress(payer, ownerOf(world.sandbox, route.from))
  expect(own ? "the owner pays the gas" : "a relay pays the gas").toBe(route.gas)
}

/** The families with versions of their HTLC contracts. The live ones are version 3. */
const VERSIONED = new Set(["evm", "starknet"])

export type Route = {
  readonly from: string
  readonly to: string
  /** Of the source; of the destination with `exactOut`. */
  readonly amount: number
  readonly exactOut?: boolean
  readonly gas: "the owner pays the gas" | "a relay pays the gas"
}

/**
 * Creates the order and makes its deposit. `tx` is the transaction that the client reports, where
 * its function reports one.
 */
export type Deposit = (
  world: World,
  params: SwapParams,
) => Promise<{ readonly orderId: string; readonly tx?: string }>

/**
 * `createSwap` makes the deposit too. The exception is Bitcoin: there it gives the address and the
 * amount for the wallet.
 */
export const depositByCreateSwap: Deposit = async ({ client }, params) => {
  const created = unwrap(await client.gardenFor(params.fromAsset).createSwap(params))
  if (typeof created === "string") return { orderId: created }
  // CAST: BitcoinOrderResponse of the client.
  const { order_id, to, amount } = created as { order_id: string; to: string; amount: string }
  return { orderId: order_id, tx: await client.bitcoin.wallet.send(to, Number(amount)) }
}

/**
 * The two steps of `createSwap`. Only so the client shows the transaction of the deposit, as the
 * relay has answered it.
 */
export const depositByAnswer: Deposit = async (world, params) => {
  const garden = world.client.gardenFor(params.fromAsset)
  const created = unwrap(await garden.createOrder(params))
  const tx = unwrap(await htlcOf(world, garden, params.fromAsset).initiate(created))
  return { orderId: created.order_id, tx }
}

/**
 * The client builds the deposit itself from the order: calls and typed data come from its own
 * interface of the contract.
 */
export const depositByOrder: Deposit = async (world, params) => {
  const garden = world.client.gardenFor(params.fromAsset)
  const { order_id: orderId } = unwrap(await garden.createOrder(params))
  const order = unwrap(await garden.getOrder(orderId))
  return { orderId, tx: unwrap(await htlcOf(world, garden, params.fromAsset).initiate(order)) }
}

export function htlcOf({ sandbox }: World, garden: Garden, asset: string): Htlc {
  const { family } = chainOf(sandbox, asset)
  if (family === "evm" || family === "solana" || family === "starknet") return garden.htlcs[family]
  throw new Error(`no HTLC of the client for ${asset}`)
}

async function findQuote(
  garden: Garden,
  { from, to, amount, exactOut = false }: Route,
): Promise<PublishedQuote> {
  const quotes = unwrap(await garden.quote.getQuote(from, to, amount, exactOut))
  // The sandbox gives the best offer last.
  const best = quotes.at(-1)
  if (!best) throw new Error(`no quote from ${from} to ${to}`)
  expect(Number(exactOut ? best.destination.amount : best.source.amount)).toBe(amount)
  return best
}

/** Polls the order until the client's own status says that the destination is redeemed. */
export async function followOrder(garden: Garden, orderId: string): Promise<PublishedOrder> {
  const end = Date.now() + 60_000
  let last: Result<PublishedOrder> | null = null
  while (Date.now() < end) {
    last = await garden.getOrder(orderId)
    if (last.ok && last.val.status === orderbook.OrderStatus["Redeemed"]) return last.val
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
  throw new Error(`the order did not end: ${JSON.stringify(last)}`)
}

export function ownerOf(sandbox: SandboxSummary, asset: string): string {
  // CAST: the families of the sandbox's chains are the keys of its wallets.
  return SANDBOX_WALLETS[chainOf(sandbox, asset).family as keyof typeof SANDBOX_WALLETS]
}

/** Checksums and leading zeros of hex addresses carry no meaning. */
function sameAddress(a: string, b: string): boolean {
  return a.startsWith("0x") ? BigInt(a) === BigInt(b) : a === b
}
