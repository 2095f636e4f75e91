import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { Asset } from "#domain/asset.ts"
import { mustExist } from "#lib/assert.ts"
import { openStarknetScene, STRK, type StarknetScene, WBTC } from "./starknet-scene.ts"

let scene: StarknetScene
let assets: readonly Asset[]
beforeAll(async () => {
  scene = await openStarknetScene()
  assets = scene.local.assets.map(({ id, decimals, token, htlc }) => {
    return {
      id: id as Asset["id"],
      chain: scene.chain.chain,
      decimals,
      token,
      htlc: [mustExist(htlc, "htlc")],
    }
  })
})
afterAll(() => scene.stop())

async function faultsOf(id: Asset["id"], change: Partial<Asset>, rpc = [scene.local.url]) {
  const changed = assets.map((asset) => (asset.id === id ? { ...asset, ...change } : asset))
  return (await scene.portAt(rpc, { assets: changed }).assetChecks?.checkAsset(id)) ?? []
}
const codesOf = async (...asked: Parameters<typeof faultsOf>) =>
  (await faultsOf(...asked)).map(({ code }) => code)
const configured = (id: Asset["id"]) =>
  mustExist(
    assets.find((asset) => asset.id === id),
    id,
  )
const htlcOf = (id: Asset["id"]) => configured(id).htlc

describe("the comparison of a Starknet asset with its chain", () => {
  test("finds nothing on the sandbox's contracts, for a token and for STRK", async () => {
    expect(await faultsOf(WBTC, {})).toEqual([])
    expect(await faultsOf(STRK, {})).toEqual([])
  })

  test("finds wrong decimals, an address without a contract, and an HTLC of another token", async () => {
    expect(await faultsOf(WBTC, { decimals: 9 })).toMatchObject([
      { code: "asset.decimals_differ", expected: "9 decimals", found: "8 decimals" },
    ])
    expect(await codesOf(WBTC, { token: "0x1234" })).toEqual([
      "asset.no_contract",
      "asset.htlc_token",
    ])
    expect(await codesOf(WBTC, { htlc: ["0x1234"] })).toEqual(["asset.no_contract"])
    expect(await codesOf(WBTC, { htlc: htlcOf(STRK) })).toEqual(["asset.htlc_token"])
    expect(
      await faultsOf(WBTC, { htlc: [mustExist(configured(WBTC).token, "token")] }),
    ).toMatchObject([{ code: "asset.htlc_token", found: expect.stringContaining("no token view") }])
    expect(await codesOf(STRK, { decimals: 8 })).toEqual(["asset.decimals_differ"])
  })

  test("is an error that says to try again while no node answers", async () => {
    await expect(faultsOf(WBTC, {}, ["http://127.0.0.1:1"])).rejects.toMatchObject({
      disposition: "transient",
    })
  })
})
