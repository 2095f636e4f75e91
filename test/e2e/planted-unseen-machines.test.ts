import { writeFileSync } from "node:fs"
import { createServer, type Server } from "node:http"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { runBallast } from "../support/e2e-cli.ts"
import { freePort } from "../support/free-port.ts"
import { listen } from "../support/listen.ts"
import { startDaemonProcess, TOKEN, until } from "../support/sandbox-process.ts"
import { type StrangeStub, startStrangeStub } from "../support/strange-stub.ts"
import { temporaryFolder } from "../support/temporary-folder.ts"
import { UNFORESEEN_MACHINE_FAULTS } from "../support/unforeseen-faults.ts"
import { UNNAMED_UNSEEN, UNSEEN_MACHINE_FAULTS } from "../support/unseen-faults.ts"

const PROMISED_MS = 60_000
const SETTLED_MS = 5_000
const CHAINS = ["one_chain", "two_chain", "three_chain"]
const KEYS = Object.fromEntries(
  CHAINS.map((at, index) => [`KEY_OF_${at}`, `0x${(index + 16).toString(16).repeat(32)}`]),
)
const ENV: Record<string, string> = { ...KEYS, BALLAST_OPS_TOKEN: TOKEN }
const PAGE = "<!DOCTYPE html><html><title>Welcome to Airport WiFi</title>Log in</html>"

const PLANTED = [...UNSEEN_MACHINE_FAULTS, ...UNFORESEEN_MACHINE_FAULTS].filter(
  ({ at }) => UNNAMED_UNSEEN[at] === undefined,
)

