import type { Hex } from "viem"
import type { LocalSwap, ObservedTransaction, SwapObservation } from "../local-chain.ts"
import { htlcOf, type Terms, termsOf, versionOf, withPrefix } from "./describe-swap.ts"
import type { EvmClient } from "./evm-client.ts"
import { currentAbi, htlcAbi, olderAbi } from "./htlc-abi.ts"

/**
 * Observes a swap by the events of its HTLC.
 *
 * From version 2 on the order id covers every term, so a deposit with another amount or redeemer is
 * another order; the id of version 1 covers only the initiator. The search therefore uses the
 * secret hash and reads the terms from the contract: it prefers the exact order, and otherwise
 * takes the latest order of the swap's initiator. `deposit` has the terms of that order.
 * `filledUnits` is the amount that it locks for this swap: zero if the redeemer or the timelock
 * differs.
 */
export async function observeSwap(client: EvmClient, swap: LocalSwap): Promise<EvmSwapObservation> {
  const address = htlcOf(swap)
  const secretHash = withPrefix(swap.secretHash)
  const range = { address, abi: htlcAbi, fromBlock: fromBlockOf(swap), strict: true } as const
  const initiations = await findInitiations(client, swap)
  const deposit = await chooseDeposit(client, swap, initiations)
  if (deposit === null) return { initiated: null, redeemed: null, refunded: null, deposit: null }

  const orderID = deposit.orderId
  const [redemptions, refunds] = await Promise.all([
    client.getContractEvents({ ...range, eventName: "Redeemed", args: { orderID, secretHash } }),
    client.getContractEvents({ ...range, eventName: "Refunded", args: { orderID } }),
  ])
  const readTransaction = createTransactionReader(client, await client.getBlockNumber())
  const redeemed = redemptions[0]
  const refunded = refunds[0]
  return {
    initiated: {
      ...(await readTransaction(deposit)),
      filledUnits: filledUnits(termsOf(swap), deposit.terms),
    },
    redeemed: redeemed
      ? { ...(await readTransaction(redeemed)), secret: redeemed.args.secret.slice(2) }
      : null,
    refunded: refunded ? await readTransaction(refunded) : null,
    deposit,
  }
}

export type EvmSwapObservation = SwapObservation & { readonly deposit: Deposit | null }

/** An initiation with the terms that the chain shows, which can differ from the requested ones. */
type Deposit = EventPlace & { readonly orderId: Hex; readonly terms: Terms }

type EventPlace = { readonly transactionHash: Hex; readonly blockNumber: bigint }

type Initiation = EventPlace & { readonly args: { readonly orderID: Hex; readonly amount: bigint } }

async function findInitiations(client: EvmClient, swap: LocalSwap): Promise<readonly Initiation[]> {
  const search = {
    address: htlcOf(swap),
    fromBlock: fromBlockOf(swap),
    strict: true,
    eventName: "Initiated",
    args: { secretHash: withPrefix(swap.secretHash) },
  } as const
  return versionOf(swap) === "v3"
    ? client.getContractEvents({ ...search, abi: currentAbi })
    : client.getContractEvents({ ...search, abi: olderAbi })
}

function fromBlockOf(swap: LocalSwap): bigint {
  return BigInt(swap.extra["fromHeight"] ?? "0")
}

async function chooseDeposit(
  client: EvmClient,
  swap: LocalSwap,
  initiations: readonly Initiation[],
): Promise<Deposit | null> {
  const exact = initiations.filter(({ args }) => args.orderID === withPrefix(swap.swapId))
  for (const candidate of [...exact, ...initiations.toReversed()]) {
    const orderId = candidate.args.orderID
    const terms = await readOrder(client, swap, orderId)
    // Any account can lock funds with a public secret hash, so only a deposit of the swap's
    // initiator belongs to this swap.
    if (terms.initiator === termsOf(swap).initiator)
      return { ...placeOf(candidate), orderId, terms }
  }
  return null
}

async function readOrder(client: EvmClient, swap: LocalSwap, orderId: Hex): Promise<Terms> {
  const call = { address: htlcOf(swap), functionName: "orders", args: [orderId] } as const
  const { secretHash } = termsOf(swap)
  if (versionOf(swap) === "v3") {
    const [initiator, redeemer, , timelock, units] = await client.readContract({
      ...call,
      abi: currentAbi,
    })
    return { initiator, redeemer, timelock, units, secretHash }
  }
  const [, initiator, redeemer, , timelock, units] = await client.readContract({
    ...call,
    abi: olderAbi,
  })
  return { initiator, redeemer, timelock, units, secretHash }
}

function filledUnits(asked: Terms, locked: Terms): bigint {
  return asked.redeemer === locked.redeemer && asked.timelock === locked.timelock
    ? locked.units
    : 0n
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
