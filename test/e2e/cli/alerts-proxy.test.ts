import { mkdtempSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import { runBallast } from "../../support/e2e-cli.ts"

test("a test message takes the way of the daemon's alerts, through the proxy", async () => {
  const asked: string[] = []
  const proxy = createServer((request, response) => {
    asked.push(request.url ?? "")
    response.end("ok")
  })
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve))
  try {
    // CAST: the server listens on TCP.
    const { port } = proxy.address() as AddressInfo
    const file = join(mkdtempSync(join(tmpdir(), "ballast-proxy-")), "ballast.yaml")
    const hook = '{ kind: webhook, url: "http://hook.example/alert" }'
    const text = `service: { url: "http://127.0.0.1:2" }
mode: observe
chains: { base: { rpc: ["http://127.0.0.1:2"], key: "env:NONE" } }
assets: { "base:eth": { decimals: 18 } }
alerts: { receivers: { hook: ${hook} } }
`
    writeFileSync(file, text, { mode: 0o600 })
    const env = { HTTP_PROXY: `http://127.0.0.1:${port}` }
    const { code, stdout, stderr } = await runBallast(["alerts", "test", "--config", file], { env })
    expect(code, `${stdout}${stderr}`).toBe(0)
    expect(asked).toEqual(["http://hook.example/alert"])
  } finally {
    proxy.close()
  }
})
