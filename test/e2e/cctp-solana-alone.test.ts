import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import {
  type AccountMeta,
  ComputeBudgetProgram,
  Connection,
  Keypair,
  PublicKey,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from "@solana/web3.js"
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { mustExist } from "#lib/assert.ts"
import { findTokenAccount } from "#sandbox/solana/spl-tokens.ts"
import type { OrderView } from "../../src/core/order/view.ts"
import { sealRescueFile } from "../support/dead-daemon.ts"
import { callRpc, chainOf } from "../support/e2e-chain.ts"
import { runBallast } from "../support/e2e-cli.ts"
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

/* Burns to and from Solana whose daemon, or whose journal, is gone. */

const BASE = "base_sepolia:usdc"
const SOLANA = "solana_testnet:usdc"
const BOTH = [
  [BASE, SOLANA],
  [SOLANA, BASE],
] as const
const DAY_MS = 24 * 3_600_000
const STRANGER = Keypair.generate()
const TOWER = Keypair.generate()
const TOWER_ENV = {
  TOWER_EVM: generatePrivateKey(),
  TOWER_SOLANA: JSON.stringify([...TOWER.secretKey]),
}
const env = { BALLAST_OPS_TOKEN: TOKEN }

let sandbox: SandboxProcess
let connection: Connection

beforeAll(async () => {
  const chains = "base_sepolia,solana_testnet"
  sandbox = await startSandboxProcess(["--chains", chains, "--routes", "all"])
  expect(sandbox.missing).toEqual([])
  connection = new Connection(chainOf(sandbox, SOLANA).url, {
    commitment: "confirmed",
    disableRetryOnRateLimit: true,
  })
  for (const { publicKey } of [STRANGER, TOWER])
    await connection.requestAirdrop(publicKey, 1_000_000_000)
  const { address } = privateKeyToAccount(TOWER_ENV.TOWER_EVM)
  await callRpc(chainOf(sandbox, BASE).url, "anvil_setBalance", [
    address,
    `0x${(10n ** 18n).toString(16)}`,
  ])
}, 120_000)
afterAll(() => sandbox?.stop())

const balanceOf = (asset: string): Promise<bigint> => readBalance(chainOf(sandbox, asset), asset)

async function breakAttester(fault: string): Promise<void> {
  const { attester } = mustExist(sandbox.cctp, "the attester")
  await fetch(`${attester}/sandbox/fault/${fault}`, { method: "POST" })
}

type Daemon = { file: string; port: number }

/** A daemon burns and dies while no attestation comes; then the attester is well again. */
async function burnAndDie(config: Daemon, from: string, to: string): Promise<string> {
  await breakAttester("never")
  const daemon = startDaemonProcess(config)
  try {
    await daemon.ready()
    const { body } = await daemon.call("POST", "/api/v1/swap", { from, to, amount: "1000" })
    // CAST: our own interface.
    const id = mustExist((body as { id?: string }).id, JSON.stringify(body))
    await until("the burn is made", async () => (await daemon.order(id)).state === "funded")
    return id
  } finally {
    daemon.child.kill("SIGKILL")
    await daemon.exited
    await breakAttester("none")
  }
}

async function outcomeOf(daemon: DaemonProcess, id: string): Promise<OrderView> {
  const isOver = async () => (await daemon.order(id)).outcome !== null
  await until("the order ends", isOver, 90_000).catch(async (error: unknown) => {
    throw new Error(`${String(error)}: ${daemon.output().slice(-8_000)}`)
  })
  return daemon.order(id)
}

describe("a burn whose daemon is gone", () => {
  test("is minted on Solana by any account with the rescue bundle, and counts afterwards", async () => {
    const config = await writeDaemonConfig(sandbox, "gone")
    const id = await burnAndDie(config, BASE, SOLANA)
    const before = await balanceOf(SOLANA)
    const asked = ["rescue", id, "--json", "--config", config.file]
    const { stdout, stderr } = await runBallast(asked, { env })
    // CAST: the answer of our own program.
    const { refund, redeem } = JSON.parse(stdout || stderr) as {
      refund: unknown
      redeem: { recipe: Recipe }
    }
    expect(refund).toBeNull()
    const { recipe } = redeem
    expect([recipe.message, recipe.data]).toEqual([null, null])
    await mintByHand(recipe)
    expect((await balanceOf(SOLANA)) - before).toBeGreaterThan(999_000_000n)

    const daemon = startDaemonProcess(config)
    try {
      await daemon.ready()
      expect(await outcomeOf(daemon, id)).toMatchObject({ outcome: "completed" })
      expect((await balanceOf(SOLANA)) - before).toBeLessThanOrEqual(1_000_000_000n)
    } finally {
      await daemon.stop()
    }
  }, 180_000)

  test.each(BOTH)(
    "is minted to the treasury by a watchtower that has its file: %s to %s",
    async (from, to) => {
      const config = await writeDaemonConfig(sandbox, `towered-${from.split("_")[0]}`)
      const id = await burnAndDie(config, from, to)
      const before = await balanceOf(to)
      const rescue = await sealRescueFile(sandbox, { ...config, env }, id)
      const tower = startTower(rescue, towerFile(), { ...TOWER_ENV, ...shiftClock(DAY_MS) })
      try {
        expect(await tower.exited, tower.output()).toBe(0)
      } finally {
        await tower.kill()
      }
      expect(tower.output()).toContain("redeems the payout: transaction")
      const paid = (await balanceOf(to)) - before
      expect([1_000_000_000n, 999_870_000n]).toContain(paid)
    },
    180_000,
  )
})

describe("a burn whose journal is gone", () => {
  test.each(BOTH)(
    "is found on its chain by recover, and minted once: %s to %s",
    async (from, to) => {
      const name = `lost-${from.split("_")[0]}`
      const config = await writeDaemonConfig(sandbox, name)
      await burnAndDie(config, from, to)
      const before = [await balanceOf(from), await balanceOf(to)] as const
      const dataDir = join(sandbox.dir, name)
      rmSync(dataDir, { recursive: true })
      mkdirSync(dataDir, { mode: 0o700 })
      writeFileSync(join(dataDir, "PAUSE"), "")
      const daemon = startDaemonProcess(config)
      try {
        await daemon.serves()
        const [found, ...more] = await recover(config)
        expect(more).toEqual([])
        expect(found).toMatchObject({ status: "adopted", service: "cctp", from, to })
        rmSync(join(dataDir, "PAUSE"))
        expect((await daemon.call("POST", "/api/v1/resume", {})).status).toBe(200)
        const order = await outcomeOf(daemon, found?.id ?? "")
        expect(order).toMatchObject({ outcome: "completed", rule: "recovered" })
        expect(await recover(config)).toEqual([])
      } finally {
        await daemon.stop()
      }
      expect(await balanceOf(from)).toBe(before[0])
      expect([1_000_000_000n, 999_870_000n]).toContain((await balanceOf(to)) - before[1])
    },
    180_000,
  )
})

type Recovered = { readonly id: string | null; readonly status: string }

/** The orders that the command goes on with. */
async function recover({ file }: Daemon): Promise<readonly Recovered[]> {
  const asked = ["recover", "--yes", "--json", "--config", file]
  const { code, stdout, stderr } = await runBallast(asked, { env })
  expect(code, `${stdout} ${stderr}`).toBe(0)
  // CAST: our own interface.
  const { orders } = JSON.parse(stdout) as { orders: Recovered[] }
  return orders.filter(({ status }) => status === "adopted")
}

/** The configuration of a watchtower with keys of its own, which have coins for fees alone. */
function towerFile(): string {
  const evm = mustExist(
    sandbox.chains.find(({ name }) => name === "base_sepolia"),
    "the EVM chain",
  )
  return writeTowerConfig(sandbox.dir, {
    base_sepolia: {
      family: "evm",
      chain_id: evm.chainId,
      rpc: [evm.url],
      confirmations: 1,
      key: "env:TOWER_EVM",
    },
    solana_testnet: {
      family: "solana",
      rpc: [chainOf(sandbox, SOLANA).url],
      confirmations: 1,
      key: "env:TOWER_SOLANA",
    },
  })
}

type Recipe = {
  readonly program: string
  readonly accounts: readonly string[]
  readonly message: string | null
  readonly data: string | null
  readonly burn: { readonly tx: string; readonly domain: number }
}

/** As the recipe says, with no encoder of Ballast's. */
async function mintByHand({ program, accounts, burn }: Recipe): Promise<void> {
  const { attester, contracts } = mustExist(sandbox.cctp, "the attester")
  const { message, attestation } = await fetchAttested(attester, burn)
  const transmitter = new PublicKey(program)
  const nonce = message.subarray(12, 44)
  const [used] = PublicKey.findProgramAddressSync([Buffer.from("used_nonce"), nonce], transmitter)
  const feeAccount = await findFeeAccount(accounts[9] ?? "")
  const keys = accounts.map((line): AccountMeta => {
    const isWritable = line.endsWith(" W")
    const text = line.replace(/ W$/, "")
    if (text === "the payer") return { pubkey: STRANGER.publicKey, isSigner: true, isWritable }
    if (text.includes("used_nonce")) return { pubkey: used, isSigner: false, isWritable }
    if (text.includes("fee_recipient")) return { pubkey: feeAccount, isSigner: false, isWritable }
    return { pubkey: new PublicKey(text), isSigner: false, isWritable }
  })
  const data = Buffer.concat([
    Buffer.from("26907fe11fe1ee19", "hex"),
    ...[message, attestation].flatMap(sized),
  ])
  const { lookupTable = "" } = contracts.find(({ chain }) => chain === "solana_testnet") ?? {}
  const { value: table } = await connection.getAddressLookupTable(new PublicKey(lookupTable))
  const { blockhash } = await connection.getLatestBlockhash()
  const transaction = new VersionedTransaction(
    new TransactionMessage({
      payerKey: STRANGER.publicKey,
      recentBlockhash: blockhash,
      instructions: [
        ComputeBudgetProgram.setComputeUnitLimit({ units: 350_000 }),
        new TransactionInstruction({ programId: transmitter, keys, data }),
      ],
    }).compileToV0Message([mustExist(table, "the table")]),
  )
  transaction.sign([STRANGER])
  const txid = await connection.sendTransaction(transaction)
  await until("the stranger's transaction is in a block", async () => {
    const { value } = await connection.getSignatureStatuses([txid])
    if (value[0]?.err) throw new Error(JSON.stringify(value[0].err))
    return value[0]?.confirmationStatus === "finalized"
  })
}

/** `state`: the account token_messenger, which names the owner at byte 109. */
async function findFeeAccount(state: string): Promise<PublicKey> {
  const { data } = mustExist(await connection.getAccountInfo(new PublicKey(state)), "the messenger")
  const { assets } = chainOf(sandbox, SOLANA)
  const mint = mustExist(assets.find(({ id }) => id === SOLANA)?.token, "the mint")
  return findTokenAccount(new PublicKey(data.subarray(109, 141)), new PublicKey(mint))
}

function sized(bytes: Buffer): readonly Buffer[] {
  const length = Buffer.alloc(4)
  length.writeUInt32LE(bytes.length)
  return [length, bytes]
}

async function fetchAttested(attester: string, { tx, domain }: Recipe["burn"]) {
  type Message = { readonly status: string; readonly message: string; readonly attestation: string }
  const path = `/v2/messages/${domain}?transactionHash=${tx}`
  for (let tries = 0; tries < 200; tries++) {
    const { messages = [] } = (await (await fetch(`${attester}${path}`)).json()) as {
      messages?: Message[]
    }
    const found = messages.find(({ status }) => status === "complete")
    if (found !== undefined)
      return {
        message: Buffer.from(found.message.slice(2), "hex"),
        attestation: Buffer.from(found.attestation.slice(2), "hex"),
      }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error("the burn is not attested")
}
