import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { freePort } from "../../support/free-port.ts"
import {
  type DaemonProcess,
  startDaemonProcess,
  TOKEN,
  until,
} from "../../support/sandbox-process.ts"

const KEY = { EVM_KEY: `0x${"4c".repeat(32)}`, BALLAST_OPS_TOKEN: TOKEN }
const root = mkdtempSync(join(tmpdir(), "ballast-half-edited-"))
let daemon: DaemonProcess | null = null
afterAll(async () => {
  await daemon?.stop()
  rmSync(root, { recursive: true })
})

/** The signer's socket lies 20 bytes deeper than `data_dir`. */
test.each([83, 90])(
  "a first start with a data_dir of %i bytes runs, and its signer too after a half edited file",
  async (bytes) => {
    const home = join(root, String(bytes))
    const dataDir = join(home, "d".repeat(bytes - Buffer.byteLength(home) - 1))
    expect(Buffer.byteLength(dataDir)).toBe(bytes)
    mkdirSync(home, { mode: 0o700 })
    const file = join(home, "b.yaml")
    const port = await freePort()
    const nowhere = `http://127.0.0.1:${await freePort()}`
    const config = {
      services: { main: { url: nowhere } },
      data_dir: dataDir,
      ops: { listen: `127.0.0.1:${port}`, token: "env:BALLAST_OPS_TOKEN" },
      chains: {
        some_chain: { family: "evm", chain_id: 84_532, rpc: [nowhere], key: "env:EVM_KEY" },
      },
      assets: { "some_chain:eth": { decimals: 18 } },
      prices: { trust_service: true },
      signer: { run: "child" },
      health: { check_every: "1s", alarm_after: "5s" },
    }
    const text = JSON.stringify(config)
    writeFileSync(file, text, { mode: 0o600 })
    daemon = startDaemonProcess({ file, port }, KEY)
    await daemon.serves()
    const findSigner = (): string => {
      try {
        return execFileSync("pgrep", ["-f", `signer --config ${file}`], { encoding: "utf8" }).trim()
      } catch {
        return ""
      }
    }
    await until("the signer runs", async () => findSigner() !== "")
    // The watch has had an answer of the signer.
    await new Promise((resolve) => setTimeout(resolve, 4_000))
    const first = findSigner()
    writeFileSync(file, text.slice(0, -30))
    process.kill(Number(first), "SIGKILL")
    await until("the next one ends", async () =>
      /cannot run|starts again/.test(daemon?.output() ?? ""),
    )
    await new Promise((resolve) => setTimeout(resolve, 3_000))
    writeFileSync(file, text)
    await until("a new one runs", async () => ![first, ""].includes(findSigner()), 30_000)
    await new Promise((resolve) => setTimeout(resolve, 2_000))
    expect(findSigner()).not.toBe("")
    await daemon.stop()
  },
  120_000,
)
