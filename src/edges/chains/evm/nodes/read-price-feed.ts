import { type Address, parseAbi } from "viem"
import { FIAT_DECIMALS } from "#domain/amount.ts"
import type { FeedPrice, PriceFeed } from "#domain/price.ts"
import { AppError } from "#lib/app-error.ts"
import type { At } from "../rpc.ts"
import { requireAddress } from "../wallet.ts"

type ContractFeed = Extract<PriceFeed, { kind: "chainlink" }>

/** The used part of Chainlink's published AggregatorV3Interface. */
const feedAbi = parseAbi([
  "function decimals() view returns (uint8)",
  "function description() view returns (string)",
  "function latestRoundData() view returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)",
])

/**
 * After the sequencer of a rollup is up again, its feeds still show old prices for a while
 * (Chainlink's documentation: one hour).
 */
const SEQUENCER_GRACE_MS = 3_600_000
const MAX_DECIMALS = 36

/**
 * Reads a feed at one block. Its description must name a price in dollars, and its newest round
 * must be complete. Throws `prices.feed` (transient).
 */
export async function readPriceFeed(
  { address, sequencer }: ContractFeed,
  at: At,
): Promise<FeedPrice> {
  try {
    return await readWhole({ address, sequencer }, at)
  } catch (error) {
    throw hasNoContract(error) ? refuse(`there is no feed at ${address} on this chain`) : error
  }
}

/** A call to an address without code succeeds, and returns nothing. */
function hasNoContract(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return error.name === "ContractFunctionZeroDataError" || hasNoContract(error.cause)
}

async function readWhole(
  { address, sequencer }: Pick<ContractFeed, "address" | "sequencer">,
  at: At,
): Promise<FeedPrice> {
  const feed = requireAddress(address)
  const [decimals, description, round] = await Promise.all([
    at.client.readContract({
      address: feed,
      abi: feedAbi,
      functionName: "decimals",
      blockNumber: at.height,
    }),
    at.client.readContract({
      address: feed,
      abi: feedAbi,
      functionName: "description",
      blockNumber: at.height,
    }),
    readRound(feed, at),
    sequencer === null ? null : checkSequencer(requireAddress(sequencer), at),
  ])
  if (!/\/\s*USD\s*$/i.test(description))
    throw refuse(`${address} is the feed "${description.slice(0, 60)}", not a price in USD`)
  if (decimals > MAX_DECIMALS) throw refuse(`${address} has ${decimals} decimals`)
  const { roundId, answer, startedAt, updatedAt, answeredInRound } = round
  if (roundId === 0n || updatedAt === 0n || startedAt === 0n)
    throw refuse(`the newest round of ${address} is not complete`)
  if (answeredInRound < roundId)
    throw refuse(`the answer of ${address} is carried over from an earlier round`)
  if (answer <= 0n) throw refuse(`the answer of ${address} is not above zero`)
  const fiat = scale(answer, decimals)
  if (fiat === 0n) throw refuse(`the price of ${address} is too small to be counted in millionths`)
  return { fiat, atMs: Number(updatedAt) * 1_000 }
}

async function readRound(address: Address, { client, height: blockNumber }: At) {
  const call = { address, abi: feedAbi, functionName: "latestRoundData", blockNumber } as const
  const [roundId, answer, startedAt, updatedAt, answeredInRound] = await client.readContract(call)
  return { roundId, answer, startedAt, updatedAt, answeredInRound }
}

/**
 * The uptime feed answers 0 while the sequencer is up, and 1 while it is down; `startedAt` is the
 * time of the change.
 */
async function checkSequencer(address: Address, at: At): Promise<void> {
  const { answer, startedAt } = await readRound(address, at)
  if (answer !== 0n) throw refuse("the sequencer of the chain is down")
  const upMs = (at.block.timeMs ?? 0) - Number(startedAt) * 1_000
  if (startedAt === 0n || upMs <= SEQUENCER_GRACE_MS) {
    throw refuse(
      "the sequencer of the chain was down less than an hour ago, so its feeds may be old",
    )
  }
}

function scale(answer: bigint, decimals: number): bigint {
  const shift = FIAT_DECIMALS - decimals
  return shift >= 0 ? answer * 10n ** BigInt(shift) : answer / 10n ** BigInt(-shift)
}

function refuse(message: string): AppError {
  return new AppError({ code: "prices.feed", disposition: "transient", message })
}
