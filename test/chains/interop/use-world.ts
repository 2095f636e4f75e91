import { afterAll, beforeAll, expect } from "vitest"
import { type SandboxProcess, startSandboxProcess } from "../../support/sandbox-process.ts"
import { allowLoopbackOnly } from "./loopback-only.ts"
import { openClient, type World } from "./open-client.ts"

/**
 * Starts a sandbox and opens the published client for the tests of a file. They fail if the client
 * connects to another host.
 */
export function useWorld(args: readonly string[]): () => World {
  const guard = allowLoopbackOnly()
  let started: { sandbox: SandboxProcess; world: World } | null = null
  beforeAll(async () => {
    const sandbox = await startSandboxProcess(["--dialect", "2026", ...args])
    started = { sandbox, world: { sandbox, client: openClient(sandbox) } }
    expect(sandbox.missing).toEqual([])
  })
  afterAll(async () => {
    await started?.sandbox.stop()
    guard.lift()
    expect(guard.refused()).toEqual([])
  })
  return () => {
    if (started) return started.world
    throw new Error("the sandbox has not started")
  }
}
