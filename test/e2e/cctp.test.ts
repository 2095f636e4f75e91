import { join } from "node:path"
import { type Hex, toEventSelector } from "viem"
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { encodeMint } from "#chains/evm/cctp/calls.ts"
import { mustExist } from "#lib/assert.ts"
import type { OrderView } from "../../src/core/order/view.ts"
import { openJournal } from "../../src/edges/journal/sqlite-journal.ts"
import { findLedgerFaults } from "../support/check-ledger.ts"
import { ciSample } from "../support/ci-sample.ts"
import { sealRescueFile } from "../support/dead-daemon.ts"
import { callRpc, chainOf, readBalances } from "../support/e2e-chain.ts"
import { runBallast } from "../support/e2e-cli.ts"
import { setFaults } from "../support/e2e-faults.ts"
import { acceptAndDie, restartUntilDone } from "../support/kill-after-commits.ts"
import { readBalance } from "../support/read-balance.ts"
import {
  type DaemonProcess,
  type SandboxProcess,
  startDaemonProcess,
  startSandboxProcess,
  TOKEN,
  until,
  writeDaemonConfig,
} from "../support/sandbox-process.ts"
import { shiftClock } from "../support/shift-clock.ts"
import { startTower, writeTowerConfig } from "../support/tower-process.ts"

const BASE = "base_sepolia:usdc"
const ETHEREUM = "ethereum_sepolia:usdc"

let sandbox: SandboxProcess

beforeAll(async () => {
  const chains = "base_sepolia,ethereum_sepolia"
  sandbox = await startSandboxProcess(["--chains", chains, "--routes", "all"])
  expect(sandbox.missing).toEqual([])
}, 120_000)
afterAll(() => sandbox?.stop())

const balanceOf = (asset: string): Promise<bigint> => readBalance(chainOf(sandbox, asset), asset)

async function breakAttester(fault: string): Promise<void> {
  const { attester } = mustExist(sandbox.cctp, "the attester")
  await fetch(`${attester}/sandbox/fault/${fault}`, { method: "POST" })
}

async function submit(daemon: DaemonProcess, from: string, to: string, amount: string) {
  const { body } = await daemon.call("POST", "/api/v1/swap", { from, to, amount })
  const { id } = body as { id?: string }
  return mustExist(id, JSON.stringify(body))
}

async function outcomeOf(daemon: DaemonProcess, id: string): Promise<OrderView> {
  await until(
    "the order ends",
    async () => (await daemon.order(id)).outcome !== null,
    90_000,
  ).catch(async (error: unknown) => {
    const order = JSON.stringify(await daemon.order(id))
    throw new Error(`${String(error)}: ${order}\n${daemon.output().slice(-8_000)}`)
  })
  return daemon.order(id)
}

describe("USDC over both kinds of routes", () => {
  let daemon: DaemonProcess
  let file = ""
  beforeAll(async () => {
    const config = await writeDaemonConfig(sandbox, "both")
    file = config.file
    daemon = startDaemonProcess(config)
    await daemon.ready()
  }, 60_000)
  afterAll(() => daemon?.stop())

  test("a burn is minted by our own transaction, and costs what Circle takes", async () => {
    const before = [await balanceOf(BASE), await balanceOf(ETHEREUM)] as const
    const order = await outcomeOf(daemon, await submit(daemon, BASE, ETHEREUM, "100"))
    expect(order).toMatchObject({ outcome: "completed", service: "cctp" })
    expect(before[0] - (await balanceOf(BASE))).toBe(100_000_000n)
    const paid = (await balanceOf(ETHEREUM)) - before[1]
    expect([100_000_000n, 99_987_000n]).toContain(paid)
  }, 120_000)

  test("a dry run shows both signatures, and that nothing returns a burn", async () => {
    const asked = [BASE, ETHEREUM, "100", "--dry-run", "--json", "--config", file]
    const env = { BALLAST_OPS_TOKEN: TOKEN }
    const { stdout } = await runBallast(["swap", ...asked], { env })
    expect(JSON.parse(stdout)).toMatchObject({
      ok: true,
      serviceOrderId: null,
      quote: { service: "cctp" },
      signatures: [{ purpose: "approve" }, { purpose: "deposit" }],
      worstCase: { refund: null },
    })
    const { sentences } = JSON.parse(stdout).worstCase
    expect(sentences).toEqual([
      expect.stringContaining("nothing returns them"),
      expect.stringMatching(/network fee of the burn is at most 0\.\d+ ETH/),
      expect.stringMatching(/network fee of the mint is at most 0\.\d+ ETH/),
    ])
  }, 60_000)

  test("the status counts both kinds, and alarms name the one that is away", async () => {
    const servicesOf = async () => {
      const { body } = await daemon.call("GET", "/api/v1/overview")
      // CAST: the daemon's own answer.
      const { services } = body as { services: { name: string; state: string }[] }
      return services.map(({ name, state }) => `${name} ${state}`)
    }
    await until("both answer", async () => (await servicesOf()).join() === "main good,cctp good")
    await breakAttester("down")
    try {
      const away = async () => (await servicesOf()).join() === "main good,cctp silent"
      await until("the attester is away", away, 90_000)
    } finally {
      await breakAttester("none")
    }
  }, 120_000)

  test("the service takes the order while the attester is down", async () => {
    await breakAttester("down")
    try {
      const order = await outcomeOf(daemon, await submit(daemon, ETHEREUM, BASE, "100"))
      expect(order).toMatchObject({ outcome: "completed", service: "main" })
    } finally {
      await breakAttester("none")
    }
  }, 120_000)

  test("the pair is burnt while the service is down", async () => {
    await setFaults(sandbox, { status: 503 })
    try {
      const order = await outcomeOf(daemon, await submit(daemon, ETHEREUM, BASE, "100"))
      expect(order).toMatchObject({ outcome: "completed", service: "cctp" })
    } finally {
      await setFaults(sandbox)
    }
  }, 120_000)
})

