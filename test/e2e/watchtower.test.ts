import { mkdtempSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest"
import { mustExist } from "#lib/assert.ts"
import { ciSample, IS_SAMPLED } from "../support/ci-sample.ts"
import {
  advanceChain,
  type DeadDaemon,
  dieAfterReveal,
  sealRescueFile,
} from "../support/dead-daemon.ts"
import { runBallast } from "../support/e2e-cli.ts"
import { type E2eConfig, writeE2eConfig } from "../support/e2e-config.ts"
import { setFaults } from "../support/e2e-faults.ts"
import { acceptSwap, waitForOutcome } from "../support/e2e-orders.ts"
import { findStored, OWN_SECRETS, SECRETS_ENV } from "../support/own-secret-orders.ts"
import {
  type DaemonProcess,
  type SandboxProcess,
  startDaemonProcess,
  startSandboxProcess,
  until,
} from "../support/sandbox-process.ts"
import {
  RESCUE_ENV,
  startTower,
  type TowerProcess,
  writeTowerConfig,
} from "../support/tower-process.ts"

/*
 * A watchtower beside dead and living daemons on real anvil chains. Its key is none of the daemon's
 * and holds native coin alone, and its only knowledge of the order is the sealed file.
 */

const FROM = "base_sepolia:wbtc"
const TO = "ethereum_sepolia:wbtc"
const TOWER_KEY = generatePrivateKey()
const TOWER = privateKeyToAccount(TOWER_KEY).address
const TOWER_ENV = { TEST_TOWER_KEY: TOWER_KEY }

let sandbox: SandboxProcess
let tower: TowerProcess | null = null
let daemon: DaemonProcess | null = null
beforeAll(async () => {
  sandbox = await startSandboxProcess(["--chains", "base_sepolia,ethereum_sepolia"])
  for (const name of ["base_sepolia", "ethereum_sepolia"])
    await ask(name, "anvil_setBalance", [TOWER, `0x${(10n ** 18n).toString(16)}`])
}, 120_000)
afterEach(async () => {
  await tower?.kill()
  await daemon?.stop()
  tower = null
  daemon = null
})
afterAll(() => sandbox?.stop())

describe(
  "after a daemon that died once it had told the secret, and beside a service that does " +
    "nothing",
  () => {
    test("the watchtower redeems the payout to the treasury in the last two fifths of its lock", async () => {
      const { config, id, hash } = await die("tower-redeems")
      const rescue = await seal(config, id)
      const before = await treasuryUnits()
      tower = startTower(rescue, towerFile(), TOWER_ENV)
      await until(
        "the tower observes",
        async () => tower?.output().includes("[tower.not_due]") === true,
      )
      await advance("ethereum_sepolia", 300)
      await sleep(4_000)
      expect(await nonceOf("ethereum_sepolia")).toBe(0n)

      // A tower that is killed at any moment goes on from the chain alone.
      await tower.kill()
      await advance("ethereum_sepolia", 62)
      tower = startTower(rescue, towerFile(), TOWER_ENV)
      expect(await tower.exited, tower.output()).toBe(0)
      const { destination } = await findStored(sandbox, hash)
      const redeemTx = mustExist(destination.seen.redeemed, "the payout's redemption").tx
      expect(tower.output()).toContain(redeemTx)
      expect(await senderOf("ethereum_sepolia", redeemTx)).toBe(TOWER.toLowerCase())
      expect((await treasuryUnits()) - before).toBe(BigInt(destination.swap.units))
    }, 180_000)

    test("a watchtower that is killed between sending and the block finishes after its restart, on " +
      "the same nonce", async () => {
      const { config, id, hash } = await die("tower-killed")
      const rescue = await seal(config, id)
      const before = await treasuryUnits()
      const nonce = await nonceOf("ethereum_sepolia")
      await advance("ethereum_sepolia", 365)
      await ask("ethereum_sepolia", "evm_setAutomine", [false])
      await ask("ethereum_sepolia", "evm_setIntervalMining", [0])
      try {
        for (const _start of [1, 2]) {
          tower = startTower(rescue, towerFile(), TOWER_ENV)
          await until(
            "the tower sends",
            async () => tower?.output().includes("redeems the payout: transaction") === true,
          )
          await tower.kill()
          const waiting = await pendingOf("ethereum_sepolia")
          // A second attempt could only replace the first.
          expect(waiting).toEqual([Number(nonce)])
        }
        tower = startTower(rescue, towerFile(), TOWER_ENV)
        await until(
          "the tower sends",
          async () => tower?.output().includes("redeems the payout: transaction") === true,
        )
      } finally {
        await ask("ethereum_sepolia", "evm_setAutomine", [true])
      }
      await advance("ethereum_sepolia", 3)
      expect(await tower.exited, tower.output()).toBe(0)
      expect(await nonceOf("ethereum_sepolia")).toBe(nonce + 1n)
      const { destination } = await findStored(sandbox, hash)
      expect((await treasuryUnits()) - before).toBe(BigInt(destination.swap.units))
    }, 180_000)

    test("two watchtowers together pay once, and lose no more than a fee", async () => {
      const { config, id, hash } = await die("tower-twice")
      const rescue = await seal(config, id)
      const before = await treasuryUnits()
      await advance("ethereum_sepolia", 365)
      tower = startTower(rescue, towerFile(), TOWER_ENV)
      const second = startTower(rescue, towerFile(), { TEST_TOWER_KEY: await fundedKey() })
      expect(await second.exited, second.output()).toBe(0)
      expect(await tower.exited, tower.output()).toBe(0)
      const { destination } = await findStored(sandbox, hash)
      expect((await treasuryUnits()) - before).toBe(BigInt(destination.swap.units))
    }, 180_000)
  },
)

test("one watchtower with a folder of files, written while the daemon lives, redeems the payouts " +
  "of several orders", async () => {
  const folder = mkdtempSync(join(sandbox.dir, "rescues-"))
  const before = await treasuryUnits()
  const hashes: string[] = []
  for (const name of ["tower-folder-1", "tower-folder-2"]) {
    const { config, id, hash } = await die(name)
    hashes.push(hash)
    const env = { ...config.env, ...SECRETS_ENV, ...RESCUE_ENV }
    for (const run of [1, 2]) {
      // A full disk cut the first run's file; the second run writes it again.
      if (run === 2) writeFileSync(join(folder, `${id}-told.rescue`), "{")
      const { code, stderr } = await runBallast(
        ["rescue", "--all", folder, "--config", config.file],
        { env },
      )
      expect(code, stderr).toBe(0)
    }
    expect(readdirSync(folder)).toContain(`${id}-told.rescue`)
  }
  expect(readdirSync(folder)).toHaveLength(2)
  writeFileSync(join(folder, "damaged.rescue"), "{")
  await advance("ethereum_sepolia", 365)
  tower = startTower(folder, towerFile(), TOWER_ENV)
  await until(
    "both payouts are redeemed",
    async () => count(tower?.output() ?? "", "the money is back") === 2,
  )
  expect(count(tower.output(), "[rescue.file]")).toBe(1)
  const stored = await Promise.all(hashes.map((hash) => findStored(sandbox, hash)))
  const paid = stored.reduce((sum, { destination }) => sum + BigInt(destination.swap.units), 0n)
  expect((await treasuryUnits()) - before).toBe(paid)
}, 240_000)

test.skipIf(IS_SAMPLED)(
  "beside a daemon that has redeemed the payout the watchtower sends nothing",
  async () => {
    const { config, id } = await die("tower-idle")
    const rescue = await seal(config, id)
    const folder = mkdtempSync(join(sandbox.dir, "rescues-"))
    const env = { ...config.env, ...SECRETS_ENV, ...RESCUE_ENV }
    const sealAll = () =>
      runBallast(["rescue", "--all", folder, "--config", config.file, "--json"], { env })
    writeFileSync(join(folder, "other.rescue"), "of another journal")
    expect(await sealAll()).toMatchObject({ code: 0 })
    daemon = startDaemonProcess(config, SECRETS_ENV)
    await daemon.ready()
    await waitForOutcome(daemon, id, 90_000)
    const told = join(folder, `${id}-told.rescue`)
    expect(readdirSync(folder)).toEqual([`${id}-told.rescue`, "other.rescue"].toSorted())
    expect(JSON.parse((await sealAll()).stdout)).toEqual({ files: [], removed: [told] })
    expect(readdirSync(folder)).toEqual(["other.rescue"])
    const before = await nonceOf("ethereum_sepolia")
    await advance("ethereum_sepolia", 400)
    tower = startTower(rescue, towerFile(), TOWER_ENV)
    expect(await tower.exited, tower.output()).toBe(0)
    expect(tower.output()).toContain("the money is back")
    expect(await nonceOf("ethereum_sepolia")).toBe(before)
  },
  180_000,
)

test("the watchtower refunds the deposit of a dead daemon to the treasury, once the lock has been " +
  "over for a while", async () => {
  await setFaults(sandbox, { lapse: true })
  const config = await writeE2eConfig(sandbox, "tower-refunds", OWN_SECRETS, { deposit: "onchain" })
  daemon = startDaemonProcess(config, SECRETS_ENV)
  await daemon.ready()
  // Ethereum's deposits have the shorter lock.
  const id = await acceptSwap(daemon, { from: TO, to: FROM, amount: "0.00131" })
  await until("the deposit is funded", async () => (await daemon?.order(id))?.state === "funded")
  daemon.child.kill("SIGKILL")
  await daemon.exited
  const rescue = await seal(config, id)
  const before = await treasuryUnits()
  await advance("ethereum_sepolia", 7_210)
  tower = startTower(rescue, towerFile(), TOWER_ENV)
  await until(
    "the tower observes",
    async () => tower?.output().includes("[tower.not_due]") === true,
  )
  await sleep(3_000)
  expect(await treasuryUnits()).toBe(before)
  await advance("ethereum_sepolia", 144)
  expect(await tower.exited, tower.output()).toBe(0)
  expect((await treasuryUnits()) - before).toBe(131_000n)
}, 180_000)

test.each(
  ciSample(
    [
      [
        "without a chain of the order",
        (chains: Chains) => ({ base_sepolia: chains.base_sepolia }),
        "[tower.chain]",
      ],
      ["with another chain by its name", (chains: Chains) => swapIds(chains), "[tower.chain]"],
    ] as const,
    2,
  ),
)(
  "a watchtower's file %s is refused before anything is read",
  async (_name, change, code) => {
    const { config, id } = await die(`tower-config-${code}`)
    const file = writeTowerConfig(sandbox.dir, change(towerChains()))
    const rescue = await seal(config, id)
    const result = await runBallast(["watch", "--rescue", rescue, "--config", file], {
      env: { ...RESCUE_ENV, ...TOWER_ENV },
    })
    expect(result).toMatchObject({ code: 78, stderr: expect.stringContaining(code) })
  },
  120_000,
)

type Chains = Record<"base_sepolia" | "ethereum_sepolia", Record<string, unknown>>

function towerChains(): Chains {
  const chain = (name: string) => {
    const { url, chainId } = chainNamed(name)
    return {
      family: "evm",
      chain_id: chainId,
      rpc: [url],
      key: "env:TEST_TOWER_KEY",
      confirmations: 1,
    }
  }
  return { base_sepolia: chain("base_sepolia"), ethereum_sepolia: chain("ethereum_sepolia") }
}

function swapIds({ base_sepolia: base, ethereum_sepolia: ethereum }: Chains): Chains {
  return { base_sepolia: ethereum, ethereum_sepolia: base }
}

function towerFile(): string {
  return writeTowerConfig(sandbox.dir, towerChains())
}

function chainNamed(name: string) {
  return mustExist(
    sandbox.chains.find((chain) => chain.name === name),
    `the chain ${name}`,
  )
}

async function fundedKey(): Promise<string> {
  const key = generatePrivateKey()
  await ask("ethereum_sepolia", "anvil_setBalance", [
    privateKeyToAccount(key).address,
    `0x${(10n ** 18n).toString(16)}`,
  ])
  return key
}

async function ask(chain: string, method: string, params: readonly unknown[]): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })
  const headers = { "content-type": "application/json" }
  const answer = await fetch(chainNamed(chain).url, { method: "POST", headers, body })
  // CAST: anvil's own answer.
  return ((await answer.json()) as { result: unknown }).result
}

