import { join } from "node:path"
import { generatePrivateKey } from "viem/accounts"
import { afterAll, beforeAll, expect, test } from "vitest"
import { mustExist } from "#lib/assert.ts"
import { SANDBOX_WALLETS } from "#sandbox/sandbox-wallets.ts"
import { runBallast } from "../support/e2e-cli.ts"
import { type E2eConfig, writeE2eConfig } from "../support/e2e-config.ts"
import { setFaults } from "../support/e2e-faults.ts"
import { acceptSwap } from "../support/e2e-orders.ts"
import { mentions } from "../support/network-recorder.ts"
import { findStored, OWN_SECRETS, SECRETS_ENV, secretOf } from "../support/own-secret-orders.ts"
import {
  type SandboxProcess,
  startDaemonProcess,
  startSandboxProcess,
  until,
} from "../support/sandbox-process.ts"
import { RESCUE_ENV, startTower, writeTowerConfig } from "../support/tower-process.ts"

/*
 * A payout on Bitcoin that only the wallet's key can redeem, on a real bitcoind. The daemon dies at
 * the decision to tell the secret, so the tower's redemption is the first to tell it. Blocks are
 * far enough apart that the tower replaces its own redemption by a dearer one.
 */

const TOWER_ENV = { TEST_TOWER_KEY: generatePrivateKey() }

let sandbox: SandboxProcess
beforeAll(async () => {
  sandbox = await startSandboxProcess([
    "--chains",
    "base_sepolia,bitcoin_testnet",
    "--bitcoin-block",
    "8",
  ])
  expect(sandbox.missing).toEqual([])
}, 120_000)
afterAll(() => sandbox?.stop())

test("the watchtower redeems with signed redemptions at rising fees, and has no key on Bitcoin", async () => {
  const config = await writeE2eConfig(sandbox, "tower-bitcoin", OWN_SECRETS)
  // The payout is funded after the daemon's death, so the order waits in "funded" however soon the
  // next block comes.
  await setFaults(sandbox, { solverSilent: true })
  const { id, hash } = await startOrder(config)
  await setFaults(sandbox)
  await dieAtReveal(config, id)
  const rescue = join(sandbox.dir, "bitcoin.rescue")
  const env = { ...config.env, ...SECRETS_ENV, ...RESCUE_ENV }
  const sealed = await runBallast(["rescue", id, "--encrypt", rescue, "--config", config.file], {
    env,
  })
  expect(sealed).toMatchObject({ code: 0, stderr: "" })

  const tower = startTower(rescue, towerFile(), TOWER_ENV)
  const code = await tower.exited
  expect(code, tower.output()).toBe(0)
  const sent = [...tower.output().matchAll(/redeems the payout: transaction ([0-9a-f]{64})/g)].map(
    ([, txid]) => txid,
  )
  expect(new Set(sent).size, tower.output()).toBeGreaterThan(1)
  const stored = await findStored(sandbox, hash)
  const redeemed = mustExist(stored.destination.seen.redeemed, "the redemption").tx
  const landed = await readTransaction(redeemed.split(":")[0] ?? "")
  expect(sent).toContain(landed.txid)
  expect(sent.indexOf(landed.txid)).toBeGreaterThan(0)
  expect(landed.vout.map((output) => output.scriptpubkey_address)).toEqual([
    SANDBOX_WALLETS.bitcoin,
  ])
  expect(mentions(landed.vin.flatMap(({ witness }) => witness).join(" "), secretOf(stored))).toBe(
    true,
  )
}, 300_000)

async function startOrder(config: E2eConfig): Promise<{ id: string; hash: string }> {
  const daemon = startDaemonProcess(config, SECRETS_ENV)
  await daemon.ready()
  const id = await acceptSwap(daemon, {
    from: "base_sepolia:wbtc",
    to: "bitcoin_testnet:btc",
    amount: "0.00123",
  })
  await until("the deposit is funded", async () => (await daemon.order(id)).state === "funded")
  const { ownSecret } = await daemon.order(id)
  daemon.child.kill("SIGKILL")
  await daemon.exited
  return { id, hash: mustExist(ownSecret, "our own secret").hash }
}

/**
 * Lets the daemon live for one commit at a time, until the journal holds the decision to tell the
 * secret.
 */
async function dieAtReveal(config: E2eConfig, id: string): Promise<void> {
  const env = { ...config.env, ...SECRETS_ENV }
  for (let lives = 0; lives < 60; lives++) {
    const daemon = startDaemonProcess(config, { ...SECRETS_ENV, BALLAST_CRASH_AFTER_COMMITS: "1" })
    await daemon.exited
    const { stdout, stderr } = await runBallast(["rescue", id, "--json", "--config", config.file], {
      env,
    })
    // CAST: our own interface.
    const { redeem } = JSON.parse(stdout === "" ? stderr : stdout) as {
      redeem: { secret: string | null } | null
    }
    if (redeem?.secret != null) return
  }
  throw new Error("the secret was not decided within 60 lives")
}

function towerFile(): string {
  const chain = (name: string) =>
    mustExist(
      sandbox.chains.find((one) => one.name === name),
      name,
    )
  const base = chain("base_sepolia")
  return writeTowerConfig(sandbox.dir, {
    base_sepolia: {
      family: "evm",
      chain_id: base.chainId,
      rpc: [base.url],
      key: "env:TEST_TOWER_KEY",
    },
    bitcoin_testnet: {
      family: "bitcoin",
      network: "regtest",
      esplora: [chain("bitcoin_testnet").url],
      confirmations: 1,
      stuck_after: "2s",
    },
  })
}

type Landed = {
  readonly txid: string
  readonly vin: readonly { readonly witness: readonly string[] }[]
  readonly vout: readonly { readonly scriptpubkey_address: string }[]
}

async function readTransaction(txid: string): Promise<Landed> {
  const { url } = mustExist(
    sandbox.chains.find((one) => one.name === "bitcoin_testnet"),
    "the chain",
  )
  const answer = await fetch(`${url}/tx/${txid}`)
  // CAST: the form of Esplora.
  return (await answer.json()) as Landed
}
