import { afterAll, beforeAll, expect, test } from "vitest"
import { openStarknetScene, type StarknetScene, WBTC } from "./starknet-scene.ts"

let scene: StarknetScene
beforeAll(async () => {
  scene = await openStarknetScene()
})
afterAll(() => scene.stop())

async function check(owner: string, urls: readonly string[] = [scene.local.url]) {
  const payout = { htlc: null, units: 5n }
  const faults = (await scene.portAt(urls).contracts?.checkPayout(WBTC, owner, payout)) ?? []
  return faults.map(({ code, found }) => `${code}: ${found}`)
}

/** As before a deposit, when no HTLC holds the payout. */
async function checkBefore(owner: string, urls: readonly string[] = [scene.local.url]) {
  const faults = (await scene.portAt(urls).contracts?.checkPayout(WBTC, owner)) ?? []
  return faults.map(({ code, found }) => `${code}: ${found}`)
}

test("a payout can arrive at our own account and at another one", async () => {
  expect(await check(scene.chain.account)).toEqual([])
  expect(await check("0x1234")).toEqual([])
  expect(await checkBefore("0x1234")).toEqual([])
})

test("a paused token or a blocked payee refuses, by the word of every endpoint that answers", async () => {
  const data = { revert_error: "Pausable: paused" }
  const error = { code: 41, message: "Transaction execution error", data }
  const paused = await scene.openProxy([scene.local.url], ({ method }) =>
    method === "starknet_estimateFee" ? { error } : null,
  )
  expect(await check(scene.chain.account, [paused.url])).toEqual([
    expect.stringContaining("Pausable: paused"),
  ])
  expect(await checkBefore(scene.chain.account, [paused.url])).toEqual([
    expect.stringContaining("Pausable: paused"),
  ])
})

test("an account whose nonce moves between two reads is asked again, and no finding", async () => {
  const data = { transaction_index: 0, execution_error: "Invalid transaction nonce" }
  const error = { code: 41, message: "Transaction execution error", data }
  const moved = await scene.openProxy([scene.local.url], ({ method }) =>
    method === "starknet_estimateFee" ? { error } : null,
  )
  const failed = { code: "starknet.rpc", disposition: "transient" }
  await expect(check(scene.chain.account, [moved.url])).rejects.toMatchObject(failed)
})

test("an account that is not deployed asks nothing before a deposit", async () => {
  const proxy = await scene.openProxy([scene.local.url], ({ method }) =>
    method === "starknet_getNonce"
      ? { error: { code: 20, message: "Contract not found" } }
      : method === "starknet_estimateFee"
        ? { error: { code: 40, message: "Contract error", data: { revert_error: "no account" } } }
        : null,
  )
  expect(await checkBefore("0x1234", [proxy.url])).toEqual([])
})

test("is an error, and no finding, while no node answers", async () => {
  const failed = { disposition: "transient" }
  await expect(check(scene.chain.account, ["http://127.0.0.1:1"])).rejects.toMatchObject(failed)
})
