import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { Browser, Page } from "playwright-core"
import { createWalletClient, type Hex, http, keccak256 } from "viem"
import { privateKeyToAccount } from "viem/accounts"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { Overview } from "../../src/core/health/describe-overview.ts"
import { callRpc, chainOf } from "../support/e2e-chain.ts"
import { runBallast } from "../support/e2e-cli.ts"
import { type E2eConfig, writeE2eConfig } from "../support/e2e-config.ts"
import { setFaults } from "../support/e2e-faults.ts"
import { acceptSwap } from "../support/e2e-orders.ts"
import { findAxeProblems } from "../support/find-axe-problems.ts"
import { findChromium, openBrowser } from "../support/open-browser.ts"
import { OWN_SECRETS, SECRETS_ENV } from "../support/own-secret-orders.ts"
import { ASSET_FAULTS, ORDER_FAULTS, type PlantedFault } from "../support/planted-faults.ts"
import {
  keepScreenshot,
  openOverviewPage,
  readOverviewPage,
} from "../support/read-overview-page.ts"
import {
  type DaemonProcess,
  type SandboxProcess,
  startDaemonProcess,
  startSandboxProcess,
  until,
} from "../support/sandbox-process.ts"

const PROMISED_MS = 60_000
const [BASE, ETHEREUM] = ["base_sepolia:wbtc", "ethereum_sepolia:wbtc"] as const
const KEY = join(import.meta.dirname, "..", "..", "config", "sandbox-keys", "evm")
// CAST: the sandbox's key file holds one private key.
const account = privateKeyToAccount(readFileSync(KEY, "utf8").trim() as Hex)
/** The only pair with secrets of Ballast. */
const OWN_PAIR = { from: "base_sepolia:eth", to: ETHEREUM }
const program = findChromium()

let sandbox: SandboxProcess
let config: E2eConfig
let daemon: DaemonProcess
let browser: Browser | null = null
let overview: Overview
let status = ""
let doctor = ""
let page = ""
let alarmIds = ""
/** The order that has the fault, by the fault's place. */
const orders = new Map<string, string>()
const seenMs = new Map<string, number>()
const verdicts: string[] = []

beforeAll(async () => {
  sandbox = await startSandboxProcess([
    "--dialect",
    "2026",
    "--chains",
    "base_sepolia,ethereum_sepolia",
  ])
  config = await writeConfig()
  daemon = startDaemonProcess(config, SECRETS_ENV)
  await daemon.ready()
  await plantLateEnds()
  await plantTheft()
  await plantPayoutWithoutRedemption()
  await plantChangedContract()
  await plantStuckDeposit()
  await plantForeignNonce()
}, 300_000)
afterAll(async () => {
  await browser?.close()
  await daemon?.stop()
  await sandbox?.stop()
})

describe("a fault of an order", () => {
  test.each(ORDER_FAULTS)(
    "$name: the overview, status, doctor, the page and an alert name it",
    (fault) => {
      const { name, says, todo } = fault
      expect(
        seenMs.get(name),
        `${name} in ${JSON.stringify(overview.problems, null, 1)}`,
      ).toBeLessThan(PROMISED_MS)
      const lines = status.split(/\n(?=[!-] )/).map(flat)
      const named = lines.filter((line) => says.test(line) && line.includes(`${todo} -> ballast`))
      expect(named, `status\n${status}`).not.toEqual([])
      if (fault.doctor !== null) expect(flat(doctor), "doctor").toMatch(fault.doctor)
      if (program !== null) expect(page, "the page").toContain(nameChains(todo))
    },
  )

  test("a verdict stays short, also that of a theft", () => {
    for (const verdict of verdicts) expect(verdict.length, verdict).toBeLessThan(240)
  })
})

test.each(ASSET_FAULTS)(
  "$name: `run` and doctor name it with its remedy",
  async ({ code, says, todo, doctor: found }) => {
    const wrong = await writeE2eConfig(sandbox, "wrong-decimals", {
      assets: { [BASE]: { decimals: 9 } },
    })
    const run = (command: string) =>
      runBallast([command, "--config", wrong.file], { env: wrong.env })
    const refused = await run("run")
    expect(refused.code).toBe(78)
    expect(flat(refused.stderr)).toMatch(says)
    expect(flat(refused.stderr)).toContain(todo)
    expect(refused.stderr).toContain(`[${code}]`)
    expect(flat((await run("doctor")).stdout)).toMatch(found ?? /^$/)
  },
  60_000,
)

