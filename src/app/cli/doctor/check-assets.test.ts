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

test("an asset whose balance cannot be read is doubtful, whatever its contract says", async () => {
  const paused = async (): Promise<never> => Promise.reject(new Error("Pausable: paused"))
  const found = await checkAssets(
    portWith(async () => [], paused),
    [{ id: USDC, htlc: [] }],
  )
  expect(found).toMatchObject([{ status: "warn", found: "it could not be read: Pausable: paused" }])
})

function portWith(
  checkAsset: (() => Promise<Finding[]>) | undefined,
  fetchBalance = async (): Promise<unknown> => ({ units: 0n }),
): ChainPort {
  const port = checkAsset === undefined ? {} : { assetChecks: { checkAsset }, fetchBalance }
  // CAST: the check reads no other member of a port.
  return port as unknown as ChainPort
}