describe("a rule between two chains", () => {
  test("is planned over the cheaper kind, and over the other one while one is down", async () => {
    const have = await balanceOf(ETHEREUM)
    const keep = String(have / 1_000_000n - 200n)
    const rule = { id: "move", kind: "sweep", from: ETHEREUM, keep, to: BASE, every: "1m" }
    const { file } = await writeDaemonConfig(sandbox, "planned", { rules: [rule] })
    const env = { BALLAST_OPS_TOKEN: TOKEN }
    const plan = async () => {
      const { stdout, stderr } = await runBallast(["plan", "--json", "--config", file], { env })
      // CAST: the answer of our own program.
      const { proposals } = JSON.parse(stdout || stderr) as { proposals: Proposal[] }
      return proposals.map(({ from, to, kind = "htlc", cost }) => {
        return { pair: `${from} ${to}`, kind, cost: Number(cost) }
      })
    }
    const pair = `${ETHEREUM} ${BASE}`
    const [cheaper, ...more] = await plan()
    expect([cheaper, more]).toMatchObject([{ pair, kind: "cctp" }, []])
    await breakAttester("down")
    const [dearer] = await plan().finally(() => breakAttester("none"))
    expect(dearer).toMatchObject({ pair, kind: "htlc" })
    expect(mustExist(cheaper, "a plan").cost).toBeLessThan(mustExist(dearer, "a plan").cost)
    await setFaults(sandbox, { status: 503 })
    const [alone] = await plan().finally(() => setFaults(sandbox))
    expect(alone).toMatchObject({ pair, kind: "cctp" })
    expect(await plan()).toMatchObject([{ pair, kind: "cctp" }])
  }, 120_000)
})

type Proposal = {
  readonly from: string
  readonly to: string
  readonly kind?: string
  readonly cost: string | null
}
type Check = { readonly check: string; readonly status: string; readonly found: string }

