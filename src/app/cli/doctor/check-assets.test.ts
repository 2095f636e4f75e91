import { describe, expect, test } from "vitest"
import { parseAssetId } from "#domain/asset.ts"
import type { Finding } from "#domain/deposit.ts"
import type { ChainPort } from "#ports/chain.ts"
import { checkAssets } from "./check-assets.ts"

const USDC = parseAssetId("solana_testnet:usdc")

describe("the assets of a chain", () => {
  test("are healthy without a finding, and each finding is a failed check with its remedy", async () => {
    expect(
      await checkAssets(
        portWith(async () => []),
        [{ id: USDC, htlc: [] }],
      ),
    ).toMatchObject([{ status: "ok" }])
    const finding = {
      code: "x",
      message: "correct decimals",
      expected: "6 decimals",
      found: "9 decimals",
    }
    expect(
      await checkAssets(
        portWith(async () => [finding]),
        [{ id: USDC, htlc: [] }],
      ),
    ).toEqual([
      {
        check: "asset solana_testnet:usdc",
        status: "fail",
        found: "9 decimals; expected 6 decimals",
        todo: "correct decimals",
      },
    ])
  })

  test("are doubtful if the node does not answer, and not listed where a family cannot compare them", async () => {
    const silent = portWith(async () => Promise.reject(new Error("no answer")))
    expect(await checkAssets(silent, [{ id: USDC, htlc: [] }])).toMatchObject([{ status: "warn" }])
    expect(await checkAssets(portWith(undefined), [{ id: USDC, htlc: [] }])).toEqual([])
  })
})

function portWith(checkAsset: (() => Promise<Finding[]>) | undefined): ChainPort {
  // CAST: the check reads no other member of a port.
  return (checkAsset === undefined ? {} : { assetChecks: { checkAsset } }) as unknown as ChainPort
}
