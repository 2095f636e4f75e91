import type { Clock } from "#lib/clock.ts"
import { encodeJson } from "#lib/json.ts"
import { hashOf } from "../../support/fake-chain.ts"
import { never } from "../../support/faults.ts"
import { wrapCalls } from "../../support/wrap-port.ts"
import type { EventLog } from "./event-log.ts"
import type { FaultKind } from "./fault-kinds.ts"
import type { FaultProfile } from "./fault-profile.ts"
import { foreignError, type NoAnswer, unexpectedError } from "./foreign-errors.ts"
import type { Lie } from "./lying-endpoint.ts"
import type { Random } from "./random.ts"
import { unexpectedAnswerFactor } from "./steering.ts"

export type FaultyPortDeps = {
  readonly clock: Clock
  readonly log: EventLog
  readonly random: Random
  readonly profile: FaultProfile
  /** False once the quiet time has begun: then no fault is drawn. */
  readonly isHostile: () => boolean
  /** A targeted order uses this port now. */
  readonly isTargeted: (port: string) => boolean
  /** The active fault that makes the whole port unreadable. */
  readonly outage: (port: string) => FaultKind | null
  readonly countFault: (kind: FaultKind) => void
  readonly countLie: (lie: Lie) => void
  readonly onCall: (port: string, method: string, args: readonly unknown[]) => void
}

export type Life = { readonly isAlive: () => boolean; readonly die: (how: FaultKind) => void }

/**
 * Pure methods, and methods of the key, which is in the daemon's own process: the network does not
 * affect them.
 */
const PURE = new Set([
  "isAddress",
  "sameAddress",
  "decodeDeposit",
  "checkDestination",
  "revealWait",
  "capRedeemFee",
  "fetchLeastBalance",
  "open",
])
const LOCAL = new Set(["signTransaction", "signTypedData"])
const WRITES = new Set(["broadcastTransaction", "submitOrder", "submitSignature"])
/** Longer than a client waits for an answer: the call had its effect and the answer is lost. */
const TIMEOUT_MS = 10_000

/**
 * A port behind a bad network: each call can be lost, repeated, late or refused, and the process
 * can die during it.
 */
export function createFaultyPort<Port extends object>(
  name: string,
  port: Port,
  life: Life,
  deps: FaultyPortDeps,
): Port {
  const overtaking = createOvertaking(deps.clock)
  return wrapCalls(port, (method, plain) => {
    if (PURE.has(method)) return plain
    return async (...args) => {
      if (!life.isAlive()) return never()
      deps.onCall(name, method, args)
      try {
        const act = async (): Promise<unknown> => plain(...args)
        const answer = await call({ name, method, args, act, overtaking }, life, deps)
        return life.isAlive() ? answer : await never()
      } catch (error) {
        if (!life.isAlive()) return never()
        throw error
      }
    }
  })
}

type Call = {
  readonly name: string
  readonly method: string
  readonly args: readonly unknown[]
  readonly act: () => Promise<unknown>
  readonly overtaking: Overtaking
}

async function call(request: Call, life: Life, deps: FaultyPortDeps): Promise<unknown> {
  const { name, method, args, act, overtaking } = request
  const draws: Draws = (kind, factor = 1) => {
    const { profile, random } = deps
    if (!deps.isHostile() || !profile.enabled.has(kind) || !random.chance(profile.rate * factor))
      return false
    deps.countFault(kind)
    deps.log.add(name, `${method}: ${kind}`)
    return true
  }
  const isWrite = WRITES.has(method)
  const kill = (): Promise<never> => {
    life.die("killed at an await")
    return never()
  }
  if (draws("killed at an await", 0.3)) return kill()
  if (LOCAL.has(method)) {
    const refusal = deps.isHostile() ? keyRefusal(deps.profile, args[0]) : null
    if (refusal !== null) throw unexpectedError(name, refusal)
    return act()
  }
  failRequest(request, draws, deps)
  if (draws("delayed")) await deps.clock.sleep(deps.random.below(TIMEOUT_MS))
  if (isWrite && draws("duplicated", 2)) await act().catch(() => undefined)

  const result = await act()
  if (draws("killed at an await", 0.3)) return kill()
  const failure = sampleAnswerFailure(draws, isWrite)
  if (failure !== null) {
    if (failure !== "malformed") await deps.clock.sleep(TIMEOUT_MS)
    throw foreignError(name, failure, isWrite)
  }
  if (draws("delayed")) await deps.clock.sleep(deps.random.below(TIMEOUT_MS))
  if (!isWrite && draws("reordered")) await overtaking.wait()
  else overtaking.pass()
  return result
}

/** Draws one fault at the profile's rate times `factor`, and counts it. */
type Draws = (kind: FaultKind, factor?: number) => boolean

/**
 * Throws if the request does not reach the endpoint, or the endpoint refuses it. Synchronous,
 * because an extra `await` would reorder the run.
 */
function failRequest({ name, method }: Call, draws: Draws, deps: FaultyPortDeps): void {
  const fail = (how: NoAnswer): never => {
    throw foreignError(name, how, WRITES.has(method))
  }
  const factor = deps.isTargeted(name) ? unexpectedAnswerFactor(deps.profile, method) : 0.5
  if (draws("unexpected answer", factor))
    throw unexpectedError(name, deps.random.chance(0.5) ? "hold" : "refused")

  if (deps.outage(name) !== null) fail("lost")
  // A stuck transaction calls planBump only once, so that request is lost more often.
  if (draws("request lost", method === "planBump" ? 10 : 1)) fail("lost")
  if (name === "service" && draws("service 5xx")) fail("http")
  if (name === "service" && draws("service 4xx", 0.5)) fail("refused")
  if (draws("html answer")) fail("html")
  if (method === "broadcastTransaction" && draws("node refuses", 2)) fail("refused")
}

/** How the answer to an executed call is lost; `null` if it arrives. */
function sampleAnswerFailure(draws: Draws, isWrite: boolean): "lost" | "malformed" | "slow" | null {
  if (draws("answer lost", isWrite ? 3 : 1)) return "lost"
  if (draws("malformed body", isWrite ? 3 : 0.5)) return "malformed"
  return draws("slow body", isWrite ? 2 : 1) ? "slow" : null
}

/**
 * A key that refuses a request refuses it every time, so the answer depends on a hash of the
 * request.
 */
function keyRefusal({ target }: FaultProfile, wanted: unknown): "refused" | "hold" | null {
  const draw = target === null ? 255 : Number.parseInt(hashOf(encodeJson(wanted)).slice(0, 2), 16)
  if (draw >= 26) return null
  return draw < 13 ? "refused" : "hold"
}

const OVERTAKEN_WITHIN_MS = 5_000

/**
 * Delays an answer until a later answer of the same port has arrived, or for at most
 * `OVERTAKEN_WITHIN_MS`.
 */
function createOvertaking(clock: Clock): Overtaking {
  let waiting: (() => void)[] = []
  return {
    wait: () =>
      new Promise((resolve) => {
        waiting.push(resolve)
        void clock.sleep(OVERTAKEN_WITHIN_MS).then(resolve)
      }),
    pass: () => {
      const passed = waiting
      waiting = []
      for (const resolve of passed) resolve()
    },
  }
}

type Overtaking = { readonly wait: () => Promise<void>; readonly pass: () => void }
