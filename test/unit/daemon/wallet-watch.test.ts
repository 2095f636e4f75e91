import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { setImmediate as nextTurn } from "node:timers/promises"
import { afterAll, beforeEach, expect, test } from "vitest"
import { checkWallet } from "#cli/doctor/check-wallet.ts"
import { parseConfig } from "#config/load.ts"
import { createHealthWatch } from "#daemon/watch/health-watch.ts"
import { createServiceCalls } from "#daemon/watch/service-calls.ts"
import { parseAssetId } from "#domain/asset.ts"
import type { Reason } from "#domain/reason.ts"
import { createMemory } from "#engine/memory.ts"
import type { UnreadBalance } from "#engine/watches/reconciler.ts"
import { findProblems } from "#health/find-problems.ts"
import type { Readings } from "#health/readings.ts"
import { AppError } from "#lib/app-error.ts"
import type { Clock } from "#lib/clock.ts"
import { silentLogger } from "#lib/log.ts"
import { Secret } from "#lib/secret.ts"
import { createAsk } from "#nodes/create-ask.ts"

const DELEGATE = "00000000000000000000000000000000000d31e9"
const MINUTE_MS = 60_000

let code = "0x"
let isSilent = false
/** Until then. */
let speakMs = Number.POSITIVE_INFINITY
/** From then on the account is a usual one. */
let usualMs = Number.POSITIVE_INFINITY
let asked: string[] = []
let account = ""
let unread: readonly UnreadBalance[] = []
/** The keys of the flags that were written with a commit of their own. */
let committed: string[] = []
let nowMs = 0
const server = createServer((request, response) => {
  let text = ""
  request.on("data", (part) => {
    text += String(part)
  })
  request.on("end", () => {
    const { id, method } = JSON.parse(text)
    asked.push(method)
    if (isSilent && nowMs < speakMs && method === "eth_getCode")
      return response.writeHead(500).end()
    const timestamp = `0x${Math.floor(nowMs / 1_000).toString(16)}`
    const answers: Readonly<Record<string, unknown>> = {
      eth_chainId: "0x14a34",
      eth_getBlockByNumber: {
        number: "0x10",
        hash: `0x${"ab".repeat(32)}`,
        transactions: [],
        timestamp,
      },
      eth_getCode: nowMs >= usualMs ? "0x" : code,
    }
    return response.end(JSON.stringify({ jsonrpc: "2.0", id, result: answers[method] }))
  })
})
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
// CAST: a TCP server has this address.
const { port } = server.address() as AddressInfo
afterAll(() => server.close())

const config = parseConfig(
  `{ service: { url: "http://127.0.0.1:1" }, rules: [], assets: {},
     health: { check_every: 60s, alarm_after: 5m },
     chains: { base_sepolia: { family: evm, chain_id: 84532,
       rpc: ["http://127.0.0.1:${port}", "http://localhost:${port}"], key: "env:EVM" } } }`,
  { file: "test.yaml", secrets: (name) => new Secret(`0x${"11".repeat(32)}`, name) },
)
const OTHER_ACCOUNT = `0x${"29".repeat(20)}`
const ACCOUNT = "0x19e7e376e7c213b7e7e7e46cc70a5dd086daff2a"

const flags = new Map<string, string>()
let raised: Reason[] = []

/** The problems that `status`, the page and the alerts show after this time of the daemon. */
async function problemsAfter(ms: number) {
  const untilMs = nowMs + ms
  const stopping = new AbortController()
  const clock: Clock = {
    now: () => nowMs,
    sleep: async (pauseMs, signal) => {
      if (pauseMs < 10_000) return signal === undefined ? undefined : new Promise(() => undefined)
      nowMs += pauseMs
      if (nowMs >= untilMs) stopping.abort()
      await nextTurn()
    },
  }
  const journal = {
    readFlag: (key: string) => flags.get(key) ?? null,
    writeFlag: (key: string, value: string) => {
      committed.push(key)
      flags.set(key, value)
    },
    noteFlag: (key: string, value: string) => void flags.set(key, value),
    raiseAlert: (_atMs: number, reason: Reason) => void raised.push(reason),
    countInFlight: () => 0,
  }
  const watch = createHealthWatch({
    memory: createMemory(),
    // CAST: a daemon has a service; this test asks nodes only.
    config: () => ({ ...config, services: [] }) as unknown as typeof config,
    // CAST: the watch uses five methods of the journal, and no price of this test.
    journal: journal as never,
    prices: () => ({ fetchPrices: async () => new Map() }) as never,
    calls: createServiceCalls(clock.now),
    signer: undefined,
    accountOf: () => account,
    unreadBalances: () => unread,
    tips: () => [],
    clock,
    log: silentLogger,
  })
  await watch.run(stopping.signal)
  const { wallets = [] } = watch.list()
  return findProblems({ ...WELL, nowMs, wallets }, 30_000)
}

const WELL: Readings = {
  nowMs: 0,
  daemon: { answers: true, pid: 7, lastSeenMs: 0, startedAtMs: 0, version: "1", waitsFor: [] },
  mode: "live",
  pause: null,
  pausedChains: [],
  pausedRules: [],
  nodes: [],
  services: [],
  treasury: [],
  gas: [],
  orders: [],
  rules: [],
  limits: [],
  alarms: [],
  freeBytes: 9e9,
  clockJump: null,
}

