import { execFile } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { z } from "zod"
import { keepInCache } from "./into-cache.ts"
import { bareEnvironment } from "./sandbox-process.ts"

const VERSION = "7.0.4"
const run = promisify(execFile)

/** A separate PM2, with its daemon and logs under `home`. */
export type Pm2 = {
  /** Runs `pm2 ARGS` and resolves with its output. Rejects if it fails. */
  readonly call: (...args: readonly string[]) => Promise<string>
  /** The state of the only application in PM2. */
  readonly app: () => Promise<Pm2App>
  readonly readLog: (name: "out" | "error") => string
  readonly end: () => Promise<void>
}

export type Pm2App = z.infer<typeof appShape>

/**
 * Uses PM2 from the private cache as an external tool. The applications get a bare environment and
 * `env`.
 */
export function createPm2(folder: string, home: string, env: Record<string, string>): Pm2 {
  const script = join(folder, "node_modules", "pm2", "bin", "pm2")
  const call = async (...args: readonly string[]): Promise<string> => {
    const full = { ...bareEnvironment(env), PM2_HOME: home, PM2_DISABLE_VERSION_CHECK: "true" }
    const { stdout } = await run(process.execPath, [script, ...args], {
      env: full,
      cwd: home,
      timeout: 60_000,
    })
    return stdout
  }
  return {
    call,
    app: async () => {
      const text = await call("jlist")
      // PM2 can print notices before the list, so read only the last line.
      const [app] = z.array(appShape).parse(JSON.parse(text.trim().split("\n").at(-1) ?? "[]"))
      if (!app) throw new Error("pm2 has no application")
      return app
    },
    readLog: (name) => {
      const file = join(home, "logs", `ballast-${name}.log`)
      return existsSync(file) ? readFileSync(file, "utf8") : ""
    },
    end: async () => void (await call("kill")),
  }
}

const appShape = z
  .object({
    pid: z.number(),
    pm2_env: z.object({
      status: z.string(),
      restart_time: z.number(),
      exit_code: z.number().optional(),
    }),
  })
  .transform(({ pid, pm2_env: { status, restart_time, exit_code } }) => ({
    pid,
    status,
    restarts: restart_time,
    exitCode: exit_code,
  }))

/**
 * Installs PM2 into the user's cache once, because it is no dependency of Ballast. Resolves with
 * the folder or the reason of the failure.
 */
export async function installPm2(): Promise<{ folder: string } | { reason: string }> {
  const cache = join(process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "ballast", "pm2")
  const folder = join(cache, VERSION)
  if (existsSync(folder)) return { folder }
  mkdirSync(cache, { recursive: true })
  const fresh = mkdtempSync(join(cache, "install-"))
  try {
    const quiet = ["--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"]
    await run("npm", ["install", "--prefix", fresh, `pm2@${VERSION}`, ...quiet], {
      cwd: fresh,
      timeout: 180_000,
    })
    keepInCache(fresh, folder)
    return { folder }
  } catch (error) {
    return {
      reason:
        `npm cannot install pm2@${VERSION}: ` +
        `${error instanceof Error ? error.message : String(error)}`,
    }
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
}
