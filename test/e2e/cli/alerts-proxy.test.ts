import { mkdtempSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import { runBallast } from "../../support/e2e-cli.ts"

const CONFIG = `service: { url: "http://127.0.0.1:2" }
mode: observe
chains: { base: { rpc: ["http://127.0.0.1:2"], key: "env:NONE" } }
assets: { "base:eth": { decimals: 18 } }
`

test.each([
  ["HTTPS_PROXY", "socks5://user:s3cret@proxy:1080", "not socks5"],
  ["no_proxy", "10.0.0.0/40", "10.0.0.0/40 is no network"],
])("check and run refuse %s=%s with a code, and show no password", async (name, value, why) => {
  const file = join(mkdtempSync(join(tmpdir(), "ballast-proxy-")), "ballast.yaml")
  writeFileSync(file, CONFIG, { mode: 0o600 })
  for (const command of ["check", "run"]) {
    const env = { [name]: value, NONE: `0x${"11".repeat(32)}` }
    const { code, stdout, stderr } = await runBallast([command, "--config", file], { env })
    const said = `${stdout}${stderr}`
    expect({ command, code, said }).toMatchObject({ code: 78 })
    expect(said).toContain("config.proxy")
    expect(said).toContain(why)
    expect(said).not.toContain("s3cret")
  }
})

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
    const text = `${CONFIG}alerts: { receivers: { hook: ${hook} } }
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
