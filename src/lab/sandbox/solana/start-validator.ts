import { type ChildProcess, fork } from "node:child_process"
import { createRequire } from "node:module"
import { Keypair } from "@solana/web3.js"
import { AppError } from "#lib/app-error.ts"
import { systemClock } from "#lib/clock.ts"
import { endWithParent } from "../end-with-parent.ts"
import type { ValidatorAnswer, ValidatorCommand, ValidatorOptions } from "./run-validator.ts"
import { startForwarder } from "./start-forwarder.ts"

/**
 * Starts a local Solana validator with these programs in a process of its own. `port` 0 means any
 * free port. A start that stays silent is repeated with a new process. `onEnd` is called when the
 * process ends without `stop`.
 *
 * Throws `sandbox.solana_unavailable` and `sandbox.solana_failed` (fatal).
 */
export async function startValidator(options: {
  readonly port: number
  readonly slotTimeMs: number
  readonly programs?: readonly { readonly programId: string; readonly soPath: string }[]
  readonly onEnd?: (output: string) => void
  /** A process without an answer for longer has stopped for ever. */
  readonly silentMs?: number
}): Promise<Validator> {
  requirePackage()
  for (let attempt = 1; ; attempt++) {
    try {
      return await startOnce(options)
    } catch (error) {
      const isSilent = error instanceof AppError && error.details["silent"] === true
      if (!isSilent || attempt === START_TRIES) throw error
    }
  }
}

export type Validator = {
  readonly url: string
  /** Holds 100 000 SOL from the start. */
  readonly payer: Keypair
  readonly pid: number
  /**
   * Advances the slot number and the clock together. Block height and blockhashes continue without
   * a jump.
   */
  skipToSlot(slot: number): Promise<void>
  stop(): Promise<void>
}

const SOLANA_PACKAGE = "@solana/surfpool-linux-x64-gnu"
const START_TRIES = 3
/** A busy machine may need some seconds. */
const SILENT_MS = 30_000

async function startOnce({
  port,
  slotTimeMs,
  programs = [],
  onEnd,
  silentMs = SILENT_MS,
}: Parameters<typeof startValidator>[0]): Promise<Validator> {
  const child = startChild(slotTimeMs, silentMs)
  try {
    const answer = await child.next()
    if (!("ready" in answer)) throw failed("did not start")
    for (const deploy of programs) await child.command({ deploy })
    const forwarder = await startForwarder(port, answer.ready)
    if (onEnd !== undefined) child.onEnd(onEnd)
    return {
      url: forwarder.url,
      pid: child.pid,
      payer: Keypair.fromSecretKey(Uint8Array.from(answer.ready.payer)),
      skipToSlot: (slot) => child.command({ skipTo: slot }),
      stop: async () => {
        await forwarder.stop()
        await child.stop()
      },
    }
  } catch (error) {
    await child.stop()
    throw error
  }
}

type Child = {
  readonly pid: number
  /** The next answer. Rejects when the process ends, reports a failure, or stays silent. */
  readonly next: () => Promise<ValidatorAnswer>
  /** Commands wait for each other. */
  readonly command: (command: ValidatorCommand) => Promise<void>
  readonly onEnd: (listener: (output: string) => void) => void
  readonly stop: () => Promise<void>
}

function startChild(slotTimeMs: number, silentMs: number): Child {
  const options: ValidatorOptions = { package: SOLANA_PACKAGE, slotTimeMs }
  const child = fork(runnerFile(), [JSON.stringify(options)], {
    execArgv: [],
    stdio: ["ignore", "ignore", "pipe", "ipc"],
    // Its own process group: Ctrl-C in the terminal then reaches only the sandbox, which stops its
    // chains in order.
    detached: true,
  })
  const guard = child.pid === undefined ? null : endWithParent(child.pid)
  const gone = Promise.withResolvers<void>()
  let output = ""
  child.stderr?.on("data", (chunk: Buffer) => {
    output = `${output}${chunk}`.slice(-2_000)
  })
  child.once("exit", () => gone.resolve())
  child.once("error", (error) => {
    output += error.message
    gone.resolve()
  })
  const next = (): Promise<ValidatorAnswer> =>
    readAnswer(child, { gone: gone.promise, silentMs, output: () => output })
  let queue: Promise<unknown> = Promise.resolve()
  let isStopped = false
  return {
    pid: child.pid ?? 0,
    next,
    command: (command) => {
      const done = queue.then(() => {
        const answered = next()
        child.send(command)
        return answered
      })
      queue = done.catch(() => undefined)
      return done.then(() => undefined)
    },
    onEnd: (listener) => void gone.promise.then(() => (isStopped ? undefined : listener(output))),
    stop: async () => {
      isStopped = true
      guard?.kill("SIGKILL")
      // It keeps its state in memory alone, so there is nothing to save.
      child.kill("SIGKILL")
      await gone.promise
    },
  }
}

async function readAnswer(
  child: ChildProcess,
  { gone, silentMs, output }: { gone: Promise<void>; silentMs: number; output: () => string },
): Promise<ValidatorAnswer> {
  const heard = Promise.withResolvers<ValidatorAnswer>()
  const waiting = new AbortController()
  // CAST: the process sends nothing else.
  const hear = (message: unknown): void => heard.resolve(message as ValidatorAnswer)
  child.once("message", hear)
  try {
    const answer = await Promise.race([
      heard.promise,
      gone.then(() => Promise.reject(failed(`ended: ${output()}`))),
      systemClock
        .sleep(silentMs, waiting.signal)
        .then(() => Promise.reject(failed("does not answer", true))),
    ])
    if ("failed" in answer) throw failed(`refused: ${answer.failed}`)
    return answer
  } finally {
    child.off("message", hear)
    waiting.abort()
  }
}

/**
 * The file has the ending of this one: TypeScript in a checkout, JavaScript in an installed
 * package.
 */
function runnerFile(): URL {
  return new URL(
    `./run-validator.${import.meta.url.endsWith(".ts") ? "ts" : "js"}`,
    import.meta.url,
  )
}

function requirePackage(): void {
  try {
    createRequire(import.meta.url).resolve(SOLANA_PACKAGE)
  } catch (cause) {
    throw new AppError({
      code: "sandbox.solana_unavailable",
      disposition: "fatal",
      message:
        `the local Solana needs the optional package ${SOLANA_PACKAGE}, which exists for Linux ` +
        "on x86-64; leave Solana out of the sandbox or run it there",
      cause,
    })
  }
}

function failed(what: string, silent = false): AppError {
  const message = `the local Solana validator ${what}; start the sandbox again`
  return new AppError({
    code: "sandbox.solana_failed",
    disposition: "fatal",
    message,
    details: { silent },
  })
}
