import { randomBytes } from "node:crypto"
import { PublicKey } from "@solana/web3.js"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { runBallast } from "../support/e2e-cli.ts"
import { type E2eConfig, writeE2eConfig } from "../support/e2e-config.ts"
import { acceptSwap, type Swap, waitForOutcome } from "../support/e2e-orders.ts"
import {
  mentions,
  type NetworkRecorder,
  startNetworkRecorder,
} from "../support/network-recorder.ts"
import {
  findStored,
  listStored,
  OWN_SECRETS,
  SECRETS_ENV,
  SECRETS_KEY,
  secretKeeper,
  secretOf,
} from "../support/own-secret-orders.ts"
import {
  expectToldAfterPayout,
  findTelling,
  hasSeenNoPayout,
  keepSolverWaiting,
  letSolverPay,
} from "../support/own-secret-wire.ts"
import {
  type DaemonProcess,
  type SandboxProcess,
  startDaemonProcess,
  startSandboxProcess,
  stopAll,
  until,
} from "../support/sandbox-process.ts"

/*
 * Real swaps with secrets of our own, on the sandbox's real chains, from and to each family. A
 * recorder stands between the daemon and everything else, and the solver pays only after the daemon
 * has observed the deposits without their payouts.
 */

let sandbox: SandboxProcess
let recorder: NetworkRecorder
let config: E2eConfig
let daemon: DaemonProcess
beforeAll(async () => {
  sandbox = await startSandboxProcess()
  recorder = await startNetworkRecorder(sandbox)
  config = await writeE2eConfig(recorder.sandbox, "own-secret", OWN_SECRETS)
  daemon = startDaemonProcess(config, SECRETS_ENV)
  await daemon.ready()
}, 120_000)
afterAll(() => stopAll(daemon, recorder, sandbox))

const SWAPS = [
  ["base_sepolia:wbtc", "ethereum_sepolia:wbtc", "0.00111"],
  ["base_sepolia:eth", "solana_testnet:sol", "0.02"],
  ["base_sepolia:wbtc", "bitcoin_testnet:btc", "0.001"],
  ["bitcoin_testnet:btc", "base_sepolia:wbtc", "0.001"],
  ["starknet_sepolia:wbtc", "base_sepolia:wbtc", "0.0012"],
  ["base_sepolia:wbtc", "starknet_sepolia:wbtc", "0.0013"],
] as const

describe("a swap completes with our own secret, which is told after its payout", () => {
  let ids: ReadonlyMap<string, string>
  beforeAll(async () => {
    const swaps = SWAPS.map(([from, to, amount]) => ({ from, to, amount }))
    const accepted = await acceptUnpaid(swaps)
    ids = new Map(swaps.map(({ from, to }, at) => [`${from} ${to}`, accepted[at] ?? ""]))
    await letSolverPay(sandbox)
  }, 180_000)

  test.each(SWAPS)(
    "from %s to %s",
    async (from, to) => {
      const id = ids.get(`${from} ${to}`) ?? ""
      const order = await waitForOutcome(daemon, id, 150_000)
      expect(order).toMatchObject({ outcome: "completed", ownSecret: { status: "revealed" } })
      // The nonce that the service lists and our key give the secret, so a lost journal loses no
      // secret.
      const find = (): ReturnType<typeof findStored> => findStored(sandbox, order.ownSecret?.hash)
      const stored = await find()
      expect(secretKeeper.hashOf({ service: "main", nonce: stored.nonce })).toBe(
        order.ownSecret?.hash,
      )
      const secret = secretOf(stored)
      // The solver learns it from the payout's redemption, which has ended the order, and takes the
      // deposit with it.
      await expect.poll(async () => (await find()).secret).toBe(secret)
      expectToldAfterPayout(recorder.exchanges, sandbox, stored)
      if (to.startsWith("bitcoin")) await expectRescueAsSent(id)
      expect(daemon.output().includes(secret)).toBe(false)
      expect(daemon.output().includes(SECRETS_KEY)).toBe(false)
    },
    180_000,
  )
})

