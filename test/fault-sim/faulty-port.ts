import type { Clock } from "#lib/clock.ts"
import { encodeJson } from "#lib/json.ts"
import { hashOf } from "../support/fake-chain.ts"
import { never } from "../support/faults.ts"
import type { EventLog } from "./event-log.ts"
import { foreignError, unexpectedError } from "./foreign-errors.ts"
import { surpriseOf } from "./pursuit.ts"
import type { Random } from "./random.ts"
import type { FaultKind, Swarm } from "./swarm.ts"

export type FaultyPortDeps = {
  readonly clock: Clock
  readonly log: EventLog
  readonly random: Random
  readonly swarm: Swarm
  /** False once the world has become kind: then nothing is drawn any more. */
  readonly isHostile: () => boolean
  /** Is this port asked for an order that the seed is after? */
  readonly isChased: (port: string) => boolean
  /** What makes the whole port unreadable now. */
  readonly outage: (port: string) => FaultKind | null
  readonly strike: (kind: FaultKind) => void
  readonly onCall: (port: string, method: string, args: readonly unknown[]) => void
}

export type Life = { readonly isAlive: () => boolean; readonly die: (how: FaultKind) => void }

/** Methods that ask nobody, and those of the key, which sits in the same process. */
const PURE = new Set(["isAddress", "sameAddress", "decodeDeposit", "checkDestination"])
const LOCAL = new Set(["signTransaction", "signTypedData"])
const WRITES = new Set(["broadcastTransaction", "submitOrder", "submitSignature"])
/** Longer than a client waits for an answer: the effect is there, and the answer is lost. */
const TIMEOUT_MS = 10_000

/** A port as a process reaches it over a bad network: each call may be lost, doubled, late or refused, and the process may die in it. */
export function createFaultyPort<Port extends object>(
  name: string,
  port: Port,
  life: Life,
  deps: FaultyPortDeps,
): Port {
  const overtaking = createOvertaking(deps.clock)
  return new Proxy(port, {
    get: (target, key) => {
      const value: unknown = Reflect.get(target, key)
      const method = String(key)
      if (typeof value !== "function" || PURE.has(method)) return value
      return async (...args: unknown[]) => {
        if (!life.isAlive()) return never()
        deps.onCall(name, method, args)
        try {
          const act = async (): Promise<unknown> => Reflect.apply(value, target, args)
          const answer = await call({ name, method, args, act, overtaking }, life, deps)
          return life.isAlive() ? answer : await never()
        } catch (error) {
          if (!life.isAlive()) return never()
          throw error
        }
      }
    },
  })
}

type Call = {
  readonly name: string
  readonly method: string
  readonly args: readonly unknown[]
  readonly act: () => Promise<unknown>
  readonly overtaking: Overtaking
}

async function call({ name, method, args, act, overtaking }: Call, life: Life, deps: FaultyPortDeps): Promise<unknown> {
  const draws = (kind: FaultKind, factor = 1): boolean => {
    const { swarm, random } = deps
    if (!deps.isHostile() || !swarm.on.has(kind) || !random.chance(swarm.rate * factor)) return false
    deps.strike(kind)
    deps.log.add(name, `${method}: ${kind}`)
    return true
  }
  const isWrite = WRITES.has(method)
  const kill = (): Promise<never> => {
    life.die("killed at an await")
    return never()
  }
  const fail = (how: Parameters<typeof foreignError>[1]): never => {
    throw foreignError(name, how, isWrite)
  }
  if (draws("killed at an await", 0.3)) return kill()
  if (LOCAL.has(method)) {
    const no = deps.isHostile() ? noOfKey(deps.swarm, args[0]) : null
    if (no !== null) throw unexpectedError(name, no)
    return act()
  }
  const aimed = deps.isChased(name) ? surpriseOf(deps.swarm, method) : 0.5
  if (draws("answer nobody expects", aimed)) throw unexpectedError(name, deps.random.chance(0.5) ? "hold" : "refused")

  if (deps.outage(name) !== null) fail("lost")
  // What is asked once for each stuck transaction is lost often enough to be seen.
  if (draws("request lost", method === "planBump" ? 10 : 1)) fail("lost")
  if (name === "service" && draws("service 5xx")) fail("http")
  if (name === "service" && draws("service 4xx", 0.5)) fail("refused")
  if (draws("html answer")) fail("html")
  if (method === "broadcastTransaction" && draws("node refuses", 2)) fail("refused")
  if (draws("delayed")) await deps.clock.sleep(deps.random.below(TIMEOUT_MS))
  if (isWrite && draws("duplicated", 2)) await act().catch(() => undefined)

  const result = await act()
  if (draws("killed at an await", 0.3)) return kill()
  if (draws("answer lost", isWrite ? 3 : 1)) {
    await deps.clock.sleep(TIMEOUT_MS)
    fail("lost")
  }
  if (draws("malformed body", isWrite ? 3 : 0.5)) fail("malformed")
  if (draws("slow body", isWrite ? 2 : 1)) {
    await deps.clock.sleep(TIMEOUT_MS)
    fail("slow")
  }
  if (draws("delayed")) await deps.clock.sleep(deps.random.below(TIMEOUT_MS))
  if (!isWrite && draws("reordered")) await overtaking.wait()
  else overtaking.pass()
  return result
}

/** A key that says no to something says it every time. */
function noOfKey({ quarry }: Swarm, wanted: unknown): "refused" | "hold" | null {
  const draw = quarry === null ? 255 : Number.parseInt(hashOf(encodeJson(wanted)).slice(0, 2), 16)
  if (draw >= 26) return null
  return draw < 13 ? "refused" : "hold"
}

const OVERTAKEN_WITHIN_MS = 5_000

/** Lets an answer wait until a later one of the same port has come, or for a while where none does. */
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
