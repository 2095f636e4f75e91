import type { Hex } from "viem"
import type { LocalSwap, ObservedTransaction, SwapObservation } from "../local-chain.ts"
import { htlcOf, type Terms, termsOf, withPrefix } from "./describe-swap.ts"
import type { EvmClient } from "./evm-client.ts"
import { htlcAbi } from "./htlc-abi.ts"

/**
 * Observes a swap by the events of its HTLC.
 *
 * The order id covers every term, so a deposit with another amount or redeemer is another order. The search therefore uses the secret
 * hash: it prefers the exact order, and otherwise takes the latest order of the swap's initiator. `deposit` has the terms of that order.
 * `filledUnits` is the amount that it locks for this swap: zero if the redeemer or the timelock differs.
 */
export async function observeSwap(client: EvmClient, swap: LocalSwap): Promise<EvmSwapObservation> {
  const address = htlcOf(swap)
  const secretHash = withPrefix(swap.secretHash)
  const range = { address, abi: htlcAbi, fromBlock: BigInt(swap.extra["fromHeight"] ?? "0"), strict: true } as const
  const initiations = await client.getContractEvents({ ...range, eventName: "Initiated", args: { secretHash } })
  const deposit = await chooseDeposit(client, swap, initiations)
  if (deposit === null) return { initiated: null, redeemed: null, refunded: null, deposit: null }

  const orderID = deposit.orderId
  const [redemptions, refunds] = await Promise.all([
    client.getContractEvents({ ...range, eventName: "Redeemed", args: { orderID, secretHash } }),
    client.getContractEvents({ ...range, eventName: "Refunded", args: { orderID } }),
  ])
  const readTransaction = createTransactionReader(client, await client.getBlockNumber())
  const [redeemed, refunded] = [redemptions[0], refunds[0]]
  return {
    initiated: { ...(await readTransaction(deposit)), filledUnits: filledUnits(termsOf(swap), deposit.terms) },
    redeemed: redeemed ? { ...(await readTransaction(redeemed)), secret: redeemed.args.secret.slice(2) } : null,
    refunded: refunded ? await readTransaction(refunded) : null,
    deposit,
  }
}

export type EvmSwapObservation = SwapObservation & { readonly deposit: Deposit | null }

/** An initiation with the terms that the chain shows, which can differ from the requested ones. */
export type Deposit = EventPlace & { readonly orderId: Hex; readonly terms: Terms }

type EventPlace = { readonly transactionHash: Hex; readonly blockNumber: bigint }

type Initiation = EventPlace & { readonly args: { readonly orderID: Hex; readonly amount: bigint } }

async function chooseDeposit(
  client: EvmClient,
  swap: LocalSwap,
  initiations: readonly Initiation[],
): Promise<Deposit | null> {
  const terms = termsOf(swap)
  const exact = initiations.find(({ args }) => args.orderID === withPrefix(swap.swapId))
  if (exact) return { ...placeOf(exact), orderId: exact.args.orderID, terms }
  for (const candidate of initiations.toReversed()) {
    const orderId = candidate.args.orderID
    const order = await client.readContract({
      address: htlcOf(swap),
      abi: htlcAbi,
      functionName: "orders",
      args: [orderId],
    })
    const [initiator, redeemer, , timelock, units] = order
    const found = { initiator, redeemer, timelock, units, secretHash: terms.secretHash }
    // Any account can lock funds with a public secret hash, so only a deposit of the swap's initiator belongs to this swap.
    if (initiator === terms.initiator) return { ...placeOf(candidate), orderId, terms: found }
  }
  return null
}

function filledUnits(asked: Terms, locked: Terms): bigint {
  return asked.redeemer === locked.redeemer && asked.timelock === locked.timelock ? locked.units : 0n
}

function placeOf({ transactionHash, blockNumber }: EventPlace): EventPlace {
  return { transactionHash, blockNumber }
}

function createTransactionReader(
  client: EvmClient,
  height: bigint,
): (place: EventPlace) => Promise<ObservedTransaction> {
  return async ({ transactionHash, blockNumber }) => {
    const block = await client.getBlock({ blockNumber })
    return {
      txHash: transactionHash,
      blockNumber,
      confirmations: Number(height - blockNumber) + 1,
      timestampMs: Number(block.timestamp) * 1_000,
    }
  }
}
