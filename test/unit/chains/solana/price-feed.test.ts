import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { decodePriceUpdate, readPriceFeed } from "#chains/solana/nodes/read-price-feed.ts"
import { mustExist } from "#lib/assert.ts"

type Recorded = {
  readonly label: string
  readonly data: string
  readonly decoded: Record<string, string | number>
}
/**
 * Accounts that the published IDL's own encoder wrote and read back; the file names the packages.
 */
const FILE = join(import.meta.dirname, "../../../fixtures/pyth-price-updates.json")
// CAST: our own file.
const { accounts } = JSON.parse(readFileSync(FILE, "utf8")) as { accounts: readonly Recorded[] }
const bytesOf = (label: string): Buffer =>
  Buffer.from(mustExist(accounts.find((one) => one.label === label)?.data, label), "base64")

const RECEIVER = "rec5EKMGg6MxZYaMdyBfgwp4d5rB9T1VQH5pJv5LtFJ"
const BTC_USD = "e62df6c8b4a85fe1a67db44dc12de5db330f7ac66b72dc658afedf0f4a415b43"
const FEED = {
  kind: "pyth",
  address: "4cSM2e6rvbGQUFiJbqytoVMi5GgghSMr8LwVrT9VPSPo",
  feedId: BTC_USD,
} as const

function read(
  data: Buffer | null,
  change: { owner?: string; feedId?: string; maxConfidenceBps?: bigint } = {},
) {
  const { owner = RECEIVER, feedId = BTC_USD, maxConfidenceBps = 100n } = change
  const fetchAccount = async () =>
    data === null ? null : { lamports: 1n, owner, data: Buffer.from(data) }
  return readPriceFeed({ ...FEED, feedId, maxConfidenceBps }, { fetchAccount })
}
const refused = (text: string) => ({
  code: "prices.feed",
  disposition: "transient",
  message: expect.stringContaining(text),
})

describe("a Pyth price account", () => {
  test.each(accounts)(
    "is decoded as the published client decodes it: $label",
    ({ data, decoded }) => {
      const update = mustExist(decodePriceUpdate(Buffer.from(data, "base64")), "an update")
      expect({
        level: update.isFullyVerified ? "full" : "partial",
        feedId: update.feedId,
        price: update.price.toString(),
        confidence: update.confidence.toString(),
        exponent: update.exponent,
        publishedAt: update.publishedAt.toString(),
        postedSlot: update.postedSlot.toString(),
      }).toEqual(decoded)
    },
  )

  test("gives its price in millionths, with the time of its publishers", async () => {
    expect(await read(bytesOf("full"))).toEqual({ fiat: 65_123_456_789n, atMs: 1_772_438_400_000 })
    expect((await read(bytesOf("whole"))).fiat).toBe(300_000_000n)
  })

  test.each<[string, Buffer | null, Parameters<typeof read>[1], string]>([
    ["no account", null, {}, "no price account"],
    [
      "another owner",
      bytesOf("full"),
      { owner: "11111111111111111111111111111111" },
      "not to the Pyth receiver",
    ],
    ["a part of the guardians", bytesOf("partial"), {}, "a part of the guardians"],
    ["another feed", bytesOf("full"), { feedId: "ff".repeat(32) }, `not ${"ff".repeat(32)}`],
    ["a negative price", bytesOf("negative"), {}, "not above zero"],
    ["a wide confidence interval", bytesOf("wide"), { maxConfidenceBps: 99n }, "wider than 99 bps"],
    [
      "another discriminator",
      Buffer.from([0, ...bytesOf("full").subarray(1)]),
      {},
      "published layout",
    ],
    ["too few bytes", bytesOf("full").subarray(0, 100), {}, "published layout"],
  ])("is refused for %s", async (_name, data, change, why) => {
    await expect(read(data, change)).rejects.toMatchObject(refused(why))
  })
})
