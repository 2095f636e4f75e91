import { afterEach, expect, test } from "vitest"
import { parseConfig } from "#config/load.ts"
import { createWalletWatch } from "#daemon/watch/wallet-watch.ts"
import { alarmOfWallet, findWalletProblems } from "#health/find-wallet-problems.ts"
import { systemClock } from "#lib/clock.ts"
import { Secret } from "#lib/secret.ts"
import { createAsk } from "#nodes/create-ask.ts"
import { serve } from "../nodes/askers.ts"

/* An account of EVM that has code is one that another party may move. */

const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

const ACCOUNT = `0x${"12".repeat(20)}`
const MINUTE_MS = 60_000

async function openWatch() {
  const state = { code: "0x", isDead: false, nowMs: 0, account: ACCOUNT as string | null }
  const node = await serve(() => {
    if (state.isDead) return { status: 503, body: "" }
    return { body: JSON.stringify({ jsonrpc: "2.0", id: 1, result: state.code }) }
  })
  stops.push(node.stop)
  const config = parseConfig(
    `{ service: { url: "http://127.0.0.1:1", app_id: x }, data_dir: ./d, assets: {}, rules: [],
       chains: { base_sepolia: { family: evm, chain_id: 84532, rpc: ["${node.url}"],
         key: "env:NONE" } } }`,
    { file: "test.yaml", secrets: (reference) => new Secret("", reference) },
  )
  const watch = createWalletWatch({ now: () => state.nowMs }, () => state.account)
  const check = () => watch.check(config.chains, () => createAsk(1_000, systemClock))
  return { state, check, seen: node.seen }
}

test("a wallet that delegates to a contract is named with it, until it no longer does", async () => {
  const { state, check } = await openWatch()
  expect(await check()).toEqual([])
  state.code = `0xef0100${"ab".repeat(20)}`
  state.nowMs += 6 * MINUTE_MS
  const [found, ...others] = await check()
  expect(others).toEqual([])
  expect(found).toMatchObject({ chain: "base_sepolia", code: "account.delegated" })
  expect(found?.found).toContain(`delegates to 0x${"ab".repeat(20)}`)
  state.code = "0x"
  state.nowMs += 6 * MINUTE_MS
  expect(await check()).toEqual([])
})

test("a node that is silent takes nothing back", async () => {
  const { state, check } = await openWatch()
  state.code = "0x6001"
  const first = await check()
  expect(first).toMatchObject([{ found: "it has code" }])
  state.isDead = true
  state.nowMs += 6 * MINUTE_MS
  expect(await check()).toEqual(first)
})

test("each wallet is asked for once in five minutes, and not before its chain is open", async () => {
  const { state, check, seen } = await openWatch()
  state.account = null
  await check()
  expect(seen).toHaveLength(0)
  state.account = ACCOUNT
  for (let round = 0; round < 9; round++) {
    await check()
    state.nowMs += MINUTE_MS
  }
  expect(seen).toHaveLength(2)
})

test("its problem needs a person, and its alarm says the same", () => {
  const wallet = {
    chain: "base_sepolia",
    code: "account.delegated",
    found: "it has code",
    sinceMs: 0,
  }
  // CAST: a chain of the configuration, and the only readings that the function looks at.
  const [problem] = findWalletProblems({ wallets: [wallet] } as never)
  expect(problem).toMatchObject({
    code: "account.delegated",
    kind: "theft",
    about: "base_sepolia",
    sentence: "The wallet of base_sepolia is changed: it has code",
    needsPerson: true,
  })
  expect(problem?.todo).toContain("the key is stolen")
  expect(alarmOfWallet(wallet as never).message).toBe(problem?.sentence)
})
