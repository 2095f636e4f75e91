import { execFile, spawn } from "node:child_process"
import { homedir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import type { Logger } from "#lib/log.ts"

/**
 * Finds a working bitcoind: first on PATH, then in the private cache (`$XDG_CACHE_HOME` or
 * `~/.cache`, folder `ballast/`). If there is none, it fetches Debian's bitcoind into that cache
 * without root rights (about ten seconds, 38 MB).
 *
 * Never throws: without a bitcoind the sandbox runs without Bitcoin, and `reason` says how to
 * install one.
 */
export async function findBitcoind(options: {
  log: Logger
  env?: Readonly<Record<string, string | undefined>>
}): Promise<BitcoindFound | { readonly ok: false; readonly reason: string }> {
  const env = options.env ?? process.env
  const cached = join(
    env["XDG_CACHE_HOME"] || join(env["HOME"] || homedir(), ".cache"),
    "ballast",
    "bitcoin-knots",
  )
  const found = (await probe("bitcoind", env)) ?? (await probe(join(cached, "bitcoind"), env))
  if (found) return found

  options.log.info({ into: cached }, "found no bitcoind; fetching one from Debian, only this time")
  const failure = await runFetch(cached, env, options.log)
  const fetched = failure === null ? await probe(join(cached, "bitcoind"), env) : null
  if (fetched) return fetched
  return {
    ok: false,
    reason:
      "no bitcoind on PATH, and fetching one failed: " +
      `${failure ?? "the fetched bitcoind does not run"}. ` +
      `Install Bitcoin Core or Knots ${OLDEST_MAJOR} or newer so that \`bitcoind -version\` ` +
      "works, and start again.",
  }
}

export type BitcoindFound = {
  readonly ok: true
  /** A name on PATH or an absolute path. */
  readonly command: string
  readonly kind: "core" | "knots"
  readonly version: string
}

/**
 * The first version with `input_weights` in fundrawtransaction and the cookie permissions that the
 * sandbox needs.
 */
const OLDEST_MAJOR = 25

type Env = Readonly<Record<string, string | undefined>>

function probe(command: string, env: Env): Promise<BitcoindFound | null> {
  return new Promise((resolve) => {
    execFile(command, ["-version"], { env, timeout: 10_000 }, (error, stdout) => {
      const match = error ? null : /^Bitcoin (Core|Knots)\b.* version v?((\d+)\.\S+)/.exec(stdout)
      if (!match || Number(match[3]) < OLDEST_MAJOR) return resolve(null)
      resolve({
        ok: true,
        command,
        kind: match[1] === "Knots" ? "knots" : "core",
        version: match[2] ?? "",
      })
    })
  })
}

/** Runs the fetch script: `null` on success, otherwise its last line of output. */
function runFetch(prefix: string, env: Env, log: Logger): Promise<string | null> {
  return new Promise((resolve) => {
    const script = join(import.meta.dirname, "fetch-bitcoind.sh")
    const child = spawn("bash", [script, prefix], { env, stdio: ["ignore", "ignore", "pipe"] })
    let lastLine = "it printed nothing"
    createInterface({ input: child.stderr }).on("line", (line) => {
      lastLine = line
      log.info({ line }, "fetching bitcoind")
    })
    child.once("error", (error) => resolve(error.message))
    child.once("close", (code) => resolve(code === 0 ? null : lastLine))
  })
}
