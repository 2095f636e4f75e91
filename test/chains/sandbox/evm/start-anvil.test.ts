import { spawn } from "node:child_process"
import { createServer } from "node:net"
import { expect, test } from "vitest"
import { systemClock } from "#lib/clock.ts"
import { silentLogger } from "#lib/log.ts"
import { KEPT_STATES, startAnvil } from "../../../../src/lab/sandbox/evm/start-anvil.ts"

const ADDRESS = `0x${"11".repeat(20)}`

async function call(
  url: string,
  method: string,
  params: readonly unknown[],
): Promise<{ result?: unknown }> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })
  const answer = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  })
  const { jsonrpc: _version, id: _id, ...rest } = Object(await answer.json())
  return rest
}

const heightOf = async (url: string): Promise<number> =>
  Number((await call(url, "eth_blockNumber", [])).result)

async function untilHeight(url: string, height: number): Promise<void> {
  while ((await heightOf(url)) < height) await systemClock.sleep(20)
}

test("stops its process, and a second stop does nothing", async () => {
  const anvil = await startAnvil({
    chainId: 84532,
    port: 0,
    blockTimeSeconds: 1,
    log: silentLogger,
  })
  expect(isAlive(anvil.pid)).toBe(true)
  await anvil.stop()
  expect(isAlive(anvil.pid)).toBe(false)
  await anvil.stop()
})

test("keeps few states: each one has all accounts, and a chain of days has many", async () => {
  const anvil = await startAnvil({
    chainId: 84532,
    port: 0,
    blockTimeSeconds: 0.05,
    log: silentLogger,
  })
  try {
    await untilHeight(anvil.url, KEPT_STATES + 30)
    expect(await call(anvil.url, "eth_getBalance", [ADDRESS, "latest"])).toEqual({ result: "0x0" })
    expect(await call(anvil.url, "eth_getBalance", [ADDRESS, "0x1"])).toMatchObject({ error: {} })
  } finally {
    await anvil.stop()
  }
})

test("makes no block while its interval is off, and goes on with another one", async () => {
  const anvil = await startAnvil({
    chainId: 84532,
    port: 0,
    blockTimeSeconds: 0.05,
    log: silentLogger,
  })
  try {
    await untilHeight(anvil.url, 3)
    await call(anvil.url, "evm_setIntervalMining", [0])
    await systemClock.sleep(200)
    const height = await heightOf(anvil.url)
    await systemClock.sleep(500)
    expect(await heightOf(anvil.url)).toBe(height)
    await call(anvil.url, "evm_setIntervalMining", [1])
    await untilHeight(anvil.url, height + 2)
    expect(await heightOf(anvil.url)).toBeLessThan(height + 5)
  } finally {
    await anvil.stop()
  }
})

test("refuses a port on which another process listens", async () => {
  const server = createServer()
  const port = await new Promise<number>((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      resolve(typeof address === "object" && address !== null ? address.port : 0)
    })
  })
  const start = startAnvil({ chainId: 84532, port, blockTimeSeconds: 1, log: silentLogger })
  await expect(start).rejects.toMatchObject({ code: "sandbox.port_in_use" })
  server.close()
})

test("ends when its parent is killed", async () => {
  const source = new URL("../../../../src/lab/sandbox/evm/start-anvil.ts", import.meta.url)
  const script = `
    import { startAnvil } from ${JSON.stringify(source.href)}
    import { silentLogger as log } from "#lib/log.ts"
    const anvil = await startAnvil({ chainId: 84532, port: 0, blockTimeSeconds: 1, log })
    console.log(anvil.pid)
  `
  const cwd = new URL(".", import.meta.url)
  const parent = spawn(process.execPath, ["--input-type=module", "-e", script], {
    cwd,
    stdio: ["ignore", "pipe", 2],
  })
  const pid = await new Promise<number>((resolve) => {
    parent.stdout?.once("data", (chunk: Buffer) => resolve(Number(chunk.toString())))
  })
  expect(isAlive(pid)).toBe(true)
  parent.kill("SIGKILL")
  for (let attempt = 0; attempt < 100 && isAlive(pid); attempt++) await systemClock.sleep(20)
  expect(isAlive(pid)).toBe(false)
})

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false // no such process
  }
}
