import { FIAT_DECIMALS } from "#domain/amount.ts"
import type { FeedPrice, PriceFeed } from "#domain/price.ts"
import { AppError } from "#lib/app-error.ts"
import type { SolanaNode } from "../node.ts"

type AccountFeed = Extract<PriceFeed, { kind: "pyth" }>

/**
 * The Pyth receiver owns every price account, on the main network and on devnet (Pyth's
 * documentation, "Contract addresses").
 */
const RECEIVER_PROGRAM = "rec5EKMGg6MxZYaMdyBfgwp4d5rB9T1VQH5pJv5LtFJ"

/**
 * Reads a price account: the owner, the feed's id, the full verification by the guardians, and the
 * confidence. Throws `prices.feed` (transient).
 */
export async function readPriceFeed(
  feed: AccountFeed,
  node: Pick<SolanaNode, "fetchAccount">,
): Promise<FeedPrice> {
  const account = await node.fetchAccount(feed.address)
  if (account === null) throw refuse(`no price account is at ${feed.address}`)
  if (account.owner !== RECEIVER_PROGRAM)
    throw refuse(`${feed.address} belongs to ${account.owner}, not to the Pyth receiver`)
  const update = decodePriceUpdate(account.data)
  if (update === null) throw refuse(`${feed.address} is no price account of the published layout`)
  return judgeUpdate(update, feed)
}

/**
 * The values of a `PriceUpdateV2` account. `price × 10^exponent` is the price in dollars;
 * `publishedAt` in Unix seconds.
 */
type PriceUpdate = {
  readonly isFullyVerified: boolean
  readonly feedId: string
  readonly price: bigint
  readonly confidence: bigint
  readonly exponent: number
  readonly publishedAt: bigint
  readonly postedSlot: bigint
}

/** The Anchor discriminator of `PriceUpdateV2`. */
const DISCRIMINATOR = Buffer.from([34, 241, 35, 99, 157, 126, 244, 205])
const LEVEL_AT = 40
const PARTIAL = 0
const FULL = 1
const MESSAGE_BYTES = 84

/**
 * Decodes the published layout (IDL of the Pyth receiver): discriminator 8, write authority 32,
 * verification level (one byte for `Full`, two for `Partial`), the message, and the slot u64.
 * Message: feed id 32, price i64, confidence u64, exponent i32, publish time i64, previous publish
 * time i64, EMA price i64, EMA confidence u64. `null` for anything else.
 */
export function decodePriceUpdate(data: Buffer): PriceUpdate | null {
  if (data.length <= LEVEL_AT || !data.subarray(0, 8).equals(DISCRIMINATOR)) return null
  const level = data[LEVEL_AT]
  if (level !== PARTIAL && level !== FULL) return null
  const at = level === FULL ? LEVEL_AT + 1 : LEVEL_AT + 2
  if (data.length < at + MESSAGE_BYTES + 8) return null
  return {
    isFullyVerified: level === FULL,
    feedId: data.subarray(at, at + 32).toString("hex"),
    price: data.readBigInt64LE(at + 32),
    confidence: data.readBigUInt64LE(at + 40),
    exponent: data.readInt32LE(at + 48),
    publishedAt: data.readBigInt64LE(at + 52),
    postedSlot: data.readBigUInt64LE(at + MESSAGE_BYTES),
  }
}

function judgeUpdate(
  update: PriceUpdate,
  { address, feedId, maxConfidenceBps }: AccountFeed,
): FeedPrice {
  const { price, confidence, exponent, publishedAt } = update
  if (!update.isFullyVerified)
    throw refuse(`the price at ${address} was verified by a part of the guardians only`)
  if (update.feedId !== feedId)
    throw refuse(`${address} holds the feed ${update.feedId}, not ${feedId}`)
  if (price <= 0n) throw refuse(`the price at ${address} is not above zero`)
  if (confidence * 10_000n > price * maxConfidenceBps) {
    throw refuse(
      `the confidence interval at ${address} is wider than ${maxConfidenceBps} bps of the price`,
    )
  }
  const shift = FIAT_DECIMALS + exponent
  if (Math.abs(shift) > MAX_SHIFT) throw refuse(`the exponent at ${address} is ${exponent}`)
  const fiat = shift >= 0 ? price * 10n ** BigInt(shift) : price / 10n ** BigInt(-shift)
  if (fiat === 0n) throw refuse(`the price at ${address} is too small to be counted in millionths`)
  return { fiat, atMs: Number(publishedAt) * 1_000 }
}

const MAX_SHIFT = 30

function refuse(message: string): AppError {
  return new AppError({ code: "prices.feed", disposition: "transient", message })
}
