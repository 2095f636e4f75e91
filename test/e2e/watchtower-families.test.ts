import { Keypair } from "@solana/web3.js"
import { ec, hash } from "starknet"
import { generatePrivateKey } from "viem/accounts"
import { afterAll, beforeAll, expect, test } from "vitest"
import { mustExist } from "#lib/assert.ts"
import { SANDBOX_WALLETS } from "#sandbox/sandbox-wallets.ts"
import { ACCOUNT_CLASS } from "#sandbox/starknet/account.ts"
import { advanceChain, dieAfterReveal, sealRescueFile } from "../support/dead-daemon.ts"
import { writeE2eConfig } from "../support/e2e-config.ts"
import { setFaults } from "../support/e2e-faults.ts"
import { acceptSwap } from "../support/e2e-orders.ts"
import { findStored, OWN_SECRETS, SECRETS_ENV } from "../support/own-secret-orders.ts"
import {
  type SandboxProcess,
  startDaemonProcess,
  startSandboxProcess,
  until,
} from "../support/sandbox-process.ts"
import { startTower, writeTowerConfig } from "../support/tower-process.ts"

/*
 * The watchtower's redemption and refund on Solana's and Starknet's sandbox chains, with keys that
 * hold the native coin alone.
 */

const SOLANA_KEY = Keypair.generate()
/** An account of the devnet with STRK. */
const STARKNET_KEY = "0xfa0ce7"
const TOWER_ENV = {
  TOWER_EVM: generatePrivateKey(),
  TOWER_SOLANA: JSON.stringify([...SOLANA_KEY.secretKey]),
  TOWER_STARKNET: STARKNET_KEY,
}

let sandbox: SandboxProcess
beforeAll(async () => {
  sandbox = await startSandboxProcess(["--chains", "base_sepolia,solana_testnet,starknet_sepolia"])
  expect(sandbox.missing).toEqual([])
  const body = {
    address: SOLANA_KEY.publicKey.toBase58(),
    asset: "solana_testnet:sol",
    amount: "100000000",
  }
  const funded = await fetch(`${sandbox.service}/sandbox/fund`, {
    method: "POST",
    body: JSON.stringify(body),
  })
  expect(funded.status).toBe(200)
}, 180_000)
afterAll(() => sandbox?.stop())

test.each([
  ["solana_testnet:sol", 18_000],
  ["solana_testnet:usdc", 18_000],
  ["starknet_sepolia:wbtc", 3_600],
])(
  "the watchtower redeems a payout of %s to the treasury",
  async (to, lock) => {
    const {
      config,
      id,
      hash: secretHash,
    } = await dieAfterReveal(sandbox, `tower-${to.replace(":", "-")}`, {
      from: "base_sepolia:wbtc",
      to,
      amount: "0.00112",
    })
    const rescue = await sealRescueFile(sandbox, config, id)
    const tower = startTower(rescue, towerFile(), TOWER_ENV)
    try {
      await until("the tower observes", async () => tower.output().includes("[tower.not_due]"))
      const before = await treasuryUnits(to)
      await advanceChain(sandbox, to.split(":")[0] ?? "", Math.ceil(lock * 0.6) + 5)
      expect(await tower.exited, tower.output()).toBe(0)
      const { destination } = await findStored(sandbox, secretHash)
      expect(tower.output()).toContain(
        `redeems the payout: transaction ${destination.seen.redeemed?.tx}`,
      )
      expect((await treasuryUnits(to)) - before).toBe(BigInt(destination.swap.units))
    } finally {
      await tower.kill()
    }
  },
  240_000,
)

