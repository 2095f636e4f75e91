import { spawn } from "node:child_process"
import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { setTimeout as sleep } from "node:timers/promises"
import { afterEach, beforeEach, expect, test } from "vitest"
import { z } from "zod"
import { silentLogger } from "#lib/log.ts"
import { findBitcoind } from "../../../../src/lab/sandbox/bitcoin/find-bitcoind.ts"
import { startBitcoind } from "../../../../src/lab/sandbox/bitcoin/start-bitcoind.ts"

const SOURCES = join(import.meta.dirname, "../../../../src/lab/sandbox/bitcoin")

let dir: string

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "start-bitcoind-"))
})

afterEach(() => rmSync(dir, { recursive: true, force: true }))

async function findOrFail() {
  const found = await findBitcoind({ log: silentLogger })
  if (!found.ok) throw new Error(found.reason)
  return found
}

function isAlive(pid: number): boolean {
  return existsSync(`/proc/${pid}`)
}

/**
 * Starts a node on `dir` in another process. That process prints the node's pid and keeps running.
 */
async function startInAnotherProcess(): Promise<{ parent: number; node: number }> {
  const program = `
    import { findBitcoind } from "${SOURCES}/find-bitcoind.ts"
    import { startBitcoind } from "${SOURCES}/start-bitcoind.ts"
    import { silentLogger } from "#lib/log.ts"
    const found = await findBitcoind({ log: silentLogger })
    const node = await startBitcoind({ found, dir: ${JSON.stringify(dir)}, log: silentLogger })
    console.log(node.pid)
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ["--input-type=module-typescript", "-e", program], {
    stdio: ["ignore", "pipe", "inherit"],
    cwd: join(import.meta.dirname, "../../../.."),
  })
  for await (const line of createInterface({ input: child.stdout }))
    return { parent: child.pid ?? 0, node: Number(line) }
  throw new Error("the process ended before it printed a pid")
}

test("starts, answers, and ends with stop", async () => {
  const node = await startBitcoind({ found: await findOrFail(), dir, log: silentLogger })
  expect(await node.rpc.call("getblockchaininfo", [], z.object({ chain: z.string() }))).toEqual({
    chain: "regtest",
  })
  expect(isAlive(node.pid)).toBe(true)
  await node.stop()
  expect(isAlive(node.pid)).toBe(false)
})

test("stop also works if the node no longer answers", async () => {
  const node = await startBitcoind({ found: await findOrFail(), dir, log: silentLogger })
  process.kill(node.pid, "SIGKILL")
  await node.stop()
  expect(isAlive(node.pid)).toBe(false)
})

test("ends when its parent is killed, and a new node can start on the same data at once", async () => {
  const { parent, node } = await startInAnotherProcess()
  expect(isAlive(node)).toBe(true)
  process.kill(parent, "SIGKILL")
  const again = await startBitcoind({ found: await findOrFail(), dir, log: silentLogger })
  await again.stop()
  for (let tries = 0; isAlive(node) && tries < 100; tries++) await sleep(50)
  expect(isAlive(node)).toBe(false)
}, 30_000)

test("reports the failure of a bitcoind that cannot start", async () => {
  const found = { ...(await findOrFail()), kind: "core" as const, command: "false" }
  await expect(startBitcoind({ found, dir, log: silentLogger })).rejects.toMatchObject({
    code: "sandbox.bitcoind_start",
    message: "bitcoind did not start: it ended with code 1",
  })
})