describe.skipIf(program === null)("an operator in the browser", () => {
  let view: Page
  beforeAll(async () => {
    browser ??= await openBrowser(program ?? "")
    view = await openOverviewPage(browser, config.port)
  }, 60_000)
  afterAll(() => view?.close())

  test("resumes only after each alarm of the pause is acknowledged", {
    timeout: 60_000,
  }, async () => {
    await confirm("Resume", "resume")
    await expect
      .poll(() => view.getByRole("alert").innerText())
      .toMatch(/^Alarm \d+ \(transaction\.foreign_rival/)
    expect(await findAxeProblems(view)).toEqual([])
    await keepScreenshot(view, "verb-resume.png")
    for (const box of await view.getByRole("dialog").getByRole("checkbox").all()) await box.check()
    await submit("Resume")
    await until("nothing is paused", async () => !(await isPaused()), 10_000)
  })

  test("refunds and retries a held order, and the foreign nonce holds it again", {
    timeout: 60_000,
  }, async () => {
    const id = orders.get("stuck") ?? ""
    await show(id)
    await view.getByRole("button", { name: "Refund" }).click()
    expect(await findAxeProblems(view)).toEqual([])
    await keepScreenshot(view, "verb-refund.png")
    await view.getByRole("dialog").getByRole("textbox").fill("refund")
    await submit("Refund")
    await until("a refund was asked for", () => hasEvent(id, "operator.refunded"), 10_000)
    await until("the order is held again", async () => (await daemon.order(id)).held, 20_000)
    await view.getByRole("button", { name: "Retry" }).waitFor()
    await view.getByRole("button", { name: "Retry" }).click()
    expect(await findAxeProblems(view)).toEqual([])
    await keepScreenshot(view, "verb-retry.png")
    await view.getByRole("dialog").getByRole("textbox").fill("retry")
    await submit("Retry")
    await until("the order was retried", () => hasEvent(id, "operator.retried"), 10_000)
  })

  test("abandons an order, which ends once no deposit can land", { timeout: 120_000 }, async () => {
    await setFaults(sandbox)
    await callRpc(chainOf(sandbox, ETHEREUM).url, "evm_setIntervalMining", [0])
    const id = await order("given up", "ethereum_sepolia:eth", BASE, "0.05")
    await until(
      "the deposit is sent",
      async () => (await daemon.order(id)).state === "deposit-confirming",
    )
    await useNonce()
    await until("the order is held", async () => (await daemon.order(id)).held)
    await show(id)
    await view.getByRole("button", { name: "Abandon" }).click()
    expect(await findAxeProblems(view)).toEqual([])
    await keepScreenshot(view, "verb-abandon.png")
    await view.getByRole("dialog").getByRole("textbox").fill("abandon")
    await submit("Abandon")
    await until("the order is over", async () => (await daemon.order(id)).outcome !== null)
    expect(await daemon.order(id)).toMatchObject({ outcome: "abandoned", deposited: false })
  })

  async function show(id: string): Promise<void> {
    await view.goto(`http://127.0.0.1:${config.port}/#/orders/${id}`)
    await view.getByRole("button", { name: "Abandon" }).waitFor()
  }

  async function confirm(button: string, word: string): Promise<void> {
    await view.getByRole("button", { name: button, exact: true }).click()
    await view.getByRole("dialog").getByRole("textbox").fill(word)
    await submit(button)
  }

  const submit = (button: string): Promise<void> =>
    view.getByRole("dialog").getByRole("button", { name: button, exact: true }).click()

  async function isPaused(): Promise<boolean> {
    // CAST: the daemon's own answer.
    return ((await daemon.call("GET", "/api/v1/overview")).body as Overview).pause !== null
  }

  async function hasEvent(id: string, wanted: string): Promise<boolean> {
    // CAST: the daemon's own answer.
    const { events } = (await daemon.call("GET", `/api/v1/orders/${id}`)).body as {
      events: { type: string }[]
    }
    return events.some(({ type }) => type === wanted)
  }
})

/** The HTLC on Base is pinned; on Ethereum the first fee of a transaction is already its cap. */
async function writeConfig(): Promise<E2eConfig> {
  const { url, assets } = chainOf(sandbox, BASE)
  const htlc = assets.find(({ id }) => id === BASE)?.htlc
  // CAST: a node answers with the bytes of the contract.
  const code = keccak256((await callRpc(url, "eth_getCode", [htlc, "latest"])) as Hex)
  return writeE2eConfig(
    sandbox,
    "order-faults",
    {
      chains: {
        ethereum_sepolia: {
          stuck_after: "2s",
          max_fee_per_gas: "0.105 gwei",
          max_priority_fee_per_gas: "1 gwei",
        },
      },
      treasury: OWN_SECRETS.treasury,
      secrets: OWN_SECRETS.secrets,
      service: { secret: "service", secret_pairs: [{ ...OWN_PAIR, secret: "own" }] },
      assets: { [BASE]: { pinned: [{ code }] } },
      guards: { approve_above: "0.05", approval_ttl: "2s", max_order: "0.1" },
      health: { check_every: "1s", alarm_after: "5s" },
      // Nothing listens there: an alert is open as soon as it is written.
      alerts: { receivers: { hook: { kind: "webhook", url: "http://127.0.0.1:9/hook" } } },
    },
    { deposit: "onchain" },
  )
}

async function plantLateEnds(): Promise<void> {
  await setFaults(sandbox, { lapse: true })
  const near = await order("near", ETHEREUM, BASE, "0.001")
  await order("expired", BASE, ETHEREUM, "0.06")
  await until(
    "the deposit is in its HTLC",
    async () => (await daemon.order(near)).seen["sourceInitiated"] != null,
  )
  const info = await (await fetch(`${sandbox.service}/sandbox/info`)).json()
  // CAST: the sandbox's own route.
  const { chains } = info as { chains: { name: string; timelocks: { source: number } }[] }
  const source = chains.find(({ name }) => name === "ethereum_sepolia")?.timelocks.source ?? 0
  await advanceEthereum(source - 300)
  await untilNamed("refund near", "expired approval")
  await readSurfaces("order-late-ends.png")
}

async function advanceEthereum(blocks: number): Promise<void> {
  const body = JSON.stringify({ chain: "ethereum_sepolia", blocks })
  expect((await fetch(`${sandbox.service}/sandbox/advance`, { method: "POST", body })).status).toBe(
    200,
  )
}

async function plantTheft(): Promise<void> {
  const stolen = await order("stolen", BASE, ETHEREUM, "0.001")
  await until(
    "the service has the order",
    async () => (await daemon.order(stolen)).serviceOrderId !== null,
  )
  const orderId = (await daemon.order(stolen)).serviceOrderId ?? ""
  await setFaults(sandbox, { redeemSourceOnly: true, orderId })
  await untilNamed("theft by a service", "pause by an alarm")
  await readSurfaces("order-theft.png")
  await acknowledge()
}

/**
 * Our secret is told, and the wallet loses the coin for the redemption. With coin again the payout
 * is redeemed.
 */
async function plantPayoutWithoutRedemption(): Promise<void> {
  await setFaults(sandbox, { neverRedeem: true })
  const id = await order("unredeemed", OWN_PAIR.from, OWN_PAIR.to, "0.03")
  await until(
    "the secret is told",
    async () => (await daemon.order(id)).ownSecret?.status === "revealed",
  )
  const { url } = chainOf(sandbox, ETHEREUM)
  const balance = await callRpc(url, "eth_getBalance", [account.address, "latest"])
  await callRpc(url, "anvil_setBalance", [account.address, "0x0"])
  // Less than a quarter of the lock is left.
  await advanceEthereum(460)
  await untilNamed("payout without a redemption")
  await readSurfaces("order-payout-without-redemption.png")
  await callRpc(url, "anvil_setBalance", [account.address, balance])
  await until(
    "Ballast redeems the payout",
    async () => (await daemon.order(id)).outcome === "completed",
    120_000,
  )
  await setFaults(sandbox)
  await acknowledge()
}

async function plantChangedContract(): Promise<void> {
  const { url, assets } = chainOf(sandbox, BASE)
  const htlc = assets.find(({ id }) => id === BASE)?.htlc
  const code = String(await callRpc(url, "eth_getCode", [htlc, "latest"]))
  await setFaults(sandbox, { lapse: true })
  const locked = await order("locked", BASE, ETHEREUM, "0.001")
  await until(
    "the deposit is in its HTLC",
    async () => (await daemon.order(locked)).seen["sourceInitiated"] != null,
  )
  await callRpc(url, "anvil_setCode", [htlc, `${code.slice(0, -2)}00`])
  await untilNamed("contract changed around a deposit")
  await readSurfaces("order-contract-around-deposit.png")
  // The alarm has paused everything, so another order is accepted only after it is acknowledged.
  await acknowledge()
  await order("changed", BASE, ETHEREUM, "0.001")
  await untilNamed("changed contract")
  await readSurfaces("order-changed-contract.png")
  await callRpc(url, "anvil_setCode", [htlc, code])
  await acknowledge()
}

/** The chain makes no block, and the service gives less than a minute. */
async function plantStuckDeposit(): Promise<void> {
  await setFaults(sandbox, { mutateOrder: { deadline: Math.floor(Date.now() / 1000) + 40 } })
  await callRpc(chainOf(sandbox, ETHEREUM).url, "evm_setIntervalMining", [0])
  await order("stuck", "ethereum_sepolia:eth", BASE, "0.05")
  await untilNamed("stuck transaction", "deposit overdue")
  await readSurfaces("order-stuck.png")
}

async function plantForeignNonce(): Promise<void> {
  await useNonce()
  await untilNamed("foreign nonce")
  await readSurfaces("order-foreign-nonce.png")
}

/** Another program with our key uses our next nonce, and the chain makes blocks again. */
async function useNonce(): Promise<void> {
  const { url } = chainOf(sandbox, ETHEREUM)
  const nonce = Number(await callRpc(url, "eth_getTransactionCount", [account.address, "latest"]))
  const foreign = createWalletClient({ account, transport: http(url) })
  const fees = {
    gas: 21_000n,
    maxFeePerGas: 100n * 10n ** 9n,
    maxPriorityFeePerGas: 50n * 10n ** 9n,
  }
  await foreign.sendTransaction({
    to: `0x${"99".repeat(20)}`,
    value: 1n,
    nonce,
    ...fees,
    chain: null,
  })
  await callRpc(url, "evm_setIntervalMining", [1])
}

async function order(place: string, from: string, to: string, amount: string): Promise<string> {
  const id = await acceptSwap(daemon, { from, to, amount })
  orders.set(place, id)
  return id
}

async function untilNamed(...names: readonly string[]): Promise<void> {
  const wanted = ORDER_FAULTS.filter(({ name }) => names.includes(name))
  const plantedMs = Date.now()
  const isDone = async (): Promise<boolean> => {
    // CAST: the daemon's own answers.
    overview = (await daemon.call("GET", "/api/v1/overview")).body as Overview
    const { open } = (await daemon.call("GET", "/api/v1/alerts")).body as {
      open: readonly { code: string }[]
    }
    for (const fault of wanted) {
      const isAlerted = open.some(({ code }) => code === fault.alert)
      if (isAlerted && isNamed(fault) && !seenMs.has(fault.name))
        seenMs.set(fault.name, Date.now() - plantedMs)
    }
    return wanted.every(({ name }) => seenMs.has(name))
  }
  // A fault that no surface names fails its own test.
  await until("each fault is named", isDone, PROMISED_MS).catch(() => undefined)
}

function isNamed(fault: PlantedFault): boolean {
  alarmIds = (overview.pause?.alarms ?? []).map(({ id }) => id).join(",")
  const short = orders.get(fault.at)?.slice(0, 8) ?? ""
  const wanted = fault.command?.replace("ORDER", short).replace("ALARM", alarmIds) ?? null
  return overview.problems.some(
    ({ code, sentence, todo, command }) =>
      code === fault.code && fault.says.test(sentence) && todo === fault.todo && command === wanted,
  )
}

async function readSurfaces(screenshot: string): Promise<void> {
  verdicts.push(overview.verdict)
  status += (await ballast("status")).stdout
  doctor += (await ballast("doctor")).stdout
  if (program === null) return
  browser ??= await openBrowser(program)
  page += nameChains(flat(await readOverviewPage(browser, config.port, screenshot)))
}

/** Another order in the same contract may raise its alarm meanwhile. */
async function acknowledge(): Promise<void> {
  await until("everything goes on", async () => {
    // CAST: the daemon's own answer.
    const { pause } = (await daemon.call("GET", "/api/v1/overview")).body as Overview
    const ids = (pause?.alarms ?? []).map(({ id }) => id).join(",")
    return (await ballast("resume", "--acknowledge", ids)).code === 0
  })
}

function ballast(...args: readonly string[]): ReturnType<typeof runBallast> {
  return runBallast([...args, "--config", config.file], {
    env: { ...config.env, ...SECRETS_ENV },
    timeoutMs: 60_000,
  })
}

function flat(text: string): string {
  return text.replace(/\s+/g, " ")
}

/** The page shows `Ethereum Sepolia` for `ethereum_sepolia`. */
function nameChains(text: string): string {
  return text.replace(
    /\b(base|ethereum)_sepolia\b/g,
    (_all, name: string) => `${name[0]?.toUpperCase()}${name.slice(1)} Sepolia`,
  )
}
