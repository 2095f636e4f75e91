import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { extname, join } from "node:path"
import type { Writable } from "node:stream"
import type { Config } from "#config/config.ts"
import { EXIT } from "#daemon/start/exit-code.ts"
import type { KeySource } from "#daemon/start/key-source.ts"
import { AppError, toAppError } from "#lib/app-error.ts"
import type { Clock } from "#lib/clock.ts"
import { findEnvironmentFault } from "#lib/environment-fault.ts"
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
/** The longest pause between two starts while the machine has no space or no resources. */
const MOST_RESTART_MS = 10_000
/** A signer of ours without an answer for so long stands still, and another takes its place. */
const SILENCE_MS = 30_000
/** A process that stands still takes no SIGTERM. */
const END_MS = 10_000

type HostOptions = {
  readonly config: Config
  /** The configuration file; the signer reads it by itself. */
  readonly file: string
  readonly env: NodeJS.ProcessEnv
  readonly clock: Clock
  readonly log: Logger
  /** The start waits for the signer, because of this. */
  readonly onWait: (error: AppError) => void
}

/**
 * Connects the daemon with its signer, which `begin` starts, unless another supervisor does.
 */
export function hostSigner(options: HostOptions): KeySource {
  const { config, clock, log } = options
  const client = createSignerClient(socketPath(config), clock)
  let child: SupervisedSigner | null = null
  /** Of the last sign of life; `null` of a signer that starts, which may take its time. */
  let heardMs: number | null = null

  function endSilent(): void {
    if (child === null || heardMs === null || clock.now() - heardMs < SILENCE_MS) return
    heardMs = null
    log.warn("The signer stands still: it is ended, and starts again")
    client.close()
    child.restart().catch((error: unknown) => log.warn({ err: error }, "The signer did not start"))
  }

  return {
    begin: () => {
      if (config.signer.socket === null) child ??= superviseSigner(options)
    },
    holderOf: async (chain) => {
      const { chains } = await waitForSigner(client, child, options)
      const found = chains.find((one) => one.chain === chain)
      if (found !== undefined) return holdRemotely(client, found.publicKey)
      throw new AppError({
        code: "signer.chain_unknown",
        disposition: "refused",
        message:
          `the signer has no key for ${chain}; give it the same chains as the daemon, and ` +
          "start it again",
        details: { chain },
      })
    },
    checkAlive: async () => {
      child?.throwFailure()
      try {
        const { lost } = await client.ask({ kind: "identify" })
        child?.noteAnswer()
        heardMs = clock.now()
        if (lost !== undefined) throw lostRecord(lost)
      } catch (error) {
        endSilent()
        throw child?.findFault() ?? error
      }
    },
    listUses: (before) => client.ask({ kind: "listUses", before }),
    importUses: (uses) => client.ask({ kind: "importUses", uses }),
    askHeadroom: (redemption) => client.ask({ kind: "headroom", ...redemption }),
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

/**
 * Asks until the signer answers, its process ends for good or by trouble of the machine, or the
 * time is over. The caller asks again after trouble of the machine.
 */
async function waitForSigner(
  client: SignerClient,
  child: SupervisedSigner | null,
  { clock, onWait }: Pick<HostOptions, "clock" | "onWait">,
) {
  const endMs = clock.now() + START_MS
  for (;;) {
    child?.throwFailure()
    try {
      const answer = await client.ask({ kind: "identify" })
      child?.noteAnswer()
      return answer
    } catch (error) {
      const fault = child?.findFault() ?? null
      if (fault !== null) throw fault
      const isSilent = error instanceof AppError && error.code === "signer.unavailable"
      if (!isSilent || clock.now() >= endMs) throw error
      onWait(error)
      await clock.sleep(POLL_MS)
    }
  }
}

type SupervisedSigner = {
  /** Throws the error with which the signer ended, if a start again cannot help. */
  readonly throwFailure: () => void
  /**
   * The trouble of the machine (`system.*`) that ended the last run; the signer is started again.
   */
  readonly findFault: () => AppError | null
  /** The signer runs again. */
  readonly noteAnswer: () => void
  readonly restart: () => Promise<void>
  readonly stop: () => Promise<void>
}

/**
 * Starts the signer, and again whenever it ends. Core files are off. The signer ends with this
 * process, also by SIGKILL (follow-parent.ts).
 *
 * The values of `env:` references go through a pipe. They stay in this process's memory for a
 * restart; `file:` and `keystore:` never get here.
 */
function superviseSigner(options: HostOptions): SupervisedSigner {
  const { config, clock, log } = options
  const secrets = takeKeyVariables(config, options.env)
  const stopping = new AbortController()
  let failure: AppError | null = null
  let fault: AppError | null = null
  let faults = 0
  let hasRun = false
  let current: ChildProcess | null = start()

  function start(): ChildProcess {
    const child = spawnSigner(options, secrets)
    void watch(child)
    return child
  }

  async function watch(child: ChildProcess): Promise<void> {
    const { code, ended } = await endOf(child, collect(child))
    if (stopping.signal.aborted || child !== current) return
    if (ended.disposition === "fatal" && !hasRun) {
      failure = ended
      log.error({ code, reason: ended.message }, "The signer cannot run")
      return
    }
    fault = passingFault(ended)
    faults = fault === null ? 0 : faults + 1
    const waitMs = fault === null ? pauseAfter(code) : pauseAfterFault(faults)
    log.warn({ code, reason: ended.message, waitMs }, "The signer ended, and starts again")
    await startAgain(child, waitMs)
  }

  /** The system may have no resources for a process, and throw. */
  async function startAgain(old: ChildProcess, pauseMs: number): Promise<void> {
    for (let waitMs = pauseMs; ; waitMs = pauseAfterFault(++faults)) {
      await clock.sleep(waitMs, stopping.signal)
      if (stopping.signal.aborted || old !== current) return
      try {
        current = start()
        return
      } catch (error) {
        fault = findEnvironmentFault(error, PROCESS) ?? toAppError(error, UNSTARTED)
        log.warn({ reason: fault.message }, "The signer cannot be started, and is tried again")
      }
    }
  }

  return {
    throwFailure: () => {
      if (failure !== null) throw failure
    },
    findFault: () => fault,
    noteAnswer: () => {
      hasRun = true
      fault = null
      faults = 0
    },
    restart: async () => {
      const old = current
      failure = null
      fault = null
      current = null
      await end(old, clock)
      current = start()
    },
    stop: async () => {
      stopping.abort()
      await end(current, clock)
    },
  }
}

/** A configuration that has run once is being edited, so a later start may succeed. */
function passingFault(ended: AppError): AppError | null {
  if (ended.code.startsWith("system.")) return ended
  const { disposition, message } = ended
  return disposition === "fatal" ? new AppError({ ...UNSTARTED, message }) : null
}

const PROCESS = "the signer's process"
const UNSTARTED = { code: "signer.ended", disposition: "transient" } as const

type SignerEnd = { readonly code: number | null; readonly ended: AppError }

/** Waits for the end of the process, or for the refusal of the system to start it. */
async function endOf(child: ChildProcess, said: () => string): Promise<SignerEnd> {
  const refused = once(child, "error").then(([error]): SignerEnd => {
    const fault = findEnvironmentFault(error, PROCESS)
    if (fault !== null) return { code: null, ended: fault }
    return { code: EXIT.config, ended: failureOf(EXIT.config, said()) }
  })
  // The last words come through a pipe, which closes after the process has ended.
  const exited = once(child, "close").then(([code]): SignerEnd => {
    const exitCode = code === null ? null : Number(code)
    return { code: exitCode, ended: failureOf(exitCode, said()) }
  })
  return Promise.race([refused, exited])
}

/** Another signer of this data directory ends in a moment. */
function pauseAfter(code: number | null): number {
  return code === EXIT.tryLater ? POLL_MS : RESTART_MS
}

function pauseAfterFault(faults: number): number {
  return Math.min(MOST_RESTART_MS, RESTART_MS * 2 ** (faults - 1))
}

function spawnSigner({ file, env }: HostOptions, secrets: Record<string, string>): ChildProcess {
  const child = spawn(
    "/bin/sh",
    [
      "-c",
      'ulimit -c 0 2>/dev/null; exec "$@"',
      "ballast-signer",
      process.execPath,
      SMALL_HEAP,
      MAIN,
      "signer",
      "--config",
      file,
    ],
    { stdio: ["ignore", "inherit", "pipe", "pipe", "pipe"], env: signerEnvironment(env) },
  )
  // CAST: the fifth stream is a pipe, as the options above say.
  // Without a free descriptor there is no child, and no pipe.
  const pipe = child.stdio?.[4] as Writable | undefined
  // A child that ended at once has closed the pipe; its exit tells why.
  pipe?.on("error", () => undefined)
  pipe?.end(JSON.stringify(secrets))
  return child
}

/** Only variables that hold no secret. The last ones name the settings of a token's library. */
const KEPT = [
  "PATH",
  "HOME",
  "TMPDIR",
  "LANG",
  "NODE_ENV",
  "NODE_COMPILE_CACHE",
  "CREDENTIALS_DIRECTORY",
  "SOFTHSM2_CONF",
  "YUBIHSM_PKCS11_CONF",
]

function signerEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = KEPT.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]))
  return { ...Object.fromEntries(kept), BALLAST_PARENT_FD: "3", [SECRETS_FD]: "4" }
}

