import { spawnSync } from "node:child_process"
import { createECDH, createPrivateKey, generateKeyPairSync, type KeyObject } from "node:crypto"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { runBallast } from "../../support/e2e-cli.ts"
import { writeE2eConfig } from "../../support/e2e-config.ts"
import { acceptSwap, waitForOutcome } from "../../support/e2e-orders.ts"
import {
  type KmsStandIn,
  startKmsStandIn,
  writeAwsProfile,
  writeGcpAccount,
} from "../../support/kms-stand-in.ts"
import {
  type DaemonProcess,
  type SandboxProcess,
  startDaemonProcess,
  startSandboxProcess,
} from "../../support/sandbox-process.ts"

const KEYS = join(import.meta.dirname, "..", "..", "..", "config", "sandbox-keys")
const ADDRESS = "0xDF6452499758ca5a4197b7a400EC63CdcFE53390"
const dir = mkdtempSync(join(tmpdir(), "kms-"))

let standIn: KmsStandIn
let sandbox: SandboxProcess
let daemon: DaemonProcess
let config: Awaited<ReturnType<typeof writeE2eConfig>>

beforeAll(async () => {
  const account = generateKeyPairSync("rsa", { modulusLength: 2_048 }).privateKey
  standIn = await startKmsStandIn({ key: readSandboxKey(), account })
  const { url } = standIn
  const aws = `aws-kms:arn:aws:kms:eu-central-1:111122223333:key/1234abcd?address=${ADDRESS}`
  const version = "projects/p/locations/l/keyRings/r/cryptoKeys/k/cryptoKeyVersions/1"
  const gcp = `gcp-kms:${version}?address=${ADDRESS}`
  const awsFile = writeAwsProfile(join(dir, "aws"))
  const gcpFile = writeGcpAccount(join(dir, "gcp"), { url, account })
  sandbox = await startSandboxProcess(["--chains", "base_sepolia,ethereum_sepolia"])
  config = await writeE2eConfig(sandbox, "kms", {
    chains: {
      base_sepolia: {
        key: `${aws}&credentials=file:${awsFile}&endpoint=${url}`,
        deposit: "gasless",
      },
      ethereum_sepolia: {
        key: `${gcp}&credentials=file:${gcpFile}&endpoint=${url}`,
        deposit: "onchain",
      },
    },
  })
  daemon = startDaemonProcess(config, {})
  await daemon.ready()
}, 120_000)
afterAll(async () => {
  await daemon?.stop()
  await sandbox?.stop()
  await standIn?.close()
  rmSync(dir, { recursive: true })
})

test("a daemon whose keys are in two KMSs swaps by typed data and by transactions", async () => {
  const swaps = [
    { from: "base_sepolia:wbtc", to: "ethereum_sepolia:wbtc", amount: "0.0012" },
    { from: "ethereum_sepolia:wbtc", to: "base_sepolia:wbtc", amount: "0.0013" },
  ]
  const ids: string[] = []
  for (const swap of swaps) ids.push(await acceptSwap(daemon, swap))
  const orders = await Promise.all(ids.map((id) => waitForOutcome(daemon, id, 90_000)))
  expect(orders.map(({ outcome, deposit }) => `${outcome} ${deposit}`)).toEqual([
    "completed gasless",
    "completed onchain",
  ])
  expect(standIn.calls.filter((call) => call === "TrentService.Sign").length).toBeGreaterThan(1)
  expect(standIn.calls.some((call) => call.endsWith(":asymmetricSign"))).toBe(true)
})

test("commands know the address without asking the KMS", async () => {
  const before = standIn.calls.length
  const { code, stdout } = await runBallast(["wallet", "--config", config.file, "--json"], {
    env: config.env,
  })
  expect(code).toBe(0)
  expect(stdout).toContain(ADDRESS)
  expect(standIn.calls).toHaveLength(before)
})

test("the signer reaches the host of its KMS, and no other", () => {
  const room = join(import.meta.dirname, "..", "..", "..", "src", "edges", "signer")
  const port = Number(new URL(standIn.url).port)
  const script = `
    import { connect } from "node:net"
    import { closeNetwork } from "${join(room, "close-network.ts")}"
    closeNetwork(["127.0.0.1:${port}"])
    const tried = (options) => {
      try { connect(options); return "open" } catch (error) { return error.code }
    }
    const other = tried({ host: "127.0.0.1", port: ${port - 1} })
    const file = tried({ path: "/tmp/none.sock" })
    console.log([tried({ host: "127.0.0.1", port: ${port} }), other, file].join())
    process.exit()`
  const options = { encoding: "utf8", cwd: join(room, "..", "..", "..") } as const
  const { stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", script], options)
  expect(stdout.trim()).toBe("open,signer.network,signer.network")
})

/** The sandbox funds the address of its public key. */
function readSandboxKey(): KeyObject {
  const curve = createECDH("secp256k1")
  curve.setPrivateKey(
    Buffer.from(readFileSync(join(KEYS, "evm"), "utf8").trim().replace(/^0x/, ""), "hex"),
  )
  const point = curve.getPublicKey()
  const text = (bytes: Buffer): string => bytes.toString("base64url")
  const key = {
    kty: "EC",
    crv: "secp256k1",
    d: text(curve.getPrivateKey()),
    x: text(point.subarray(1, 33)),
    y: text(point.subarray(33)),
  }
  return createPrivateKey({ key, format: "jwk" })
}
