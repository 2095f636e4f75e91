import { createHash } from "node:crypto"
import { expect, test } from "vitest"
import { parseAssetId, toChainId } from "#domain/asset.ts"
import type { DecodedDeposit } from "#domain/deposit.ts"
import type { ServiceOrder } from "#domain/leg.ts"
import type { OrderTerms } from "#domain/order.ts"
import { decideIntent } from "./intent.ts"

const FROM = parseAssetId("base_sepolia:wbtc")
const TO = parseAssetId("bitcoin_testnet:btc")
const TERMS: OrderTerms = {
  from: FROM,
  to: TO,
  sourceUnits: 10n,
  destinationUnits: 9n,
  sourceOwner: "us",
  destinationOwner: "us2",
}
const DEPOSIT: Partial<DecodedDeposit> = {
  chain: toChainId("base_sepolia"),
  htlc: "htlc",
  asset: FROM,
  units: 10n,
  redeemer: "solver",
  refundTo: "us",
  secretHash: "ab",
  timelock: 600n,
}

function hashOf(
  terms: Partial<OrderTerms>,
  deposit: Partial<DecodedDeposit>,
  timelock = 100n,
  fee = 0n,
): string {
  // CAST: the intent reads only these fields.
  const order = { destination: { timelock } } as ServiceOrder
  // CAST: as above.
  return decideIntent(
    { ...TERMS, ...terms },
    { ...DEPOSIT, ...deposit } as DecodedDeposit,
    order,
    fee,
  ).hash
}

test("an approval covers one intent: each field that moves money changes its hash", () => {
  const hashes = [
    hashOf({}, {}),
    hashOf({ to: parseAssetId("bitcoin:btc") }, {}),
    hashOf({ destinationOwner: "thief" }, {}),
    hashOf({ destinationUnits: 8n }, {}),
    hashOf({}, { chain: toChainId("base") }),
    hashOf({}, { htlc: "another" }),
    hashOf({}, { asset: null }),
    hashOf({}, { units: 11n }),
    hashOf({}, { redeemer: "thief" }),
    hashOf({}, { refundTo: "thief" }),
    hashOf({}, { secretHash: "cd" }),
    hashOf({}, { timelock: 601n }),
    hashOf({}, {}, 101n),
    hashOf({}, {}, 100n, 1n),
  ]
  expect(new Set(hashes).size).toBe(hashes.length)
  expect(hashOf({}, {})).toBe(hashes[0])
})

/**
 * The text is the format of stored approvals: a changed one would void each approval that a person
 * gave before an update.
 */
test(
  "the hash is the SHA-256 of the fields in their order, and names a payout fee only where " +
    "there is one",
  () => {
    const text = (fee: string): string =>
      `[["chain","base_sepolia"],["htlc","htlc"],["asset","base_sepolia:wbtc"],["units","10"],["redeemer","solver"],["refundTo","us"],["secretHash","ab"],["timelock","600"],["destinationAsset","bitcoin_testnet:btc"],["destinationOwner","us2"],["destinationUnits","9"],["destinationTimelock","100"]${fee}]`
    const sha = (content: string): string => createHash("sha256").update(content).digest("hex")
    expect(hashOf({}, {})).toBe(sha(text("")))
    expect(hashOf({}, {}, 100n, 7n)).toBe(sha(text(',["payoutFeeUnits","7"]')))
  },
)