describe("ballast doctor", () => {
  const examine = async (name: string, override = {}) => {
    const { file } = await writeDaemonConfig(sandbox, name, override)
    const env = { BALLAST_OPS_TOKEN: TOKEN }
    const { stdout } = await runBallast(["doctor", "--json", "--config", file], { env })
    // CAST: the answer of our own program.
    const { checks } = JSON.parse(stdout) as { checks: Check[] }
    return checks.filter(({ check }) => /cctp|routes/.test(check))
  }

  test("finds every contract as the configuration names it", async () => {
    expect(await examine("doctor")).toMatchObject([
      { check: "route cctp", status: "ok" },
      { check: "route cctp contracts", status: "warn", found: expect.stringContaining("pinned") },
    ])
  }, 60_000)

  test("names the reasons for which a route gives no quote", async () => {
    const { contracts, attester } = mustExist(sandbox.cctp, "the contracts")
    const cctp = {
      assets: [BASE, ETHEREUM],
      speed: "fast",
      max_fee: "1bps",
      max_in_flight: "1000 usd",
      service: attester,
      contracts: Object.fromEntries(
        contracts.map(({ chain, domain, messenger, transmitter }) => [
          chain,
          { domain, messenger, transmitter },
        ]),
      ),
    }
    const [first] = await examine("doctor-dear", { routes: { cctp } })
    expect(first).toMatchObject({ status: "fail", found: expect.stringContaining("max_fee") })
  }, 60_000)

  test("names a contract that is another one on the chain", async () => {
    const { contracts, attester } = mustExist(sandbox.cctp, "the contracts")
    const places = contracts.map(({ chain, domain, messenger, transmitter }, index) => {
      // The other chain's number.
      const moved = index === 0 ? domain + 1 : domain
      return [chain, { domain: moved, messenger, transmitter }]
    })
    const cctp = {
      assets: [BASE, ETHEREUM],
      max_in_flight: "1000 usd",
      service: attester,
      contracts: Object.fromEntries(places),
    }
    const found = await examine("doctor-moved", { routes: { cctp } })
    expect(found.map(({ status }) => status)).toEqual(["fail", "fail", "warn"])
    expect(found[0]?.found).toContain("cctp.pin_differs")
  }, 60_000)
})

describe("a daemon that is killed after every journal commit of a burn", () => {
  const routes = [
    { from: ETHEREUM, to: BASE, amount: "102", signer: "child" },
    { from: BASE, to: ETHEREUM, amount: "101", signer: "inside" },
  ]
  test.each(ciSample(routes, 2))(
    "burns once and mints: $from → $to, keys $signer",
    async ({ from, to, amount, signer }) => {
      const name = `killed-${amount}`
      const config = await writeDaemonConfig(sandbox, name, {
        books: { reconcile_every: "1s" },
        signer: { run: signer },
      })
      await untilBooksAgree(config)
      const before = await countBurns(from)
      const id = await acceptAndDie(config, { from, to, amount })
      const { order, deaths } = await restartUntilDone(config, id)
      expect(order).toMatchObject({ outcome: "completed", service: "cctp", deposited: true })
      expect(deaths).toBeGreaterThan(6)
      expect((await countBurns(from)) - before).toBe(1)

      await untilBooksAgree(config)
      const journal = openJournal(join(sandbox.dir, name, "journal.db"))
      try {
        const booked = journal
          .listAccounts("assets:wallet:")
          .map(({ asset, units }) => [asset, units] as const)
        expect(Object.fromEntries(booked)).toEqual(await readBalances(sandbox))
        expect(findLedgerFaults(journal)).toEqual([])
        expect(journal.listAccounts("assets:in-transit:")).toEqual([])
      } finally {
        journal.close()
      }
    },
    300_000,
  )
})

describe("a burn whose daemon is gone", () => {
  test("is minted by any account with the rescue bundle, and counts when the daemon is back", async () => {
    const config = await writeDaemonConfig(sandbox, "gone")
    const { attester } = mustExist(sandbox.cctp, "the attester")
    const id = await burnAndDie(config)
    const before = await balanceOf(ETHEREUM)
    const { stdout, stderr } = await runBallast(["rescue", id, "--json", "--config", config.file], {
      env: { BALLAST_OPS_TOKEN: TOKEN },
    })
    // CAST: the answer of our own program.
    const { refund, redeem } = JSON.parse(stdout || stderr) as {
      refund: unknown
      redeem: { recipe: { to: Hex; burn: { tx: string; domain: number } } }
    }
    expect(refund).toBeNull()
    const { to, burn } = redeem.recipe
    const path = `/v2/messages/${burn.domain}?transactionHash=${burn.tx}`
    let attested: { message: Hex; attestation: Hex } | null = null
    await until("the burn is attested", async () => {
      type Message = { status: string; message: Hex; attestation: Hex }
      const { messages } = (await (await fetch(`${attester}${path}`)).json()) as {
        messages: Message[]
      }
      attested = messages.find(({ status }) => status === "complete") ?? null
      return attested !== null
    })
    const { message, attestation } = mustExist<{ message: Hex; attestation: Hex }>(
      attested,
      "the attested message",
    )
    await sendAsStranger(to, encodeMint(message, attestation))
    expect((await balanceOf(ETHEREUM)) - before).toBeGreaterThan(99_900_000n)

    const daemon = startDaemonProcess(config)
    try {
      await daemon.ready()
      expect(await outcomeOf(daemon, id)).toMatchObject({ outcome: "completed" })
      expect((await balanceOf(ETHEREUM)) - before).toBeLessThanOrEqual(100_000_000n)
    } finally {
      await daemon.stop()
    }
  }, 180_000)

  test("is minted to the treasury by a watchtower that has its file", async () => {
    const config = await writeDaemonConfig(sandbox, "towered")
    const id = await burnAndDie(config)
    const before = await balanceOf(ETHEREUM)
    const env = { BALLAST_OPS_TOKEN: TOKEN }
    const rescue = await sealRescueFile(sandbox, { ...config, env }, id)
    const tower = startTower(rescue, await openTower(), {
      TEST_TOWER_KEY: TOWER_KEY,
      ...shiftClock(DAY_MS),
    })
    try {
      expect(await tower.exited, tower.output()).toBe(0)
    } finally {
      await tower.kill()
    }
    expect((await balanceOf(ETHEREUM)) - before).toBeGreaterThan(99_900_000n)
    expect(
      await callRpc(chainOf(sandbox, ETHEREUM).url, "eth_getTransactionCount", [TOWER, "latest"]),
    ).toBe("0x1")
  }, 180_000)
})