test.each([
  ["solana_testnet:sol", "1", 1_000_000_000n],
  ["starknet_sepolia:wbtc", "0.00131", 131_000n],
])(
  "the watchtower refunds a deposit of %s to the treasury",
  async (from, amount, units) => {
    await setFaults(sandbox, { lapse: true })
    const chain = from.split(":")[0] ?? ""
    const config = await writeE2eConfig(sandbox, `refund-${chain}`, OWN_SECRETS, {
      deposit: "onchain",
    })
    const daemon = startDaemonProcess(config, SECRETS_ENV)
    await daemon.ready()
    const id = await acceptSwap(daemon, { from, to: "base_sepolia:wbtc", amount })
    await until("the deposit is funded", async () => (await daemon.order(id)).state === "funded")
    const { source } = await findStored(
      sandbox,
      mustExist((await daemon.order(id)).ownSecret, "our own secret").hash,
    )
    daemon.child.kill("SIGKILL")
    await daemon.exited
    const rescue = await sealRescueFile(sandbox, config, id)
    const before = await treasuryUnits(from)
    const tower = startTower(rescue, towerFile(), TOWER_ENV)
    try {
      await until("the tower observes", async () => tower.output().includes("[tower.not_due]"))
      expect(await treasuryUnits(from)).toBe(before)
      await advanceChain(sandbox, chain, Math.ceil(source.swap.timelock * 1.03) + 5)
      expect(await tower.exited, tower.output()).toBe(0)
      expect(tower.output()).toContain("refunds the deposit: transaction")
      // The native HTLC account of Solana returns its rent beside the deposit: 120 and 128 bytes,
      // at 6960 lamports a byte.
      const rentUnits = chain === "solana_testnet" ? 1_726_080n : 0n
      expect((await treasuryUnits(from)) - before).toBe(units + rentUnits)
    } finally {
      await tower.kill()
      await setFaults(sandbox, { lapse: false })
    }
  },
  240_000,
)

function towerFile(): string {
  const chain = (name: string) =>
    mustExist(
      sandbox.chains.find((one) => one.name === name),
      name,
    )
  const base = chain("base_sepolia")
  const publicKey = ec.starkCurve.getStarkKey(STARKNET_KEY)
  const account = hash.calculateContractAddressFromHash(publicKey, ACCOUNT_CLASS, [publicKey], 0)
  return writeTowerConfig(sandbox.dir, {
    base_sepolia: { family: "evm", chain_id: base.chainId, rpc: [base.url], key: "env:TOWER_EVM" },
    solana_testnet: {
      family: "solana",
      rpc: [chain("solana_testnet").url],
      key: "env:TOWER_SOLANA",
      confirmations: 1,
    },
    starknet_sepolia: {
      family: "starknet",
      rpc: [chain("starknet_sepolia").url],
      key: "env:TOWER_STARKNET",
      account,
      confirmations: 1,
    },
  })
}

/** As the node itself tells it. */
async function treasuryUnits(asset: string): Promise<bigint> {
  const chain = mustExist(
    sandbox.chains.find(({ assets }) => assets.some(({ id }) => id === asset)),
    asset,
  )
  const token = chain.assets.find(({ id }) => id === asset)?.token ?? null
  const ask = async (method: string, params: unknown): Promise<unknown> => {
    const headers = { "content-type": "application/json" }
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })
    const answer = await fetch(chain.url, { method: "POST", headers, body })
    // CAST: the node's own answer.
    return ((await answer.json()) as { result: unknown }).result
  }
  if (chain.family === "starknet") {
    const selector = hash.getSelectorFromName("balance_of")
    const call = {
      contract_address: token,
      entry_point_selector: selector,
      calldata: [SANDBOX_WALLETS.starknet],
    }
    // CAST: a u256 in two felts.
    const [low] = (await ask("starknet_call", [call, "latest"])) as string[]
    return BigInt(low ?? "")
  }
  if (token === null) {
    // CAST: the node's own answer.
    return BigInt(((await ask("getBalance", [SANDBOX_WALLETS.solana])) as { value: number }).value)
  }
  const found = await ask("getTokenAccountsByOwner", [
    SANDBOX_WALLETS.solana,
    { mint: token },
    { encoding: "jsonParsed" },
  ])
  // CAST: the node's own answer.
  const { value } = found as {
    value: { account: { data: { parsed: { info: { tokenAmount: { amount: string } } } } } }[]
  }
  return BigInt(value[0]?.account.data.parsed.info.tokenAmount.amount ?? "0")
}