beforeEach(() => {
  code = "0x"
  isSilent = false
  speakMs = Number.POSITIVE_INFINITY
  usualMs = Number.POSITIVE_INFINITY
  asked = []
  raised = []
  unread = []
  committed = []
  account = ACCOUNT
  flags.clear()
  nowMs = Date.parse("2026-03-04T13:00:00Z")
})

test("a wallet with nothing unusual is asked for once an hour, and no problem", async () => {
  expect(await problemsAfter(130 * MINUTE_MS)).toEqual([])
  const times = asked.filter((method) => method === "eth_getCode").length
  expect(times).toBe(2 * 3)
})

test("status and an alert name a delegation in the words of doctor, once", async () => {
  code = `0xef0100${DELEGATE}`
  const [problem, ...more] = await problemsAfter(61 * MINUTE_MS)
  expect(more).toEqual([])
  const found = `it delegates to 0x${DELEGATE} (EIP-7702)`
  expect(problem).toMatchObject({
    level: "attention",
    kind: "theft",
    code: "wallet.has_code",
    about: "base_sepolia",
    needsPerson: true,
  })
  const { sentence: message, code: alarm, about: chain } = problem ?? {}
  expect(raised).toEqual([{ code: alarm, message, chain }])
  expect(problem?.sentence).toContain(found)
  expect(problem?.sentence).toContain(`127.0.0.1:${port}, localhost:${port}`)
  const doctor = await Promise.all(
    config.chains.map((chain) => checkWallet(chain, [], createAsk(1_000))),
  )
  expect(doctor.flat()[0]).toMatchObject({ found, todo: problem?.todo })
})

test("a fact that has ended is named for two minutes more, and not for an hour", async () => {
  code = "0x6001"
  usualMs = nowMs + 10 * MINUTE_MS
  expect(await problemsAfter(12 * MINUTE_MS)).toEqual([])
  expect(flags.get("health/alarms")).not.toContain('"closedMs":null')
})

test("nodes that are silent at the start are asked again after ten minutes", async () => {
  isSilent = true
  code = "0x6001"
  speakMs = nowMs + 5 * MINUTE_MS
  expect(await problemsAfter(9 * MINUTE_MS)).toEqual([])
  nowMs -= 9 * MINUTE_MS
  expect(await problemsAfter(12 * MINUTE_MS)).toMatchObject([{ code: "wallet.has_code" }])
})

test("a restart repeats no alert, and silent nodes give no all-clear", async () => {
  code = "0x6001"
  await problemsAfter(MINUTE_MS)
  isSilent = true
  expect(await problemsAfter(61 * MINUTE_MS)).toMatchObject([{ code: "wallet.has_code" }])
  expect(raised).toHaveLength(1)
  isSilent = false
  code = "0x"
  expect(await problemsAfter(MINUTE_MS)).toEqual([])
  expect(flags.get("health/alarms")).not.toContain('"closedMs":null')
})

/** The endpoints answer, and the token refuses the question. */
function refuse(code: string): void {
  const message = "eth_call says: execution reverted: Pausable: paused"
  const asset = parseAssetId("base_sepolia:usdc")
  unread = [{ asset, sinceMs: nowMs, error: new AppError({ code, disposition: "hold", message }) }]
}

test("a balance that cannot be read is a problem and an alert, while the endpoints answer", async () => {
  refuse("evm.rpc")
  expect(await problemsAfter(3 * MINUTE_MS)).toEqual([])
  const [problem, ...more] = await problemsAfter(4 * MINUTE_MS)
  expect(problem).toMatchObject({
    code: "wallet.unread",
    kind: "books",
    about: "base_sepolia",
    sentence: expect.stringMatching(/^The balance of base_sepolia:usdc .*Pausable: paused$/),
    todo: expect.stringMatching(/issuer.*replace the endpoint/),
  })
  expect(more).toEqual([])
  expect(raised.map((one) => one.code)).toEqual(["wallet.unread"])
})

test("a contradiction of endpoints has a problem of its own, and no second one", async () => {
  refuse("chain.disagreement")
  expect(await problemsAfter(10 * MINUTE_MS)).toEqual([])
})

test("what the first looks remember is noted beside the steps of orders, without a commit", async () => {
  expect(await problemsAfter(MINUTE_MS)).toEqual([])
  expect([...flags.keys()]).toContain("health/accounts")
  expect(committed).toEqual([])
})

test("another key of a chain is named for a day, after a restart too, and not the first one", async () => {
  expect(await problemsAfter(2 * MINUTE_MS)).toEqual([])
  account = OTHER_ACCOUNT
  for (const _process of ["first", "second"]) {
    const [problem, ...more] = await problemsAfter(2 * MINUTE_MS)
    expect(problem).toMatchObject({ code: "wallet.changed", kind: "books", about: "base_sepolia" })
    expect(problem?.sentence).toMatch(`another account, ${OTHER_ACCOUNT}, and opened ${ACCOUNT}`)
    expect(more).toEqual([])
  }
  expect(raised.map((one) => one.code)).toEqual(["wallet.changed"])
  nowMs += 24 * 60 * MINUTE_MS
  expect(await problemsAfter(2 * MINUTE_MS)).toEqual([])
})

test("a key that was put back is named no more", async () => {
  await problemsAfter(2 * MINUTE_MS)
  account = OTHER_ACCOUNT
  await problemsAfter(2 * MINUTE_MS)
  account = ACCOUNT
  expect(await problemsAfter(2 * MINUTE_MS)).toEqual([])
})
