import type { Config } from "#config/config.ts"
import { AppError } from "#lib/app-error.ts"
import type { Clock } from "#lib/clock.ts"
import { type CallOptions, callDaemon, type DaemonAnswer, firstCode } from "./call-daemon.ts"
import type { AskedSwap } from "./exact-out-options.ts"

/** One swap as the user asked for it. `isChosen`: the user gave the key, and may send it again. */
type KeyedSwap = {
  readonly body: AskedSwap
  readonly key: string
  readonly isChosen: boolean
}

export type SwapPorts = {
  readonly call: (
    method: "GET" | "POST",
    path: string,
    body: unknown,
    options: CallOptions,
  ) => Promise<DaemonAnswer>
  readonly clock: Clock
  /** Tells a person that this takes longer. */
  readonly note: (text: string) => void
  /** The command line that looks for the order, and the one that asks for the same swap. */
  readonly commands: { readonly show: string; readonly repeat: string }
}

type SwapAnswer =
  | { readonly kind: "accepted"; readonly id: string }
  | { readonly kind: "refused"; readonly body: unknown }

/** A supervisor starts the daemon again within this time. */
const ASK_MS = 30_000
const ASK_ANSWER_MS = 5_000
const PAUSE_MS = 500

/** The port to the daemon of this configuration. */
export function callOf(config: Pick<Config, "dataDir">): SwapPorts["call"] {
  return (...call) => callDaemon(config, ...call)
}

/**
 * Asks the daemon for a swap under a key. "No answer" never counts as "no order": it asks by the
 * key what happened.
 *
 * Throws `daemon.unreachable` (transient) when the request was never sent, `swap.not_accepted`
 * (transient) when the daemon proves that it opened no order, and `swap.uncertain` (uncertain) when
 * nothing proves either.
 */
export async function submitSwap(ports: SwapPorts, swap: KeyedSwap): Promise<SwapAnswer> {
  const answer = await send(ports, swap)
  if (answer !== null) return answer
  ports.note("The daemon has not answered; asking what happened to the swap")
  const endMs = ports.clock.now() + ASK_MS
  for (;;) {
    const known = await ask(ports, swap)
    if (known === "not accepted") throw notAccepted(swap)
    if (known !== null) return { kind: "accepted", id: known.id }
    if (ports.clock.now() >= endMs) throw uncertain(ports, swap)
    await ports.clock.sleep(PAUSE_MS)
  }
}

/** `null`: the answer was lost, or another request with this key is being judged. */
async function send({ call }: SwapPorts, { body, key }: KeyedSwap): Promise<SwapAnswer | null> {
  const answer = await unlessLost(call("POST", "/api/v1/swap", body, { key }))
  if (answer === null) return null
  const id = idOf(answer)
  if (answer.status === 202) return id === null ? null : { kind: "accepted", id }
  const code = firstCode(answer.body)
  // A refusal without a reason is not the daemon's: another program answered in its place.
  return code === null || code === IN_FLIGHT ? null : { kind: "refused", body: answer.body }
}

const IN_FLIGHT = "request.key_in_flight"

type Known = { readonly id: string } | "not accepted" | null

/**
 * The request may still be on its way when the daemon knows no order for its key. So a key that no
 * user can repeat is withdrawn: a request that comes later opens nothing. A chosen key stays: its
 * repetition and the late request are one.
 */
async function ask({ call }: SwapPorts, { key, isChosen }: KeyedSwap): Promise<Known> {
  const path = `/api/v1/swap/${encodeURIComponent(key)}`
  const options = { answerMs: ASK_ANSWER_MS }
  const found = await unlessSilent(call("GET", path, undefined, options))
  const known = readKnown(found)
  if (known !== null || firstCode(found?.body ?? {}) !== "request.key_unknown") return known
  if (isChosen) return "not accepted"
  const withdrawn = await unlessSilent(call("POST", `${path}/withdraw`, {}, options))
  if (withdrawn?.status === 200 && idOf(withdrawn) === null) return "not accepted"
  return readKnown(withdrawn)
}

function readKnown(answer: DaemonAnswer | null): Known {
  if (answer === null) return null
  const id = answer.status === 200 ? idOf(answer) : null
  if (id !== null) return { id }
  return firstCode(answer.body) === "request.key_withdrawn" ? "not accepted" : null
}

function idOf({ body }: DaemonAnswer): string | null {
  // CAST: the field is checked before its use.
  const { id } = body as { readonly id?: unknown }
  return typeof id === "string" ? id : null
}

async function unlessLost(call: Promise<DaemonAnswer>): Promise<DaemonAnswer | null> {
  return call.catch((error: unknown) => {
    if (error instanceof AppError && error.code === "daemon.answer_lost") return null
    throw error
  })
}

/** The daemon may be starting again, so every failure of a question but a foreign socket waits. */
async function unlessSilent(call: Promise<DaemonAnswer>): Promise<DaemonAnswer | null> {
  return call.catch((error: unknown) => {
    if (error instanceof AppError && error.disposition !== "fatal") return null
    throw error
  })
}

function notAccepted({ key, isChosen }: KeyedSwap): AppError {
  const again = isChosen ? "try again with the same key" : "try again"
  return new AppError({
    code: "swap.not_accepted",
    disposition: "transient",
    message:
      `The daemon did not get the request, and no order was opened under the key ${key}; ` +
      `${again}`,
    details: { idempotencyKey: key },
  })
}

function uncertain({ commands }: SwapPorts, { key }: KeyedSwap): AppError {
  const { show, repeat } = commands
  return new AppError({
    code: "swap.uncertain",
    disposition: "uncertain",
    message: [
      "The answer was lost, and the daemon does not say what happened: the order may be open.",
      `Look: ${show}`,
      `Repeat safely, with the same key: ${repeat}`,
    ].join("\n  "),
    details: { idempotencyKey: key, show, repeat },
  })
}
