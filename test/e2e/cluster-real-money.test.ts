import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import pg from "pg"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { freePort } from "../support/free-port.ts"
import { type DaemonProcess, startDaemonProcess, until } from "../support/sandbox-process.ts"
import { hasPostgres, type PostgresPair, startPostgres } from "../support/start-postgres.ts"

describe.skipIf(!hasPostgres())("a daemon with a main network and journal in PostgreSQL", () => {
  const folder = mkdtempSync(join(tmpdir(), "real-money-"))
  let pair: PostgresPair
  let daemon: DaemonProcess | undefined
  beforeAll(async () => {
    pair = await startPostgres()
  }, 60_000)
  afterAll(async () => {
    daemon?.child.kill("SIGKILL")
    await daemon?.exited
    pair?.stop()
    rmSync(folder, { recursive: true })
  })

  test("takes no lease until PostgreSQL has a synchronous standby", {
    timeout: 60_000,
  }, async () => {
    const port = await freePort()
    const file = join(folder, "treasury.json")
    const config = {
      service: { url: "https://127.0.0.1:9" },
      treasury: "real",
      journal: "env:JOURNAL_URL",
      ops: { listen: `127.0.0.1:${port}`, token: "env:BALLAST_OPS_TOKEN" },
      chains: { base: { rpc: ["https://127.0.0.1:9"], key: "env:EVM_KEY" } },
      assets: { "base:eth": { decimals: 18 } },
      guards: { max_order: "0.1", windows: [{ per: "24h", max: "1" }] },
    }
    writeFileSync(file, JSON.stringify(config), { mode: 0o600 })
    pair.demand("")
    daemon = startDaemonProcess(
      { file, port },
      { EVM_KEY: `0x${"01".repeat(32)}`, JOURNAL_URL: pair.url },
    )
    await daemon.serves()
    expect(await daemon.call("GET", "/readyz")).toMatchObject({
      status: 503,
      body: { status: "standby" },
    })
    const reasonOf = async (): Promise<string> =>
      JSON.stringify((await daemon?.call("GET", "/api/v1/overview"))?.body)
    await until("a standby tells why it does not lead", async () =>
      (await reasonOf()).includes("no synchronous standby"),
    )
    expect(await holders()).toEqual([])
    pair.demand("*")
    await until("the daemon leads", async () => (await holders()).length === 1)
  })

  const ask = async (sql: string): Promise<readonly unknown[]> => {
    const client = new pg.Client(pair.url)
    await client.connect()
    try {
      return (await client.query(sql)).rows
    } finally {
      await client.end()
    }
  }
  const holders = (): Promise<readonly unknown[]> =>
    ask("select holder from ballast.lease where treasury = 'real'")
})