async function nonceOf(chain: string): Promise<bigint> {
  return BigInt(String(await ask(chain, "eth_getTransactionCount", [TOWER, "latest"])))
}

/** The nonces of the tower's transactions that wait for a block. */
async function pendingOf(chain: string): Promise<readonly number[]> {
  // CAST: anvil's own answer.
  const { pending } = (await ask(chain, "txpool_content", [])) as {
    pending: Record<string, Record<string, unknown>>
  }
  const mine = Object.entries(pending).find(
    ([sender]) => sender.toLowerCase() === TOWER.toLowerCase(),
  )
  return Object.keys(mine?.[1] ?? {}).map(Number)
}

async function senderOf(chain: string, txid: string): Promise<string> {
  // CAST: anvil's own answer.
  return ((await ask(chain, "eth_getTransactionByHash", [txid])) as { from: string }).from
}

/** The treasury's wbtc on Ethereum, by the token contract itself. */
async function treasuryUnits(): Promise<bigint> {
  const { token } = mustExist(
    chainNamed("ethereum_sepolia").assets.find((asset) => asset.id === TO),
    TO,
  )
  const data = `0x70a08231${WALLET.slice(2).toLowerCase().padStart(64, "0")}`
  return BigInt(String(await ask("ethereum_sepolia", "eth_call", [{ to: token, data }, "latest"])))
}

const WALLET = "0xDF6452499758ca5a4197b7a400EC63CdcFE53390"

function advance(chain: string, blocks: number): Promise<void> {
  return advanceChain(sandbox, chain, blocks)
}

function die(name: string): Promise<DeadDaemon> {
  return dieAfterReveal(sandbox, name, { from: FROM, to: TO, amount: "0.00111" })
}

function seal(config: E2eConfig, id: string): Promise<string> {
  return sealRescueFile(sandbox, config, id)
}

function count(text: string, part: string): number {
  return text.split(part).length - 1
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
