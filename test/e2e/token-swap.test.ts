import { createECDH, createPrivateKey } from "node:crypto"
import { readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { Keypair } from "@solana/web3.js"
import { afterAll, beforeAll, expect, test } from "vitest"
import { runBallast } from "../support/e2e-cli.ts"
import { writeE2eConfig } from "../support/e2e-config.ts"
import { acceptSwap, waitForOutcome } from "../support/e2e-orders.ts"
import {
  type DaemonProcess,
  type SandboxProcess,
  startDaemonProcess,
  startSandboxProcess,
} from "../support/sandbox-process.ts"
import { createTestToken, type TestToken } from "../support/use-token.ts"

const KEYS = join(import.meta.dirname, "..", "..", "config", "sandbox-keys")

let token: TestToken
let sandbox: SandboxProcess
let daemon: DaemonProcess
let config: Awaited<ReturnType<typeof writeE2eConfig>>

beforeAll(async () => {
  token = createTestToken()
  importSandboxKeys()
  sandbox = await startSandboxProcess(["--chains", "base_sepolia,ethereum_sepolia,solana_testnet"])
  const evm = token.uriOf("object=evm")
  config = await writeE2eConfig(sandbox, "token", {
    chains: {
      base_sepolia: { key: evm, deposit: "gasless" },
      ethereum_sepolia: { key: evm, deposit: "onchain" },
      solana_testnet: { key: token.uriOf("id=%02") },
    },
  })
  daemon = startDaemonProcess(config, environment())
  await daemon.ready()
}, 120_000)
afterAll(async () => {
  await daemon?.stop()
  await sandbox?.stop()
  rmSync(token.dir, { recursive: true })
})

const environment = (): Record<string, string> => ({
  SOFTHSM2_CONF: process.env["SOFTHSM2_CONF"] ?? "",
})

test(
  "a daemon whose keys are in a token swaps by typed data, by EVM transactions and by a Solana " +
    "transaction",
  async () => {
    const swaps = [
      { from: "base_sepolia:wbtc", to: "ethereum_sepolia:wbtc", amount: "0.0012" },
      { from: "ethereum_sepolia:wbtc", to: "base_sepolia:wbtc", amount: "0.0013" },
      { from: "solana_testnet:usdc", to: "base_sepolia:wbtc", amount: "120" },
    ]
    const ids: string[] = []
    for (const swap of swaps) ids.push(await acceptSwap(daemon, swap))
    const orders = await Promise.all(ids.map((id) => waitForOutcome(daemon, id, 90_000)))
    expect(orders.map(({ outcome, deposit }) => `${outcome} ${deposit}`)).toEqual([
      "completed gasless",
      "completed onchain",
      "completed onchain",
    ])
    expect(daemon.output()).not.toContain(readFileSync(token.pinFile, "utf8").trim())
  },
)

test("commands read the addresses without a PIN", async () => {
  rmSync(token.pinFile)
  const { code, stdout } = await runBallast(["wallet", "--config", config.file, "--json"], {
    env: { ...config.env, ...environment() },
  })
  expect(code).toBe(0)
  expect(stdout).toContain("0xDF6452499758ca5a4197b7a400EC63CdcFE53390")
  expect(stdout).toContain(Keypair.fromSecretKey(readSolanaKey()).publicKey.toBase58())
})

function readSolanaKey(): Buffer {
  // CAST: a key pair file of the Solana tools.
  return Buffer.from(JSON.parse(readFileSync(join(KEYS, "solana"), "utf8")) as number[])
}

/** The sandbox funds the addresses of its public keys. */
function importSandboxKeys(): void {
  const curve = createECDH("secp256k1")
  curve.setPrivateKey(
    Buffer.from(readFileSync(join(KEYS, "evm"), "utf8").trim().replace(/^0x/, ""), "hex"),
  )
  const text = (bytes: Buffer): string => bytes.toString("base64url")
  const point = curve.getPublicKey()
  const d = text(curve.getPrivateKey())
  const evm = {
    kty: "EC",
    crv: "secp256k1",
    d,
    x: text(point.subarray(1, 33)),
    y: text(point.subarray(33)),
  }
  token.importGiven(createPrivateKey({ key: evm, format: "jwk" }), "evm", "01")
  const keypair = readSolanaKey()
  const solana = {
    kty: "OKP",
    crv: "Ed25519",
    d: text(keypair.subarray(0, 32)),
    x: text(keypair.subarray(32)),
  }
  token.importGiven(createPrivateKey({ key: solana, format: "jwk" }), "solana", "02")
}