/** It makes a signature now and then, so a small space for new objects costs it nothing. */
const SMALL_HEAP = "--max-semi-space-size=1"
const MAX_SAID = 16_000

/**
 * Collects the last words of the signer; warnings of the runtime go on to our own standard error.
 */
function collect(child: ChildProcess): () => string {
  let said = ""
  child.stderr?.on("data", (chunk: Buffer) => {
    said = `${said}${chunk.toString()}`.slice(-MAX_SAID)
    if (!said.includes("ballast: ")) process.stderr.write(chunk)
  })
  return () => said
}

/**
 * The error that the signer printed (`ballast: MESSAGE [CODE]`), with the disposition of its exit
 * code.
 */
function failureOf(exitCode: number | null, said: string): AppError {
  const [, message, code] = /ballast: ([\s\S]*) \[([a-z_.0-9]+)\]/.exec(said) ?? []
  const disposition = exitCode === EXIT.config ? "fatal" : "transient"
  const how = exitCode === null ? "by a signal" : `with exit code ${exitCode}`
  const shown = message ?? `the signer ended ${how}`
  return new AppError({
    code: code ?? "signer.ended",
    disposition,
    message: shown,
    details: { exitCode },
  })
}

async function end(child: ChildProcess | null, clock: Clock): Promise<void> {
  if (child === null || child.exitCode !== null || child.signalCode !== null) return
  // The system had no resources for it.
  if (child.pid === undefined) return
  child.kill("SIGTERM")
  const ended = new AbortController()
  clock.sleep(END_MS, ended.signal).then(() => ended.signal.aborted || child.kill("SIGKILL"))
  await once(child, "exit")
  ended.abort()
}

/** Its next start would begin without its claims. */
function lostRecord(lost: "deleted" | "replaced"): AppError {
  return new AppError({
    code: "signer.record",
    disposition: "transient",
    message: `the signer's record (signatures.db) was ${lost} under the running signer`,
  })
}
