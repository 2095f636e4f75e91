import { spawn } from "node:child_process"
import { once } from "node:events"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { bareEnvironment, LAUNCHER } from "./sandbox-process.ts"

export type TowerProcess = {
  readonly output: () => string
  readonly kill: () => Promise<void>
  readonly exited: Promise<number | null>
}

export const RESCUE_ENV = { BALLAST_RESCUE_PASSWORD: "a password of the tests" }

/**
 * Writes a watchtower's file. A reference of the form `env:NAME` gets its key from the environment.
 */
export function writeTowerConfig(
  dir: string,
  chains: Record<string, Record<string, unknown>>,
): string {
  const file = join(dir, "tower.yaml")
  writeFileSync(file, JSON.stringify({ chains, check_every: "1s" }))
  return file
}

/** Starts a real `ballast watch --rescue`. */
export function startTower(
  rescue: string,
  config: string,
  env: Record<string, string>,
): TowerProcess {
  const child = spawn(
    process.execPath,
    [LAUNCHER, "watch", "--rescue", rescue, "--config", config],
    {
      stdio: ["ignore", "pipe", "pipe"],
      env: bareEnvironment({ ...RESCUE_ENV, ...env }),
    },
  )
  const chunks: string[] = []
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => chunks.push(chunk.toString()))
  // CAST: the arguments of this event.
  const exited = once(child, "exit").then(([code]) => code as number | null)
  return {
    output: () => chunks.join(""),
    exited,
    kill: async () => {
      if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL")
      await exited
    },
  }
}
