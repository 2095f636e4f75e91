import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { extname, join } from "node:path"
import type { Writable } from "node:stream"
import type { Config } from "#config/config.ts"
import { EXIT } from "#daemon/exit-code.ts"
import type { KeySource } from "#daemon/key-source.ts"
import { AppError } from "#lib/app-error.ts"
import type { Clock } from "#lib/clock.ts"
import type { Logger } from "#lib/log.ts"
import { createSignerClient, holdRemotely, type SignerClient } from "#signer/signer-client.ts"
import { socketPath } from "./open-desk.ts"
import { SECRETS_FD } from "./read-inherited-secrets.ts"
import { takeKeyVariables } from "./take-key-variables.ts"

const MAIN = join(import.meta.dirname, "..", `main${extname(import.meta.filename)}`)
/** The signer loads the same libraries as the daemon, on a machine that may be busy. */
const START_MS = 120_000
const POLL_MS = 50
const RESTART_MS = 1_000

type HostOptions = {
  readonly config: Config
  /** The configuration file; the signer reads it by itself. */
  readonly file: string
  readonly env: NodeJS.ProcessEnv
  readonly clock: Clock
  readonly log: Logger
}

/**
 * Connects the daemon with its signer, which `begin` starts, unless another supervisor does.
 */
export function hostSigner(options: HostOptions): KeySource {
  const { config, clock } = options
  const client = createSignerClient(socketPath(config), clock)
  let child: SupervisedSigner | null = null
  return {
    begin: () => {
      if (config.signer.socket === null) child ??= superviseSigner(options)
    },
    holderOf: async (chain) => {
      const { chains } = await waitForSigner(client, child, clock)
      const found = chains.find((one) => one.chain === chain)
      if (found !== undefined) return holdRemotely(client, found.publicKey)
      throw new AppError({
        code: "signer.chain_unknown",
        disposition: "refused",
        message: `the signer has no key for ${chain}; give it the same chains as the daemon, and start it again`,
        details: { chain },
      })
    },
    checkAlive: async () => {
      child?.throwFailure()
      await client.ask({ kind: "identify" })
    },
    listUses: (before) => client.ask({ kind: "listUses", before }),
    importUses: (uses) => client.ask({ kind: "importUses", uses }),
    renew: async () => {
      if (child === null) return
      await child.restart()
      client.close()
    },
    stop: async () => {
      client.close()
      await child?.stop()
    },
  }
}

/** Asks until the signer answers, its process ends for good, or the time is over. */
async function waitForSigner(client: SignerClient, child: SupervisedSigner | null, clock: Clock) {
  const endMs = clock.now() + START_MS
  for (;;) {
    child?.throwFailure()
    try {
      return await client.ask({ kind: "identify" })
    } catch (error) {
      const retries = error instanceof AppError && error.code === "signer.unavailable" && clock.now() < endMs
      if (!retries) throw error
      await clock.sleep(POLL_MS)
    }
  }
}

type SupervisedSigner = {
  /** Throws the error with which the signer ended, if a start again cannot help. */
  readonly throwFailure: () => void
  readonly restart: () => Promise<void>
  readonly stop: () => Promise<void>
}

/**
 * Starts the signer, and again whenever it ends. Core files are off. The signer ends with this process, also by SIGKILL (follow-parent.ts).
 *
 * The values of `env:` references go through a pipe. They stay in this process's memory for a restart; `file:` and `keystore:` never get here.
 */
function superviseSigner(options: HostOptions): SupervisedSigner {
  const { config, clock, log } = options
  const secrets = takeKeyVariables(config, options.env)
  const stopping = new AbortController()
  let failure: AppError | null = null
  let current: ChildProcess | null = start()

  function start(): ChildProcess {
    const child = spawn(
      "/bin/sh",
      [
        "-c",
        'ulimit -c 0 2>/dev/null; exec "$@"',
        "ballast-signer",
        process.execPath,
        MAIN,
        "signer",
        "--config",
        options.file,
      ],
      { stdio: ["ignore", "inherit", "pipe", "pipe", "pipe"], env: signerEnvironment(options.env) },
    )
    // CAST: the fifth stream is a pipe, as the options above say.
    const pipe = child.stdio[4] as Writable
    // A child that ended at once has closed the pipe; its exit tells why.
    pipe.on("error", () => undefined)
    pipe.end(JSON.stringify(secrets))
    void watch(child)
    return child
  }

  async function watch(child: ChildProcess): Promise<void> {
    const said = collect(child)
    const [code] = await Promise.race([once(child, "exit"), once(child, "error").then(() => [EXIT.config])])
    if (stopping.signal.aborted || child !== current) return
    const ended = failureOf(Number(code), said())
    if (ended.disposition === "fatal") {
      failure = ended
      log.error({ code, reason: ended.message }, "The signer cannot run")
      return
    }
    log.warn({ code }, "The signer ended, and starts again")
    await clock.sleep(code === EXIT.tryLater ? POLL_MS : RESTART_MS, stopping.signal)
    if (!stopping.signal.aborted && child === current) current = start()
  }

  return {
    throwFailure: () => {
      if (failure !== null) throw failure
    },
    restart: async () => {
      const old = current
      failure = null
      current = null
      await end(old)
      current = start()
    },
    stop: async () => {
      stopping.abort()
      await end(current)
    },
  }
}

/** Only variables that hold no secret. The last ones name the settings of a token's library. */
const KEPT = [
  ...["PATH", "HOME", "TMPDIR", "LANG", "NODE_ENV", "NODE_COMPILE_CACHE", "CREDENTIALS_DIRECTORY"],
  ...["SOFTHSM2_CONF", "YUBIHSM_PKCS11_CONF"],
]

function signerEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = KEPT.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]))
  return { ...Object.fromEntries(kept), BALLAST_PARENT_FD: "3", [SECRETS_FD]: "4" }
}

const MAX_SAID = 16_000

/** Collects the last words of the signer; warnings of the runtime go on to our own standard error. */
function collect(child: ChildProcess): () => string {
  let said = ""
  child.stderr?.on("data", (chunk: Buffer) => {
    said = `${said}${chunk.toString()}`.slice(-MAX_SAID)
    if (!said.includes("ballast: ")) process.stderr.write(chunk)
  })
  return () => said
}

/** The error that the signer printed (`ballast: MESSAGE [CODE]`), with the disposition of its exit code. */
function failureOf(exitCode: number, said: string): AppError {
  const [, message, code] = /ballast: ([\s\S]*) \[([a-z_.0-9]+)\]/.exec(said) ?? []
  const disposition = exitCode === EXIT.config ? "fatal" : "transient"
  const shown = message ?? `the signer ended with exit code ${exitCode}`
  return new AppError({ code: code ?? "signer.ended", disposition, message: shown, details: { exitCode } })
}

async function end(child: ChildProcess | null): Promise<void> {
  if (child === null || child.exitCode !== null || child.signalCode !== null) return
  child.kill("SIGTERM")
  await once(child, "exit")
}
