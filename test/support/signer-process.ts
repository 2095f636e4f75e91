import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { connect, type Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { encodeRequest, type SignerQuestion } from "#signer/wire.ts"
import { bareEnvironment, until } from "./sandbox-process.ts"

const ROOT = join(import.meta.dirname, "../..")
const KEYS = join(ROOT, "config", "sandbox-keys")
const MAIN = join(ROOT, "src", "app", "cli", "main.ts")

export type Answer =
  | { readonly id: number; readonly ok: true; readonly result: Readonly<Record<string, unknown>> }
  | {
      readonly id: number
      readonly ok: false
      readonly error: { readonly code: string; readonly message: string }
    }

export type RawClient = {
  readonly socket: Socket
  readonly ask: (question: SignerQuestion) => Promise<Answer>
  /** Sends any text as one frame, and answers with the next answer of the signer. */
  readonly sendText: (text: string) => Promise<Answer>
  readonly closed: Promise<void>
}

export type SignerProcess = {
  readonly dir: string
  readonly socketPath: string
  readonly child: ChildProcess
  readonly output: () => string
  readonly open: () => RawClient
  readonly stop: (options?: { readonly keepDir?: boolean }) => Promise<void>
}

type SignerChoices = {
  readonly keys?: Readonly<Record<string, string>>
  readonly env?: Record<string, string>
  readonly dir?: string
}

/** The chains and assets of the sandbox, with limits. Nothing listens on the endpoints. */
export function signerConfig(
  dir: string,
  signer: Record<string, unknown>,
): Record<string, unknown> {
  const nowhere = "http://127.0.0.1:1"
  const key = (family: string): string => `file:${join(KEYS, family)}`
  return {
    service: { url: nowhere },
    data_dir: join(dir, "data"),
    chains: {
      bitcoin_testnet: {
        family: "bitcoin",
        network: "regtest",
        esplora: [nowhere],
        key: key("bitcoin"),
        address: "p2tr",
        max_fee_rate: 50,
      },
      base_sepolia: {
        family: "evm",
        chain_id: 84532,
        rpc: [nowhere],
        key: key("evm"),
        max_fee_per_gas: "50 gwei",
      },
      solana_testnet: { family: "solana", rpc: [nowhere], key: key("solana") },
      starknet_sepolia: {
        family: "starknet",
        rpc: [nowhere],
        key: key("starknet"),
        max_fee: "1",
        account: "0x04462f242e56a2d6f2cf00762efccddf8b429a19eb8f93c8c7bc95e47807d265",
      },
    },
    assets: ASSETS,
    signer,
  }
}

export const ASSETS = {
  "bitcoin_testnet:btc": { decimals: 8 },
  "base_sepolia:eth": { decimals: 18, htlc: ["0x34AFAa48606c6b474392F694B3645fe56bd0f687"] },
  "base_sepolia:wbtc": {
    decimals: 8,
    token: "0x82545863D4aD1C418A7Df2803654a55ee48ddeCa",
    htlc: ["0x43302c9993f3b2555463be9E1F322397Cc6E22f0"],
  },
  "solana_testnet:sol": { decimals: 9, htlc: ["6eksgdCnSjUaGQWZ6iYvauv1qzvYPF33RTGTM1ZuyENx"] },
  "solana_testnet:usdc": {
    decimals: 6,
    token: "3NFxktQUvVCBMDfxDQ1iu4CetQpZhKPNf99PUPTcCV1z",
    htlc: ["2WXpY8havGjfRxme9LUxtjFHTh1EfU3ur4v6wiK4KdNC"],
  },
  "starknet_sepolia:wbtc": {
    decimals: 8,
    token: "0x03fe2b97c1fd336e750087d68b9b867997fd64a2661ff3ca5a7c771641e8e7ac",
    htlc: ["0x024862cc80f542fb3c15eaa287dc6edb49e25c635a6a126516b7bf641f984e3f"],
  },
} as const

/**
 * Starts a real `ballast signer` with the sandbox's public keys. `keys` replaces them by chain, and
 * `dir` is that of an earlier signer.
 */
export async function startSignerProcess(
  signer: Record<string, unknown>,
  { keys = {}, env = {}, dir = mkdtempSync(join(tmpdir(), "signer-")) }: SignerChoices = {},
): Promise<SignerProcess> {
  const file = join(dir, "signer.yaml")
  const config = signerConfig(dir, signer)
  // CAST: `signerConfig` writes the chains above.
  const chains = config["chains"] as Record<string, Record<string, unknown>>
  for (const [chain, key] of Object.entries(keys)) Object.assign(chains[chain] ?? {}, { key })
  writeFileSync(file, JSON.stringify(config))
  const child = spawn(process.execPath, [MAIN, "signer", "--config", file], {
    stdio: ["ignore", "pipe", "pipe"],
    env: bareEnvironment(env),
  })
  let output = ""
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => (output += chunk.toString()))
  await until("the signer is ready", async () => {
    if (child.exitCode !== null) throw new Error(`the signer ended: ${output}`)
    return output.includes("The signer is ready")
  })
  const socketPath = join(dir, "data", "signer", "signer.sock")
  return {
    dir,
    socketPath,
    child,
    output: () => output,
    open: () => openRaw(socketPath),
    stop: async ({ keepDir = false } = {}) => {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill("SIGTERM")
        await once(child, "exit")
      }
      if (!keepDir) rmSync(dir, { recursive: true, force: true })
    },
  }
}

/** A client that an attacker could write: it has frames of its own, and sends anything. */
function openRaw(path: string): RawClient {
  const socket = connect(path)
  const waiting: { resolve: (answer: Answer) => void; reject: (error: Error) => void }[] = []
  let bytes = Buffer.alloc(0)
  let nextId = 1
  socket.on("error", () => socket.destroy())
  socket.on("data", (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk])
    while (bytes.length >= 4 && bytes.length >= 4 + bytes.readUInt32BE(0)) {
      const end = 4 + bytes.readUInt32BE(0)
      // CAST: the test reads the members that it expects.
      waiting.shift()?.resolve(JSON.parse(bytes.toString("utf8", 4, end)) as Answer)
      bytes = bytes.subarray(end)
    }
  })
  // Answers come in the order of the requests.
  const sendText = (text: string): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const body = Buffer.from(text, "utf8")
      const head = Buffer.alloc(4)
      head.writeUInt32BE(body.length)
      waiting.push({ resolve, reject })
      socket.write(Buffer.concat([head, body]))
    })
  socket.on("close", () => {
    for (const { reject } of waiting.splice(0))
      reject(new Error("the signer closed the connection"))
  })
  const closed = once(socket, "close").then(() => undefined)
  return {
    socket,
    sendText,
    closed,
    ask: (question) => sendText(encodeRequest(nextId++, question)),
  }
}
