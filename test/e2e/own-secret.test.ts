import { randomBytes } from "node:crypto"
import { PublicKey } from "@solana/web3.js"
import { afterAll, beforeAll, expect, test } from "vitest"
import { runBallast } from "../support/e2e-cli.ts"
import { type E2eConfig, writeE2eConfig } from "../support/e2e-config.ts"
import { setFaults } from "../support/e2e-faults.ts"
import { acceptSwap, waitForOutcome } from "../support/e2e-orders.ts"
import { mentions } from "../support/network-recorder.ts"
import {
  findStored,
  OWN_SECRETS,
  SECRETS_ENV,
  SECRETS_KEY,
  secretKeeper,
  secretOf,
} from "../support/own-secret-orders.ts"
import {
  type DaemonProcess,
  type SandboxProcess,
  startDaemonProcess,
  startSandboxProcess,
} from "../support/sandbox-process.ts"

/* Real swaps whose secret Ballast chooses, on the sandbox's real chains, from and to each family. */

let sandbox: SandboxProcess
let config: E2eConfig
let daemon: DaemonProcess
beforeAll(async () => {
  sandbox = await startSandboxProcess()
  config = await writeE2eConfig(sandbox, "own-secret", OWN_SECRETS)
  daemon = startDaemonProcess(config, SECRETS_ENV)
  await daemon.ready()
}, 120_000)
afterAll(async () => {
  await daemon?.stop()
  await sandbox?.stop()
})

test.each([
  ["base_sepolia:wbtc", "ethereum_sepolia:wbtc", "0.00111"],
  ["base_sepolia:eth", "solana_testnet:sol", "0.02"],
  ["base_sepolia:wbtc", "bitcoin_testnet:btc", "0.001"],
  ["bitcoin_testnet:btc", "base_sepolia:wbtc", "0.001"],
  ["starknet_sepolia:wbtc", "base_sepolia:wbtc", "0.0012"],
  ["base_sepolia:wbtc", "starknet_sepolia:wbtc", "0.0013"],
])(
  "a swap from %s to %s completes with our own secret",
  async (from, to, amount) => {
    const id = await acceptSwap(daemon, { from, to, amount })
    const order = await waitForOutcome(daemon, id, 150_000)
    expect(order).toMatchObject({ outcome: "completed", ownSecret: { status: "revealed" } })
    // The nonce that the service lists and our key give the secret, so a lost journal loses no secret.
    const stored = await findStored(sandbox, order.ownSecret?.hash)
    expect(secretKeeper.hashOf({ service: "main", nonce: stored.nonce })).toBe(order.ownSecret?.hash)
    const secret = secretOf(stored)
    // The solver learnt it from the payout's redemption, and took the deposit with it.
    expect(stored.secret).toBe(secret)
    if (to.startsWith("bitcoin")) await expectRescueAsSent(id)
    expect(daemon.output().includes(secret)).toBe(false)
    expect(daemon.output().includes(SECRETS_KEY)).toBe(false)
  },
  180_000,
)

test.each([
  ["does nothing", { neverRedeem: true }],
  ["takes the deposits alone", { keepPayout: true }],
])(
  "Ballast redeems its payouts itself where the service learns the secret and %s",
  async (_name, fault) => {
    await setFaults(sandbox, fault)
    const pairs = [
      ["bitcoin_testnet:btc", "ethereum_sepolia:wbtc", "0.00112"],
      ["base_sepolia:wbtc", "solana_testnet:sol", "0.00113"],
      ["ethereum_sepolia:wbtc", "starknet_sepolia:wbtc", "0.00114"],
    ] as const
    const ids = await Promise.all(pairs.map(([from, to, amount]) => acceptSwap(daemon, { from, to, amount })))
    const orders = await Promise.all(ids.map((id) => waitForOutcome(daemon, id, 150_000)))
    for (const order of orders) {
      expect(order).toMatchObject({ outcome: "completed", ownSecret: { status: "revealed" } })
      expect(order.transactions.filter(({ purpose }) => purpose === "redeem")).not.toHaveLength(0)
      const { source } = await findStored(sandbox, order.ownSecret?.hash)
      if ("keepPayout" in fault) expect(source.seen.redeemed).not.toBeNull()
      await expectRescueAsSent(order.id)
    }
  },
  180_000,
)

test("the wallets are shown with the fingerprint of the key, and without the key", async () => {
  const show = async (key: string): Promise<string> => {
    const env = { ...config.env, TEST_SECRETS_KEY: key }
    const [json, text] = await Promise.all(
      [["--json"], []].map((more) => runBallast(["wallet", ...more, "--config", config.file], { env })),
    )
    expect(json, json?.stderr).toMatchObject({ code: 0 })
    // CAST: our own interface.
    const { secretsKey } = JSON.parse(json?.stdout ?? "") as { secretsKey: { fingerprint: string; treasury: string } }
    expect(secretsKey).toEqual({ fingerprint: expect.stringMatching(/^[0-9a-f]{16}$/), treasury: "test" })
    const shown = `${text?.stdout}${text?.stderr}`
    expect(shown).toContain(secretsKey.fingerprint)
    expect(`${shown}${json?.stdout}${json?.stderr}`.includes(key)).toBe(false)
    return secretsKey.fingerprint
  }
  expect(await show(SECRETS_KEY)).toBe(secretKeeper.fingerprint)
  expect(await show(randomBytes(32).toString("hex"))).not.toBe(secretKeeper.fingerprint)
})

/** The chain accepted our redemption, and `rescue` prints exactly its call with the secret. */
async function expectRescueAsSent(id: string): Promise<void> {
  const env = { ...config.env, ...SECRETS_ENV }
  const { stdout, stderr } = await runBallast(["rescue", id, "--json", "--config", config.file], { env })
  expect(stdout, stderr).toContain("redeem")
  // CAST: our own interface.
  const { redeem, transactions } = JSON.parse(stdout) as Rescued
  const raw = transactions.filter(({ purpose }) => purpose === "redeem").map((one) => one.raw)
  const { recipe, secret } = redeem
  const calls = "calls" in recipe ? recipe.calls : []
  // Solana signs bytes in base64 or hex, Starknet felts.
  const bytes = raw.map((text) => `${text} ${Buffer.from(text, "base64").toString("hex")}`.toLowerCase()).join(" ")
  const isIn = (hex: string): boolean => bytes.includes(hex.replace(/^0x0*/, "").toLowerCase())
  expect(mentions(raw.join(" "), secret)).toBe(true)
  for (const part of [recipe.data, recipe.redeemLeaf, recipe.controlBlock]) expect(isIn(part ?? "")).toBe(true)
  if (recipe.redeemLeaf !== undefined) return
  const sent = calls.filter(({ data, calldata, accounts }) => {
    const keys = accounts
      ?.filter(({ address }) => address !== "SPONSOR")
      .map(({ address }) => new PublicKey(address).toBuffer())
    return (calldata ?? keys?.map((key) => key.toString("hex")) ?? [data ?? "no call"]).every(isIn)
  })
  expect(sent, raw.join(" ")).not.toHaveLength(0)
}

type Rescued = {
  readonly redeem: {
    readonly secret: string
    readonly recipe: {
      readonly data?: string
      readonly redeemLeaf?: string
      readonly controlBlock?: string
      readonly calls: readonly {
        readonly data?: string
        readonly calldata?: readonly string[]
        readonly accounts?: readonly { readonly address: string }[]
      }[]
    }
  }
  readonly transactions: readonly { readonly purpose: string; readonly raw: string }[]
}
