import { once } from "node:events"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { Connection, Keypair, PublicKey } from "@solana/web3.js"
import { afterAll, beforeAll, expect, test } from "vitest"
import type { OrderView } from "../../src/core/order/view.ts"
import { openJournal } from "../../src/edges/journal/sqlite-journal.ts"
import { findTokenAccount } from "../../src/lab/sandbox/solana/spl-tokens.ts"
import { findLedgerFaults } from "../support/check-ledger.ts"
import { chainOf } from "../support/e2e-chain.ts"
import { runBallast } from "../support/e2e-cli.ts"
import { type E2eConfig, writeE2eConfig } from "../support/e2e-config.ts"
import { acceptSwap, refuseSwap, waitForOutcome } from "../support/e2e-orders.ts"
import {
  type DaemonProcess,
  type SandboxProcess,
  startDaemonProcess,
  startSandboxProcess,
  until,
} from "../support/sandbox-process.ts"

const USDC = "solana_testnet:usdc"
const CBBTC = "solana_testnet:cbbtc"
const SOL = "solana_testnet:sol"
const WBTC = "base_sepolia:wbtc"
const START_LAMPORTS = 2_000_000_000
const FEE = 5_000n
const RENT = 2_039_280n
const OPENING = "token-account/solana_testnet/opening"

let sandbox: SandboxProcess
let config: E2eConfig
let connection: Connection
const wallet = Keypair.generate()
const daemons: DaemonProcess[] = []

beforeAll(async () => {
  sandbox = await startSandboxProcess()
  expect(sandbox.missing).toEqual([])
  connection = new Connection(chainOf(sandbox, SOL).url, "confirmed")
  await connection.requestAirdrop(wallet.publicKey, START_LAMPORTS)
  const key = join(sandbox.dir, "fresh-solana-key")
  writeFileSync(key, JSON.stringify([...wallet.secretKey]), { mode: 0o600 })
  const patch = {
    books: { reconcile_every: "2s" },
    guards: { max_order: "60", windows: [{ per: "24h", max: "100" }] },
    chains: { solana_testnet: { key: `file:${key}` } },
    rules: [
      {
        id: "cash",
        kind: "band",
        asset: USDC,
        min: "20",
        target: "150",
        max: "1000",
        sources: [WBTC],
        every: "2s",
      },
    ],
  }
  const only = ["base_sepolia", "solana_testnet"]
  config = await writeE2eConfig(sandbox, "token-accounts", patch, { only })
}, 180_000)
afterAll(async () => {
  for (const daemon of daemons) await daemon.stop()
  await sandbox?.stop()
})

test("a wallet without token accounts gets its tokens unattended, although the daemon dies after " +
  "it sent", {
  timeout: 240_000,
}, async () => {
  expect(await runBallast(["doctor", "--config", config.file], config)).toMatchObject({
    stdout: expect.stringMatching(/opens it for at most/),
  })
  expect(await runBallast(["plan", "--config", config.file], config)).toMatchObject({
    stdout: expect.stringContaining(
      `opens the token account ${accountOf(USDC)} for ${USDC}, which costs at most 0.00`,
    ),
  })
  expect(await lamports()).toBe(BigInt(START_LAMPORTS))

  const first = startDaemon()
  await until(
    "the account exists",
    async () => (await connection.getAccountInfo(accountOf(USDC))) !== null,
  )
  first.child.kill("SIGKILL")
  await once(first.child, "exit")
  inJournal((journal) => {
    expect(journal.readFlag(OPENING)).not.toBeNull()
    expect(journal.listAccounts("expenses:token-account")).toEqual([])
  })

  const second = startDaemon()
  await second.ready()
  const order = await findCompleted(second)
  expect(order).toMatchObject({ rule: "cash", from: WBTC, to: USDC, outcome: "completed" })
  await until("the books agree", async () =>
    (await listStates(second)).every((state) => state === "agrees"),
  )
  expect(await lamports()).toBe(BigInt(START_LAMPORTS) - 2n * (FEE + RENT))

  // The limits count the token in its own unit of six decimals.
  const reasonsFor = (amount: string) => refuseSwap(second, { from: USDC, to: WBTC, amount })
  expect(await reasonsFor("60.000001")).toMatchObject([
    { code: "limit.order", found: "60000001", max: "60000000" },
  ])
  const sold = await acceptSwap(second, { from: USDC, to: WBTC, amount: "60" })
  expect(await reasonsFor("40.000001")).toMatchObject([
    { code: "limit.window", found: "100000001", max: "100000000" },
  ])
  expect(await waitForOutcome(second, sold)).toMatchObject({
    outcome: "completed",
    amountUnits: "60000000",
  })
  await until("the rent is back", async () => (await listRents()).length === 0)
  await until("the books agree", async () =>
    (await listStates(second)).every((state) => state === "agrees"),
  )
  await second.stop()
  const nativeUnits = await lamports()
  inJournal((journal) => {
    expect(journal.readFlag(OPENING)).toBeNull()
    expect(journal.listAccounts("expenses:token-account")).toMatchObject([
      { asset: SOL, units: 2n * (FEE + RENT) },
    ])
    const wallets = journal.listAccounts("assets:wallet:solana_testnet")
    expect(wallets.find(({ asset }) => asset === SOL)?.units).toBe(nativeUnits)
    for (const account of ["equity:outside", "equity:unexplained"])
      expect(journal.listAccounts(account)).toEqual([])
    expect(findLedgerFaults(journal)).toEqual([])
  })
  // The account of the other token saw one transaction in its life: the one that opened it.
  expect(await connection.getSignaturesForAddress(accountOf(CBBTC))).toHaveLength(1)
})

/** Starts a daemon that ends with the tests, also when one fails. */
function startDaemon(): DaemonProcess {
  const daemon = startDaemonProcess(config)
  daemons.push(daemon)
  return daemon
}

function accountOf(asset: string): PublicKey {
  const token = chainOf(sandbox, asset).assets.find(({ id }) => id === asset)?.token ?? ""
  return findTokenAccount(wallet.publicKey, new PublicKey(token))
}

async function lamports(): Promise<bigint> {
  return BigInt(await connection.getBalance(wallet.publicKey))
}

function inJournal(check: (journal: ReturnType<typeof openJournal>) => void): void {
  const journal = openJournal(join(sandbox.dir, "token-accounts", "journal.db"))
  try {
    check(journal)
  } finally {
    journal.close()
  }
}

/**
 * A tick before the account is open may lead to an order that ends unpaid; the rule then asks
 * again.
 */
async function findCompleted(daemon: DaemonProcess): Promise<OrderView | undefined> {
  let found: OrderView | undefined
  await until(
    "an order of the rule is completed",
    async () => {
      const { orders } = (await daemon.call("GET", "/api/v1/orders")).body as {
        orders: OrderView[]
      }
      found = orders.find(({ outcome }) => outcome === "completed")
      return found !== undefined
    },
    150_000,
  )
  return found
}

async function listRents(): Promise<unknown[]> {
  let rents: unknown[] = []
  inJournal((journal) => {
    rents = [...journal.listAccounts("assets:rent:")]
  })
  return rents
}

async function listStates(daemon: DaemonProcess): Promise<string[]> {
  const { assets } = (await daemon.call("POST", "/api/v1/reconcile", {})).body as {
    assets: { state: string }[]
  }
  return assets.map(({ state }) => state)
}