describe("an unseen fault of the machine", () => {
  const dir = temporaryFolder("ballast-e2e-unseen-machines")
  const servers: Server[] = []
  let stub: StrangeStub

  const startProxy = async (status: number): Promise<string> => {
    const server = createServer((_request, response) => response.writeHead(status).end("refused"))
    server.on("connect", (_request, socket) => {
      socket.on("error", () => undefined)
      socket.end(`HTTP/1.1 ${status} Refused\r\nContent-Length: 0\r\n\r\n`)
    })
    servers.push(server)
    return (await listen(server)).url
  }
  const startMuteProxy = async (): Promise<string> => {
    const server = createServer(() => undefined)
    server.on("connect", (_request, socket) => socket.on("error", () => undefined))
    servers.push(server)
    return (await listen(server)).url
  }
  const startPortal = async (): Promise<number> => {
    const server = createServer((_request, response) =>
      response.writeHead(200, { "content-type": "text/html" }).end(PAGE),
    )
    servers.push(server)
    await new Promise<void>((resolve) => server.listen(0, "0.0.0.0", resolve))
    const address = server.address()
    return typeof address === "object" ? (address?.port ?? 0) : 0
  }

  beforeAll(async () => {
    stub = await startStrangeStub(dir)
  }, 60_000)
  afterAll(() => {
    stub?.stop()
    for (const server of servers) server.close()
  })

  const urlsOf = async (at: string): Promise<(name: string) => string> => {
    // A request by http is passed on, and the proxy's refusal looks like that of the host.
    const scheme = at === "proxy_denied" || at === "proxy_lost" ? "https" : "http"
    if (at.startsWith("proxy"))
      return (name) => `${scheme}://${name.replace("_", "-")}.example.com/`
    if (at === "ca_missing") return (name) => `${stub.urlOf("forged_x")}-${name}`
    if (at !== "portal") return (name) => stub.urlOf(name).replace("127.0.0.1", "0.0.0.0")
    const ports = [await startPortal(), await startPortal(), await startPortal()]
    return (name) => `http://0.0.0.0:${ports[CHAINS.indexOf(name)] ?? ports[0]}/`
  }
  const environmentOf = async (at: string): Promise<Record<string, string>> => {
    const variables: Readonly<Record<string, () => Promise<Record<string, string>>>> = {
      proxy_dead: async () => proxied(`http://127.0.0.1:${await freePort()}`),
      proxy_login: async () => proxied(await startProxy(407)),
      proxy_mute: async () => proxied(await startMuteProxy()),
      proxy_name: async () => proxied("http://no-such-proxy.invalid:3128"),
      proxy_lost: async () => proxied(await startProxy(502)),
      ca_empty: async () => ({ NODE_EXTRA_CA_CERTS: join(dir, "names") }),
      proxy_denied: async () => proxied(await startProxy(403)),
      ca_missing: async () => ({ NODE_EXTRA_CA_CERTS: join(dir, "no-such-authority.pem") }),
      insecure: async () => ({ NODE_TLS_REJECT_UNAUTHORIZED: "0" }),
      inspect: async () => ({ NODE_OPTIONS: "--inspect=127.0.0.1:0" }),
      heap: async () => ({ NODE_OPTIONS: "--max-old-space-size=24" }),
    }
    return (await variables[at]?.()) ?? {}
  }

  test.each(PLANTED)(
    "$at: $name: `status` names it",
    async ({ at, says, todo }) => {
      const port = await freePort()
      const file = join(dir, `${at}.yaml`)
      const config = configOf({ at, urlOf: await urlsOf(at), port, dataDir: join(dir, at), dir })
      const write = (more: object): void =>
        writeFileSync(file, JSON.stringify({ ...config, ...more }), { mode: 0o600 })
      write(
        at === "collector" ? { telemetry: { otlp: `http://127.0.0.1:${await freePort()}` } } : {},
      )
      let daemon = startDaemonProcess({ file, port }, { ...ENV, ...(await environmentOf(at)) })
      const env = { ...ENV }
      let text = ""
      try {
        await new Promise((resolve) => setTimeout(resolve, SETTLED_MS))
        if (at === "moved_dir") write({ data_dir: join(dir, "elsewhere") })
        if (at === "other_key") {
          await daemon.stop()
          env["KEY_OF_one_chain"] = `0x${"77".repeat(32)}`
          daemon = startDaemonProcess({ file, port }, env)
          await new Promise((resolve) => setTimeout(resolve, SETTLED_MS))
        }
        const isNamed = async (): Promise<boolean> => {
          const status = await runBallast(["status", "--config", file], { env })
          text = flat(status.stdout + status.stderr)
          return says.test(text) && todo.test(text)
        }
        await until("it is named", isNamed, PROMISED_MS).catch(() => undefined)
        const folder = process.env["STRANGE_DUMP"]
        if (folder !== undefined)
          writeFileSync(join(folder, `unseen-${at}.txt`), `${text}\n\n${daemon.output()}`)
        expect(text).toMatch(says)
        expect(text).toMatch(todo)
      } finally {
        await daemon.stop()
      }
    },
    150_000,
  )
})

function proxied(url: string): Record<string, string> {
  return { HTTP_PROXY: url, HTTPS_PROXY: url }
}

type Plan = {
  readonly at: string
  readonly urlOf: (name: string) => string
  readonly port: number
  readonly dataDir: string
  readonly dir: string
}

function configOf({ at, urlOf, port, dataDir, dir }: Plan) {
  const chainOf = (name: string): object => ({
    family: "evm",
    chain_id: 84_532,
    rpc: [urlOf(name)],
    key: `env:KEY_OF_${name}`,
  })
  const tls = {
    cert: `file:${join(dir, "expired.pem")}`,
    key: `file:${join(dir, "expired.key")}`,
  }
  return {
    services: { main: { url: urlOf("main") } },
    data_dir: dataDir,
    ops: {
      listen: `127.0.0.1:${port}`,
      token: "env:BALLAST_OPS_TOKEN",
      ...(at === "ops_expired" ? { tls } : {}),
    },
    chains: Object.fromEntries(CHAINS.map((name) => [name, chainOf(name)])),
    assets: Object.fromEntries(CHAINS.map((name) => [`${name}:eth`, { decimals: 18 }])),
    signer: { run: "inside" },
    prices: { trust_service: true },
    health: { check_every: "1s", alarm_after: "5s" },
  }
}

function flat(text: string): string {
  return text.replace(/\s+/g, " ")
}