test.each([
  ["does nothing", { neverRedeem: true }],
  ["takes the deposits alone", { keepPayout: true }],
])(
  "Ballast redeems its payouts itself where the service learns the secret and %s",
  async (_name, fault) => {
    const ids = await acceptUnpaid([
      { from: "bitcoin_testnet:btc", to: "ethereum_sepolia:wbtc", amount: "0.00112" },
      { from: "base_sepolia:wbtc", to: "solana_testnet:sol", amount: "0.00113" },
      { from: "ethereum_sepolia:wbtc", to: "starknet_sepolia:wbtc", amount: "0.00114" },
    ])
    await letSolverPay(sandbox, fault)
    const orders = await Promise.all(ids.map((id) => waitForOutcome(daemon, id, 150_000)))
    for (const order of orders) {
      expect(order).toMatchObject({ outcome: "completed", ownSecret: { status: "revealed" } })
      expect(order.transactions.filter(({ purpose }) => purpose === "redeem")).not.toHaveLength(0)
      const stored = await findStored(sandbox, order.ownSecret?.hash)
      if ("keepPayout" in fault) expect(stored.source.seen.redeemed).not.toBeNull()
      expectToldAfterPayout(recorder.exchanges, sandbox, stored)
      await expectRescueAsSent(order.id)
    }
  },
  180_000,
)

/**
 * Makes these swaps, and waits until the daemon has observed their deposits without payouts, unless
 * it told a secret already. The solver still waits.
 */
async function acceptUnpaid(swaps: readonly Swap[]): Promise<readonly string[]> {
  await keepSolverWaiting(sandbox)
  const ids = await Promise.all(swaps.map((swap) => acceptSwap(daemon, swap)))
  const isReady = async (id: string): Promise<boolean> => hasSeenNoPayout(config, id) || isTold(id)
  const areReady = async (): Promise<boolean> =>
    (await Promise.all(ids.map(isReady))).every((ready) => ready)
  await until("the daemon observed each deposit without a payout", areReady, 120_000)
  return ids
}

async function isTold(id: string): Promise<boolean> {
  const { ownSecret } = await daemon.order(id)
  const stored = (await listStored(sandbox)).find(
    ({ source }) => source.swap.secretHash === ownSecret?.hash,
  )
  return stored !== undefined && findTelling(recorder.exchanges, stored) !== -1
}

test("the wallets are shown with the fingerprint of the key, and without the key", async () => {
  const show = async (key: string): Promise<string> => {
    const env = { ...config.env, TEST_SECRETS_KEY: key }
    const [json, text] = await Promise.all(
      [["--json"], []].map((more) =>
        runBallast(["wallet", ...more, "--config", config.file], { env }),
      ),
    )
    expect(json, json?.stderr).toMatchObject({ code: 0 })
    // CAST: our own interface.
    const { secretsKey } = JSON.parse(json?.stdout ?? "") as {
      secretsKey: { fingerprint: string; treasury: string }
    }
    expect(secretsKey).toEqual({
      fingerprint: expect.stringMatching(/^[0-9a-f]{16}$/),
      treasury: "test",
    })
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
  const { stdout, stderr } = await runBallast(["rescue", id, "--json", "--config", config.file], {
    env,
  })
  expect(stdout, stderr).toContain("redeem")
  // CAST: our own interface.
  const { redeem, transactions } = JSON.parse(stdout) as Rescued
  const raw = transactions.filter(({ purpose }) => purpose === "redeem").map((one) => one.raw)
  const { recipe, secret } = redeem
  const calls = "calls" in recipe ? recipe.calls : []
  // Solana signs bytes in base64 or hex, Starknet felts.
  const bytes = raw
    .map((text) => `${text} ${Buffer.from(text, "base64").toString("hex")}`.toLowerCase())
    .join(" ")
  const isIn = (hex: string): boolean => bytes.includes(hex.replace(/^0x0*/, "").toLowerCase())
  expect(mentions(raw.join(" "), secret)).toBe(true)
  for (const part of [recipe.data, recipe.redeemLeaf, recipe.controlBlock])
    expect(isIn(part ?? "")).toBe(true)
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
