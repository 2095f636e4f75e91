import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { readBalances } from "../support/e2e-chain.ts"
import { type E2eConfig, writeE2eConfig } from "../support/e2e-config.ts"
import { acceptSwap, refuseSwap, untilReason, waitForOutcome } from "../support/e2e-orders.ts"
import {
  type DaemonProcess,
  type SandboxProcess,
  startDaemonProcess,
  startSandboxProcess,
  stopAll,
  TOKEN,
} from "../support/sandbox-process.ts"

const FROM = "base_sepolia:wbtc"
const TO = "ethereum_sepolia:wbtc"
const GOOD = { from: FROM, to: TO, amount: "0.001" }
const QUICK = { service: { timeout: "1s" } }
/** Anvil's second well-known development key: a valid key of a wallet without funds. */
const EMPTY_WALLET = "0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d"

let sandbox: SandboxProcess
let main: E2eConfig
let daemon: DaemonProcess

beforeAll(async () => {
  sandbox = await startSandboxProcess(["--chains", "base_sepolia,ethereum_sepolia"])
  main = await writeE2eConfig(sandbox, "main", QUICK)
  daemon = startDaemonProcess(main)
  await daemon.ready()
}, 60_000)
afterAll(() => stopAll(daemon, sandbox))

describe("an invalid request", () => {
  test.for<{ what: string; swap: Partial<typeof GOOD>; code: string }>([
    {
      what: "an unknown source",
      swap: { from: "base_sepolia:doge" },
      code: "request.unknown_asset",
    },
    {
      what: "an unknown destination",
      swap: { to: "ethereum_sepolia:doge" },
      code: "request.unknown_asset",
    },
    { what: "an unknown chain", swap: { to: "moon_testnet:wbtc" }, code: "request.unknown_asset" },
    { what: "no asset id at all", swap: { from: "wbtc" }, code: "domain.asset_id" },
    { what: "the same asset twice", swap: { to: FROM }, code: "request.same_asset" },
    { what: "too many decimals", swap: { amount: "0.001000001" }, code: "domain.amount" },
    {
      what: "too many decimals, all of them zero",
      swap: { amount: "0.0010000000" },
      code: "domain.amount",
    },
    { what: "zero", swap: { amount: "0" }, code: "limit.zero" },
    { what: "zero with decimals", swap: { amount: "0.00000000" }, code: "limit.zero" },
    { what: "a negative amount", swap: { amount: "-0.001" }, code: "domain.amount" },
    { what: "an exponent", swap: { amount: "1e-3" }, code: "domain.amount" },
    { what: "a comma", swap: { amount: "0,001" }, code: "domain.amount" },
    { what: "hexadecimal", swap: { amount: "0x10" }, code: "domain.amount" },
    { what: "a word", swap: { amount: "NaN" }, code: "domain.amount" },
    { what: "nothing", swap: { amount: "" }, code: "domain.amount" },
    {
      what: "more than the service takes",
      swap: { amount: "99999" },
      code: "service.amount_bounds",
    },
    {
      what: "less than the service takes",
      swap: { amount: "0.00000001" },
      code: "service.amount_bounds",
    },
  ])("$what is refused with $code", async ({ swap, code }) => {
    await expectUnchangedBalances(async () => {
      const reasons = await refuseSwap(daemon, { ...GOOD, ...swap })
      expect(reasons.map((reason) => reason.code)).toContain(code)
      for (const { message } of reasons) expect(message.length).toBeGreaterThan(10)
    })
  })

  test.for([
    ["no JSON", "{from"],
    ["an empty body", ""],
    ["a list", "[]"],
    ["null", "null"],
    ["a number for the amount", JSON.stringify({ ...GOOD, amount: 0.001 })],
    ["a missing amount", JSON.stringify({ from: FROM, to: TO })],
  ])("a body of %s is answered with 400", async ([, body]) => {
    const answer = await post("/api/v1/swap", body ?? "", `Bearer ${TOKEN}`)
    expect(answer).toMatchObject({
      status: 400,
      body: { reasons: [{ code: "request.malformed" }] },
    })
  })

  test("an unknown order or path is answered with 404", async () => {
    expect(await daemon.call("GET", "/api/v1/orders/0123")).toMatchObject({ status: 404 })
    expect(await daemon.call("POST", "/api/v1/orders/0123/retry", {})).toMatchObject({
      status: 404,
    })
    expect(await daemon.call("GET", "/api/v2/orders")).toMatchObject({ status: 404 })
  })

  test.for([
    ["no token", undefined],
    ["another token", "Bearer guess"],
    ["an empty token", "Bearer "],
    ["the token under another scheme", `Digest ${TOKEN}`],
  ])(
    "%s gets nothing on any path except /healthz and the empty page",
    async ([, authorization]) => {
      await expectUnchangedBalances(async () => {
        for (const path of [
          "/api/v1/swap",
          "/api/v1/pause",
          "/api/v1/resume",
          "/api/v1/orders/0123/refund",
        ]) {
          const answer = await post(path, JSON.stringify(GOOD), authorization)
          expect(REFUSALS).toContainEqual([answer.status, codeOf(answer.body)])
        }
      })
      const headers = authorization === undefined ? {} : { authorization }
      for (const path of [
        "/api/v1/status",
        "/api/v1/orders",
        "/metrics",
        "/api/v1/settings",
        "/api/v1/events",
      ]) {
        expect([401, 429]).toContain((await fetch(urlOf(path), { headers })).status)
      }
      expect((await fetch(urlOf("/healthz"))).status).toBe(200)
    },
  )
})

