import { describe, expect, test } from "vitest"
import { createEvmChain } from "#chains/evm/create-chain.ts"
import { type Asset, parseAssetId } from "#domain/asset.ts"
import { mustExist } from "#lib/assert.ts"
import { assets, local, options, useLocalChain } from "./local-scene.ts"

useLocalChain()

const WBTC = parseAssetId("base_sepolia:wbtc")
const ETH = parseAssetId("base_sepolia:eth")
const configured = (id: string) =>
  mustExist(
    assets.find((asset) => asset.id === id),
    id,
  )
async function faultsOf(id: typeof WBTC, change: Partial<Asset>, rpc = options.rpc) {
  const changed = assets.map((asset) => (asset.id === id ? { ...asset, ...change } : asset))
  return (
    (await createEvmChain({ ...options, rpc, assets: changed }).assetChecks?.checkAsset(id)) ?? []
  )
}
const codesOf = async (...asked: Parameters<typeof faultsOf>) =>
  (await faultsOf(...asked)).map(({ code }) => code)

describe("the comparison of an EVM asset with its chain", () => {
  test("finds nothing on the sandbox's contracts, for a token and for the chain's own coin", async () => {
    expect(await faultsOf(WBTC, {})).toEqual([])
    expect(await faultsOf(ETH, {})).toEqual([])
  })

  test("finds wrong decimals of a token, and of the chain's own coin", async () => {
    expect(await faultsOf(WBTC, { decimals: 9 })).toMatchObject([
      { code: "asset.decimals_differ", expected: "9 decimals", found: "8 decimals" },
    ])
    expect(await codesOf(ETH, { decimals: 9 })).toEqual(["asset.decimals_differ"])
  })

  test("finds a token address without code, and one whose contract has no decimals", async () => {
    const nowhere = "0x000000000000000000000000000000000000dEaD"
    expect(await codesOf(WBTC, { token: nowhere })).toEqual([
      "asset.no_contract",
      "asset.htlc_token",
    ])
    const [htlc] = configured(ETH).htlc
    expect(await codesOf(WBTC, { token: mustExist(htlc, "an HTLC") })).toEqual([
      "asset.decimals_differ",
      "asset.htlc_token",
    ])
  })

  test("finds an HTLC without code, and one that holds another token", async () => {
    expect(await codesOf(WBTC, { htlc: ["0x000000000000000000000000000000000000dEaD"] })).toEqual([
      "asset.no_contract",
    ])
    expect(await codesOf(WBTC, { htlc: configured(ETH).htlc })).toEqual(["asset.htlc_token"])
    expect(await codesOf(ETH, { htlc: configured(WBTC).htlc })).toEqual(["asset.htlc_token"])
    const token = mustExist(configured(WBTC).token, "the token")
    expect(await faultsOf(WBTC, { htlc: [token] })).toMatchObject([
      { code: "asset.htlc_token", found: `no token() at ${token}` },
    ])
  })

  test("is an error that says to try again, and no difference, while no node answers", async () => {
    await expect(faultsOf(WBTC, {}, ["http://127.0.0.1:1"])).rejects.toMatchObject({
      disposition: "transient",
    })
    await expect(faultsOf(WBTC, {}, [`${local.url}`, "http://127.0.0.1:1"])).rejects.toMatchObject({
      disposition: "transient",
    })
  })
})
