import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Connection, PublicKey } from "@solana/web3.js"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { parse } from "yaml"
import { mustExist } from "#lib/assert.ts"
import type { OrderView } from "../../src/core/order/view.ts"
import { openJournal } from "../../src/edges/journal/sqlite-journal.ts"
import { SANDBOX_WALLETS } from "../../src/lab/sandbox/sandbox-wallets.ts"
import { findLedgerFaults } from "../support/check-ledger.ts"
import { chainOf, readBalances } from "../support/e2e-chain.ts"
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

const BASE = "base_sepolia:usdc"
const SOLANA = "solana_testnet:usdc"
const MESSENGER = new PublicKey("CCTPV2vPZJS2u2BBsUoscuikbYjnpFmbFsvVuJdgUMQe")

let sandbox: SandboxProcess

beforeAll(async () => {
  const chains = "base_sepolia,solana_testnet"
  sandbox = await startSandboxProcess(["--chains", chains, "--routes", "all"])
  expect(sandbox.missing).toEqual([])
}, 120_000)
afterAll(() => sandbox?.stop())

const balanceOf = (asset: string): Promise<bigint> => readBalance(chainOf(sandbox, asset), asset)

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

describe("USDC between an EVM chain and Solana", () => {
  let daemon: DaemonProcess
  beforeAll(async () => {
    daemon = startDaemonProcess(await writeDaemonConfig(sandbox, "both"))
    await daemon.ready()
  }, 60_000)
  afterAll(() => daemon?.stop())

  test.each([
    [BASE, SOLANA],
    [SOLANA, BASE],
  ])(
    "is burnt and minted: %s to %s",
    async (from, to) => {
      const before = [await balanceOf(from), await balanceOf(to)] as const
      const asked = { from, to, amount: "1000" }
      const { body } = await daemon.call("POST", "/api/v1/swap", asked)
      const { id } = body as { id?: string }
      const order = await outcomeOf(daemon, mustExist(id, JSON.stringify(body)))
      expect(order).toMatchObject({ outcome: "completed", service: "cctp" })
      expect(before[0] - (await balanceOf(from))).toBe(1_000_000_000n)
      const paid = (await balanceOf(to)) - before[1]
      expect([1_000_000_000n, 999_870_000n]).toContain(paid)
    },
    120_000,
  )

  // Over both kinds it is cheaper to burn.
  test("goes over the one kind while the other is down", async () => {
    const attester = mustExist(sandbox.cctp, "the attester").attester
    const breakAttester = (fault: string) =>
      fetch(`${attester}/sandbox/fault/${fault}`, { method: "POST" })
    const serviceOf = async (from: string, to: string): Promise<string | null> => {
      const { body } = await daemon.call("POST", "/api/v1/swap", { from, to, amount: "1003" })
      const { id } = body as { id?: string }
      const order = await outcomeOf(daemon, mustExist(id, JSON.stringify(body)))
      expect(order.outcome).toBe("completed")
      return order.service
    }
    await breakAttester("down")
    try {
      expect(await serviceOf(SOLANA, BASE)).toBe("main")
    } finally {
      await breakAttester("none")
    }
    await setFaults(sandbox, { status: 503 })
    try {
      expect(await serviceOf(BASE, SOLANA)).toBe("cctp")
    } finally {
      await setFaults(sandbox)
    }
    expect(await serviceOf(BASE, SOLANA)).toBe("cctp")
  }, 180_000)

  test("doctor finds every program and contract as configured and linked", async () => {
    const { file } = await writeDaemonConfig(sandbox, "doctor")
    const env = { BALLAST_OPS_TOKEN: TOKEN }
    const { stdout } = await runBallast(["doctor", "--json", "--config", file], { env })
    // CAST: the answer of our own program.
    const { checks } = JSON.parse(stdout) as { checks: { check: string; status: string }[] }
    expect(checks.filter(({ check }) => check === "route cctp")).toMatchObject([{ status: "ok" }])
  }, 60_000)
})

test("discover prints the pins of contracts and programs, which doctor and check accept", async () => {
  const { file } = await writeDaemonConfig(sandbox, "discovered")
  const env = { BALLAST_OPS_TOKEN: TOKEN }
  const { code, stdout } = await runBallast(["discover", "--json", "--config", file], { env })
  expect(code).toBe(0)
  // CAST: the answer of our own program.
  const { configuration, routes } = JSON.parse(stdout) as {
    configuration: string
    routes: { findings: { code: string }[] }[]
  }
  const codes = routes.flatMap(({ findings }) => findings.map((finding) => finding.code))
  expect(codes).toEqual(Array(5).fill("discover.not_pinned"))
  const { pinned } = parse(configuration).routes.cctp
  expect(Object.keys(pinned).sort()).toEqual(["base_sepolia", "solana_testnet"])
  const config = JSON.parse(readFileSync(file, "utf8"))
  config.routes.cctp.pinned = pinned
  writeFileSync(file, JSON.stringify(config))
  const doctor = await runBallast(["doctor", "--json", "--config", file], { env })
  // CAST: the answer of our own program.
  const { checks } = JSON.parse(doctor.stdout) as { checks: { check: string; status: string }[] }
  expect(checks.filter(({ check }) => check.startsWith("route cctp"))).toMatchObject([
    { check: "route cctp", status: "ok" },
  ])
  expect((await runBallast(["check", "--config", file], { env })).code).toBe(0)
}, 90_000)

describe("a daemon that is killed after every journal commit", () => {
  test.each([
    { from: BASE, to: SOLANA, amount: "1001", signer: "child" },
    { from: SOLANA, to: BASE, amount: "1002", signer: "child" },
  ])(
    "burns once and mints: $from → $to",
    async ({ from, to, amount, signer }) => {
      const name = `killed-${amount}`
      const config = await writeDaemonConfig(sandbox, name, {
        books: { reconcile_every: "1s" },
        signer: { run: signer },
      })
      await untilBooksAgree(config)
      const before = [await balanceOf(from), await countBurns()] as const
      const id = await acceptAndDie(config, { from, to, amount })
      const { order, deaths } = await restartUntilDone(config, id)
      expect(order).toMatchObject({ outcome: "completed", service: "cctp", deposited: true })
      expect(deaths).toBeGreaterThan(6)
      expect(before[0] - (await balanceOf(from))).toBe(BigInt(amount) * 1_000_000n)
      expect((await countBurns()) - before[1]).toBe(from === SOLANA ? 1 : 0)

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

/** The successful transactions of our wallet that call the messenger. */
async function countBurns(): Promise<number> {
  const connection = new Connection(chainOf(sandbox, SOLANA).url, {
    commitment: "confirmed",
    disableRetryOnRateLimit: true,
  })
  const wallet = new PublicKey(SANDBOX_WALLETS.solana)
  const listed = await connection.getSignaturesForAddress(wallet, {}, "confirmed")
  const burns = listed
    .filter(({ err }) => err === null)
    .map(async ({ signature }) => {
      const found = await connection.getTransaction(signature, {
        commitment: "confirmed",
        maxSupportedTransactionVersion: 0,
      })
      const message = mustExist(found, signature).transaction.message
      return message.compiledInstructions.some(({ programIdIndex }) =>
        message.staticAccountKeys[programIdIndex]?.equals(MESSENGER),
      )
    })
  return (await Promise.all(burns)).filter((isBurn) => isBurn).length
}
