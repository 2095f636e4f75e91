import { randomBytes } from "node:crypto"
import { existsSync, globSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { mnemonicToAccount, privateKeyToAccount } from "viem/accounts"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { createMnemonic } from "#chains/mnemonic.ts"
import { sealKeystore } from "#config/secrets/sealed-keystore.ts"
import { callRpc, chainOf } from "../support/e2e-chain.ts"
import { runBallast } from "../support/e2e-cli.ts"
import { type E2eConfig, writeE2eConfig } from "../support/e2e-config.ts"
import { acceptSwap, waitForOutcome } from "../support/e2e-orders.ts"
import {
  type DaemonProcess,
  type SandboxProcess,
  startDaemonProcess,
  startSandboxProcess,
  stopAll,
  TOKEN,
  until,
} from "../support/sandbox-process.ts"

const BASE = "base_sepolia:eth"
const ETHEREUM = "ethereum_sepolia:wbtc"
const PASSWORD = `password-${randomBytes(12).toString("hex")}`
const MNEMONIC = createMnemonic()
const ENV_KEY = randomBytes(32).toString("hex")

/**
 * Texts that must not appear anywhere: the keys in hex, in base 64 and as bytes, the words, the
 * password.
 */
const derived = Buffer.from(mnemonicToAccount(MNEMONIC).getHdKey().privateKey ?? []).toString("hex")
const SECRETS: readonly (readonly [name: string, bytes: Buffer])[] = [
  ["the key of env: in hex", Buffer.from(ENV_KEY)],
  ["the key of env: in base 64", Buffer.from(Buffer.from(ENV_KEY, "hex").toString("base64"))],
  ["the key of env: as bytes", Buffer.from(ENV_KEY, "hex")],
  ["the derived key in hex", Buffer.from(derived)],
  ["the derived key as bytes", Buffer.from(derived, "hex")],
  ["the mnemonic", Buffer.from(MNEMONIC.split(" ").slice(0, 4).join(" "))],
  ["the password", Buffer.from(PASSWORD)],
]
/**
 * Access keys of endpoints: in the query of one that answers, and everywhere in one that does not.
 */
const [ENDPOINT_KEY, DEAD_KEY, DEAD_PASSWORD] = [1, 2, 3].map(() => randomBytes(16).toString("hex"))
const ENDPOINT_KEYS = [ENDPOINT_KEY ?? "", DEAD_KEY ?? "", DEAD_PASSWORD ?? ""]

const foundIn = (bytes: Buffer): string[] => [
  ...SECRETS.filter(([, secret]) => bytes.includes(secret)).map(([name]) => name),
  ...ENDPOINT_KEYS.flatMap((key, index) => (bytes.includes(key) ? [`endpoint key ${index}`] : [])),
]

describe.runIf(process.platform === "linux")("after a swap, no secret can be found", () => {
  let sandbox: SandboxProcess
  let config: E2eConfig
  let daemon: DaemonProcess
  let signerPid: number

  beforeAll(async () => {
    sandbox = await startSandboxProcess(["--chains", "base_sepolia,ethereum_sepolia"])
    writeFileSync(
      join(sandbox.dir, "wallet.json"),
      sealKeystore({ kind: "mnemonic", text: MNEMONIC }, PASSWORD),
    )
    config = await writeE2eConfig(sandbox, "secrets", {
      chains: {
        base_sepolia: {
          key: "env:TEST_EVM_KEY",
          rpc: [
            `http://user:${DEAD_PASSWORD}@127.0.0.1:1/v2/${DEAD_KEY}?apikey=${DEAD_KEY}`,
            `${chainOf(sandbox, BASE).url}/?apikey=${ENDPOINT_KEY}`,
          ],
          agree: 1,
        },
        ethereum_sepolia: { key: "keystore:wallet.json" },
      },
      log: { level: "trace" },
    })
    const owner = privateKeyToAccount(`0x${ENV_KEY}`).address
    await callRpc(chainOf(sandbox, BASE).url, "anvil_setBalance", [owner, "0x8ac7230489e80000"])
    daemon = startDaemonProcess(config, {
      TEST_EVM_KEY: ENV_KEY,
      BALLAST_KEYSTORE_PASSWORD: PASSWORD,
    })
    await daemon.ready()
    const order = await waitForOutcome(
      daemon,
      await acceptSwap(daemon, { from: BASE, to: ETHEREUM, amount: "0.03" }),
      90_000,
    )
    expect(order.outcome).toBe("completed")
    signerPid = present(findSigner(), "the signer runs")
  }, 240_000)
  afterAll(() => stopAll(daemon, sandbox))

  function findSigner(): number | undefined {
    return listProcesses().find((pid) => {
      const args = readProc(pid, "cmdline").toString().split("\0")
      return args.includes("signer") && args.includes(config.file)
    })
  }

  test(
    "in the arguments of any process, and in no environment but that of the daemon, which was " +
      "given two",
    () => {
      const found = listProcesses().flatMap((pid) => [
        ...foundIn(readProc(pid, "cmdline")).map((name) => `${name} in the arguments of ${pid}`),
        ...(pid === daemon.child.pid || pid === process.pid
          ? []
          : foundIn(readProc(pid, "environ")).map(
              (name) => `${name} in the environment of ${pid}`,
            )),
      ])
      expect(found).toEqual([])
      expect(foundIn(readProc(signerPid, "environ"))).toEqual([])
      expect(readProc(signerPid, "environ").includes(TOKEN)).toBe(false)
      // The search can find: the daemon was given both.
      expect(foundIn(readProc(daemon.child.pid ?? 0, "environ"))).toEqual([
        "the key of env: in hex",
        "the password",
      ])
    },
  )

  test("in the log, the journal, the signer's record, or any file of the data directory", async () => {
    expect(foundIn(Buffer.from(daemon.output()))).toEqual([])
    const files = globSync("**/*", { cwd: join(sandbox.dir, "secrets") }).map((name) =>
      join(sandbox.dir, "secrets", name),
    )
    // The copy of the configuration is as private as the configuration, and has its endpoints.
    const plain = files.filter(
      (file) => statSync(file).isFile() && !file.endsWith("/config-in-force.json"),
    )
    expect(plain.map((file) => file.split("/").at(-1))).toEqual(
      expect.arrayContaining(["journal.db", "signatures.db"]),
    )
    expect(
      plain.flatMap((file) => foundIn(readFileSync(file)).map((name) => `${name} in ${file}`)),
    ).toEqual([])
  })

  test("in a backup, or in the output of commands", async () => {
    const copy = join(sandbox.dir, "copy.db")
    const env = { ...config.env, TEST_EVM_KEY: ENV_KEY, BALLAST_KEYSTORE_PASSWORD: PASSWORD }
    for (const args of [
      ["backup", "--to", copy],
      ["check"],
      ["wallet"],
      ["orders"],
      ["status"],
      ["doctor"],
    ]) {
      const { stdout, stderr } = await runBallast([...args, "--config", config.file], { env })
      expect(foundIn(Buffer.from(stdout + stderr)), args.join(" ")).toEqual([])
    }
    expect(existsSync(copy) && foundIn(readFileSync(copy))).toEqual([])
  })

  test("in an answer of the interface", async () => {
    for (const path of [
      "/healthz",
      "/metrics",
      "/",
      ...["status", "balances", "orders", "rules", "decisions", "settings", "books", "alerts"].map(
        (name) => `/api/v1/${name}`,
      ),
    ]) {
      const { body } = await daemon.call("GET", path)
      expect(foundIn(Buffer.from(JSON.stringify(body))), path).toEqual([])
    }
  })

  test("the signer's death loses nothing: the next swap waits for the next signer", async () => {
    process.kill(signerPid, "SIGKILL")
    const id = await acceptSwap(daemon, { from: BASE, to: ETHEREUM, amount: "0.02" })
    expect((await waitForOutcome(daemon, id, 120_000)).outcome).toBe("completed")
    expect(findSigner()).not.toBe(signerPid)
  }, 150_000)

  test("the signer writes no core file, and ends with a killed daemon", async () => {
    const pid = present(findSigner(), "the signer runs")
    expect(readProc(pid, "limits").toString()).toMatch(/Max core file size +0 +0/)
    daemon.child.kill("SIGKILL")
    await until("the signer ended", async () => findSigner() === undefined)
  })
})

function listProcesses(): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
}

/** A process may end, or belong to another user: then there is nothing to read. */
function readProc(pid: number, name: string): Buffer {
  try {
    return readFileSync(`/proc/${pid}/${name}`)
  } catch {
    return Buffer.alloc(0)
  }
}

function present<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Error(`${what}: no`)
  return value
}
