import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import { freePort } from "../support/free-port.ts"
import { startDaemonProcess, until } from "../support/sandbox-process.ts"

/** No service and no node answers at this address. */
const DEAD = "http://127.0.0.1:1"

test("a daemon whose event loop stands still ends itself after it logged its stack", {
  timeout: 60_000,
}, async () => {
  const dir = mkdtempSync(join(tmpdir(), "ballast-e2e-watchdog-"))
  const port = await freePort()
  const file = join(dir, "ballast.yaml")
  writeFileSync(
    file,
    `service: { url: "${DEAD}", timeout: 1s }
data_dir: ./data
ops: { listen: "127.0.0.1:${port}", token: "env:BALLAST_OPS_TOKEN" }
stall_limit: 5s
chains:
  base_sepolia: { family: evm, chain_id: 84532, rpc: ["${DEAD}"], key: "env:EVM_KEY" }
assets:
  base_sepolia:eth: { decimals: 18 }
`,
    { mode: 0o600 },
  )
  const daemon = startDaemonProcess({ file, port }, { EVM_KEY: `0x${"4c".repeat(32)}` })
  await daemon.serves()
  await blockEventLoop(daemon.child.pid ?? 0, daemon.output)
  expect(await daemon.exited).not.toMatchObject({ code: 0 })
  expect(daemon.output()).toContain("The event loop stands still")
  expect(daemon.output()).toContain("standStill")
})

/** SIGUSR1 opens Node's inspector; its protocol then runs a loop without an end in the daemon. */
async function blockEventLoop(pid: number, output: () => string): Promise<void> {
  process.kill(pid, "SIGUSR1")
  const address = (): string | undefined => /Debugger listening on (ws:\S+)/.exec(output())?.[1]
  await until("the inspector listens", async () => address() !== undefined)
  const socket = new WebSocket(address() ?? "")
  await new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve)
    socket.addEventListener("error", reject)
  })
  const expression = "setTimeout(function standStill() { for (;;); })"
  socket.send(JSON.stringify({ id: 1, method: "Runtime.evaluate", params: { expression } }))
}