const DAY_MS = 24 * 3_600_000
const TOWER_KEY = generatePrivateKey()
const TOWER = privateKeyToAccount(TOWER_KEY).address

/** The configuration of a watchtower with a key of its own, which has coins for fees alone. */
async function openTower(): Promise<string> {
  const chains: Record<string, Record<string, unknown>> = {}
  for (const { name, url, chainId } of sandbox.chains) {
    await callRpc(url, "anvil_setBalance", [TOWER, `0x${(10n ** 18n).toString(16)}`])
    const chain = { family: "evm", chain_id: chainId, rpc: [url], confirmations: 1 }
    chains[name] = { ...chain, key: "env:TEST_TOWER_KEY" }
  }
  return writeTowerConfig(sandbox.dir, chains)
}

/** A daemon burns and dies while no attestation comes; then the attester is well again. */
async function burnAndDie(config: { file: string; port: number }): Promise<string> {
  await breakAttester("never")
  const daemon = startDaemonProcess(config)
  try {
    await daemon.ready()
    const id = await submit(daemon, BASE, ETHEREUM, "100")
    await until("the burn is made", async () => (await daemon.order(id)).state === "funded")
    return id
  } finally {
    daemon.child.kill("SIGKILL")
    await daemon.exited
    await breakAttester("none")
  }
}

async function sendAsStranger(to: Hex, data: Hex): Promise<void> {
  const { url } = chainOf(sandbox, ETHEREUM)
  const from = `0x${"77".repeat(20)}`
  await callRpc(url, "anvil_setBalance", [from, `0x${(10n ** 18n).toString(16)}`])
  await callRpc(url, "anvil_impersonateAccount", [from])
  const hash = await callRpc(url, "eth_sendTransaction", [{ from, to, data, gas: "0x7a120" }])
  await until("the stranger's transaction is in a block", async () => {
    const receipt = await callRpc(url, "eth_getTransactionReceipt", [hash])
    // CAST: a receipt of JSON-RPC, or null.
    const { status } = (receipt ?? {}) as { status?: string }
    if (status === "0x0") throw new Error("the stranger's mint failed")
    return status === "0x1"
  })
}

/** Also opens the books of a new journal. */
async function untilBooksAgree(config: { file: string; port: number }): Promise<void> {
  const daemon = startDaemonProcess(config)
  try {
    await until("books and chains agree", async () => {
      const { body } = await daemon
        .call("GET", "/api/v1/reconciliation")
        .catch(() => ({ body: null }))
      const { assets = [] } = (body ?? {}) as { assets?: { state: string }[] }
      return assets.length > 0 && assets.every(({ state }) => state === "agrees")
    })
  } finally {
    await daemon.stop()
  }
}

const BURNT = toEventSelector(
  "DepositForBurn(address,uint256,address,bytes32,uint32,bytes32,bytes32,uint256,uint32,bytes)",
)

async function countBurns(asset: string): Promise<number> {
  const filter = { fromBlock: "0x0", toBlock: "latest", topics: [BURNT] }
  const logs = await callRpc(chainOf(sandbox, asset).url, "eth_getLogs", [filter])
  return (logs as unknown[]).length
}
