import { spawn } from "node:child_process"
import { createServer } from "node:net"
import { expect, test } from "vitest"
import { systemClock } from "#lib/clock.ts"
import { silentLogger } from "#lib/log.ts"
import { startAnvil } from "./start-anvil.ts"

test("stops its process, and a second stop does nothing", async () => {
  const anvil = await startAnvil({ chainId: 84532, port: 0, blockTimeSeconds: 1, log: silentLogger })
  expect(isAlive(anvil.pid)).toBe(true)
  await anvil.stop()
  expect(isAlive(anvil.pid)).toBe(false)
  await anvil.stop()
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
  const script = `
    import { startAnvil } from ${JSON.stringify(new URL("./start-anvil.ts", import.meta.url).href)}
    import { silentLogger } from "#lib/log.ts"
    const anvil = await startAnvil({ chainId: 84532, port: 0, blockTimeSeconds: 1, log: silentLogger })
    console.log(anvil.pid)
  `
  const cwd = new URL(".", import.meta.url)
  const parent = spawn(process.execPath, ["--input-type=module", "-e", script], { cwd, stdio: ["ignore", "pipe", 2] })
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
