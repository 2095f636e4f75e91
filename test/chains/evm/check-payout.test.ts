import { expect, test } from "vitest"
import { mustExist } from "#lib/assert.ts"
import {
  approve,
  assetOf,
  chain,
  initiate,
  local,
  newOrder,
  options,
  perform,
  reopen,
  UNITS,
  useLocalChain,
} from "./local-scene.ts"
import { eth, strangerAddress, wbtc } from "./sample-order.ts"
import { startProxy } from "./start-proxy.ts"

useLocalChain()

/** An HTLC with the money of an order. */
async function fund(asset: typeof wbtc): Promise<string> {
  if (asset === wbtc) await approve()
  await perform(initiate((await newOrder(asset)).deposit))
  return mustExist(assetOf(asset).htlc[0], "an HTLC")
}

async function codesOf(asset: typeof wbtc, owner: string, htlc: string | null, units = UNITS) {
  const faults = (await chain.contracts?.checkPayout(asset, owner, { htlc, units })) ?? []
  return faults.map(({ code }) => code)
}

/** As before a deposit, when no HTLC holds the payout. */
async function before(asset: typeof wbtc, owner: string) {
  return ((await chain.contracts?.checkPayout(asset, owner)) ?? []).map(({ code }) => code)
}

test("before any deposit a payee can be paid of a contract that holds nothing", async () => {
  expect(await before(wbtc, strangerAddress)).toEqual([])
  expect(await before(eth, strangerAddress)).toEqual([])
})

test.each([wbtc, eth])(
  "a payout of %s can arrive, or its simulated payment fails",
  async (asset) => {
    const htlc = await fund(asset)
    expect(await codesOf(asset, strangerAddress, htlc)).toEqual([])
    expect(await codesOf(asset, strangerAddress, null)).toEqual([])
    // The HTLC has less; and a token's contract takes no coin.
    expect(await codesOf(asset, strangerAddress, htlc, 10n ** 30n)).toEqual(["evm.payout_refused"])
    const closed = mustExist(assetOf(wbtc).token, "a token")
    const found = await codesOf(asset, closed, htlc)
    expect(found).toEqual(asset === eth ? ["evm.payout_refused"] : [])
    expect(await before(asset, closed)).toEqual(asset === eth ? ["evm.payout_refused"] : [])
    expect(await before(asset, strangerAddress)).toEqual([])
  },
)

test.each([
  [
    "a paused token",
    { error: { code: 3, message: "execution reverted: Pausable: paused", data: "0x" } },
  ],
  ["a blocked payee", { error: { code: -32_000, message: "execution reverted: blacklisted" } }],
  ["a token that answers false", { result: `0x${"00".repeat(32)}` }],
])("names %s, with the node's reason", async (_, answer) => {
  const htlc = await fund(wbtc)
  const isTransfer = (params: readonly unknown[]) => JSON.stringify(params).includes("0xa9059cbb")
  const proxy = await startProxy(local.url, (method, params) =>
    method === "eth_call" && isTransfer(params) ? answer : null,
  )
  try {
    reopen({ ...options, rpc: [proxy.url] })
    expect(await codesOf(wbtc, strangerAddress, htlc)).toEqual(["evm.payout_refused"])
    expect(await before(wbtc, strangerAddress)).toEqual(["evm.payout_refused"])
  } finally {
    await proxy.stop()
  }
})

test("is an error, and no finding, while no node answers", async () => {
  reopen({ ...options, rpc: ["http://127.0.0.1:1"] })
  const failed = { disposition: "transient" }
  await expect(codesOf(wbtc, strangerAddress, null)).rejects.toMatchObject(failed)
})