describe("a configuration that does not match the chains and the service", () => {
  test("an unreachable node refuses orders from its chain, and delays orders to its chain", async () => {
    const name = "unreachable"
    const away = await writeE2eConfig(sandbox, name, {
      ...QUICK,
      chains: { base_sepolia: { rpc: ["http://127.0.0.1:1"] } },
    })
    const before = await readBalances(sandbox)
    const id = await withDaemon(away, async (other) => {
      const reasons = await refuseSwap(other, GOOD)
      expect(reasons).toMatchObject([{ code: "funds.unreadable" }])
      const accepted = await acceptSwap(other, { from: TO, to: FROM, amount: "0.00141" })
      await untilReason(other, accepted, /^chain\.|^evm\.|^rpc\./)
      expect(await other.call("GET", "/readyz")).toMatchObject({ status: 503 })
      const { body } = await other.call("GET", "/api/v1/balances")
      expect(body).toMatchObject({
        balances: expect.arrayContaining([expect.objectContaining({ asset: FROM, amount: null })]),
      })
      return accepted
    })
    expect(await readBalances(sandbox)).toEqual(before)
    await withDaemon(await writeE2eConfig(sandbox, name, QUICK), async (other) => {
      expect(await waitForOutcome(other, id)).toMatchObject({ outcome: "completed" })
    })
    expect(((await readBalances(sandbox))[TO] ?? 0n) - (before[TO] ?? 0n)).toBe(-141_000n)
  })

  test("a key of an empty wallet is refused for insufficient funds", async () => {
    const env = { OTHER_KEY: EMPTY_WALLET }
    const config = await writeE2eConfig(sandbox, "other-key", {
      ...QUICK,
      chains: { base_sepolia: { key: "env:OTHER_KEY" } },
    })
    await expectUnchangedBalances(() =>
      withDaemon({ ...config, env }, async (other) => {
        const codes = (await refuseSwap(other, GOOD)).map(({ code }) => code)
        expect(codes).toContain("funds.insufficient")
      }),
    )
  })

  test("an app id that the service does not know is a refusal reason and no wait", async () => {
    const config = await writeE2eConfig(sandbox, "app-id", {
      service: { ...QUICK.service, app_id: "somebody" },
    })
    await expectUnchangedBalances(() =>
      withDaemon(config, async (other) => {
        expect(await refuseSwap(other, GOOD)).toMatchObject([{ code: "service.app_id" }])
        expect(await other.call("GET", "/readyz")).toMatchObject({ status: 200 })
      }),
    )
  })
})

async function withDaemon<T>(
  config: E2eConfig,
  work: (other: DaemonProcess) => Promise<T>,
): Promise<T> {
  const other = startDaemonProcess(config, config.env)
  try {
    await other.serves()
    return await work(other)
  } finally {
    await other.stop()
  }
}

async function expectUnchangedBalances(work: () => Promise<void>): Promise<void> {
  const before = await readBalances(sandbox)
  await work()
  expect(await readBalances(sandbox)).toEqual(before)
}

/** After five wrong tokens the address waits. */
const REFUSALS = [
  [401, "ops.unauthorized"],
  [429, "ops.busy"],
]

function codeOf(body: unknown): string | undefined {
  return (body as { reasons?: { code: string }[] }).reasons?.[0]?.code
}

async function post(
  path: string,
  body: string,
  authorization: string | undefined,
): Promise<{ status: number; body: unknown }> {
  const headers = {
    "content-type": "application/json",
    ...(authorization === undefined ? {} : { authorization }),
  }
  const answer = await fetch(urlOf(path), { method: "POST", headers, body })
  return { status: answer.status, body: await answer.json() }
}

function urlOf(path: string): string {
  return `http://127.0.0.1:${main.port}${path}`
}
