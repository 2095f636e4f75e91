import { once } from "node:events"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, it } from "vitest"
import { loadConfig } from "#config/load.ts"
import { systemClock } from "#lib/clock.ts"
import { silentLogger } from "#lib/log.ts"
import { lockInstance } from "./start/instance-lock.ts"
import { startDaemon } from "./start-daemon.ts"

const dir = mkdtempSync(join(tmpdir(), "ballast-first-"))
const seen: string[] = []
const node = createServer((request, response) => {
  request.resume()
  seen.push("request")
  response.writeHead(500).end()
})
afterAll(() => {
  node.closeAllConnections()
  node.close()
  rmSync(dir, { recursive: true, force: true })
})

it("begins the watch over the event loop before the first node or service is asked", async () => {
  node.listen(0, "127.0.0.1")
  await once(node, "listening")
  // CAST: a TCP server has an address with a port.
  const url = `http://127.0.0.1:${(node.address() as AddressInfo).port}`
  const file = join(dir, "b.yaml")
  writeFileSync(file, configFor(url), { mode: 0o600 })
  const source = (): ReturnType<typeof loadConfig> =>
    loadConfig(file, { KEY: `0x${"11".repeat(32)}` })
  const loaded = source()
  const runtime = { clock: systemClock, log: silentLogger, file, version: "0", source }
  const daemon = await startDaemon(loaded, {
    ...runtime,
    lock: lockInstance(loaded.config.dataDir),
    endProcess: () => undefined,
    onHandOver: () => undefined,
    readLog: () => ({ lines: [], newest: 0 }),
    onFirstRequest: () => seen.push("watch"),
  })
  await daemon.stop()
  expect(seen[0]).toBe("watch")
  expect(seen).toContain("request")
})

function configFor(url: string): string {
  return `service: { url: "${url}" }
data_dir: ${join(dir, "data")}
mode: observe
chains:
  ethereum_sepolia: { family: evm, chain_id: 11155111, rpc: ["${url}"], key: "env:KEY" }
assets:
  ethereum_sepolia:eth: { decimals: 18, htlc: [] }
`
}
