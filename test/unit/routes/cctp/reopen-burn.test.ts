import { expect, test } from "vitest"
import { findBurnDomain } from "#chains/evm/cctp/presets.ts"
import { parseAssetId } from "#domain/asset.ts"
import { mustExist } from "#lib/assert.ts"
import { type BurnMessage, encodeBurnMessage } from "#routes/cctp/message.ts"
import type { BurnSide } from "#routes/cctp/quote-burns.ts"
import { reopenBurn } from "#routes/cctp/reopen-burn.ts"
import { LIVE_FIELDS } from "./live-mint.ts"

const OTHER = `0x${"55".repeat(32)}` as const
const sideOf = (
  asset: string,
  chainId: number,
  recipient = LIVE_FIELDS.mintRecipient,
): BurnSide => ({
  asset: parseAssetId(asset),
  family: "evm",
  domain: mustExist(findBurnDomain(chainId), asset),
  payee: "our account",
  mintRecipient: recipient,
})
/** Optimism has the number 2 on both networks. */
const FROM = sideOf("arbitrum_sepolia:usdc", 421_614)
const MAIN = sideOf("optimism:usdc", 10)
const TEST = sideOf("optimism_sepolia:usdc", 11_155_420)

function reopen(sides: readonly BurnSide[], change: Partial<BurnMessage> = {}) {
  const message = encodeBurnMessage({ ...LIVE_FIELDS, ...change })
  return reopenBurn(sides, { asset: FROM.asset, txid: "0x12", evidence: { message } })
}

test("the order of a burn has its terms, and a name that is the same at each run", () => {
  const order = reopen([FROM, MAIN, TEST])
  expect(order).toMatchObject({
    quote: {
      from: FROM.asset,
      to: TEST.asset,
      sourceUnits: 500_000n,
      destinationUnits: 499_000n,
      solverId: "fast",
    },
    depositRequest: { burn: { txid: "0x12", maxFeeUnits: 1_000n, payee: "our account" } },
  })
  expect(reopen([FROM, MAIN, TEST])).toEqual(order)
  expect(reopen([FROM, TEST], { minFinalityThreshold: 2_000 })).toMatchObject({
    quote: { solverId: "standard" },
  })
})

test("a burn to a chain of another network, or to an account that is not ours, is none", () => {
  const unknown = { refused: { code: "recover.unknown_asset", domain: "2" } }
  expect(reopen([FROM, MAIN])).toMatchObject(unknown)
  expect(reopen([TEST])).toMatchObject(unknown)
  expect(reopen([FROM, TEST], { mintRecipient: OTHER })).toMatchObject({
    refused: { code: "cctp.burn_differs", recipient: OTHER },
  })
})
