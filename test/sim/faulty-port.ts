import { AppError, type Disposition } from "#lib/app-error.ts"
import type { Clock } from "#lib/clock.ts"
import { never } from "../support/faults.ts"
import type { EventLog } from "./event-log.ts"
import type { Random } from "./random.ts"
import type { FaultKind, Swarm } from "./swarm.ts"

export type FaultyPortDeps = {
  readonly clock: Clock
  readonly log: EventLog
  readonly random: Random
  readonly swarm: Swarm
  /** False once the world has become kind: then nothing is drawn any more. */
  readonly isHostile: () => boolean
  /** What makes the whole port unreadable now. */
  readonly outage: (port: string) => FaultKind | null
  readonly strike: (kind: FaultKind) => void
  readonly onCall: (port: string, method: string, args: readonly unknown[]) => void
}

export type Life = { readonly isAlive: () => boolean; readonly die: (how: FaultKind) => void }

/** Methods that ask nobody, and those of the key, which sits in the same process. */
const PURE = new Set(["isAddress", "sameAddress", "decodeDeposit", "checkDestination"])
const LOCAL = new Set(["signMove", "signTypedData", "planBump"])
const WRITES = new Set(["broadcastMove", "submitOrder", "submitSignature"])
/** Longer than a client waits for an answer: the effect is there, and the answer is lost. */
const TIMEOUT_MS = 10_000

/** A port as a process reaches it over a bad network: each call may be lost, doubled, late or refused, and the process may die in it. */
export function createFaultyPort<Port extends object>(
  name: string,
  port: Port,
  life: Life,
  deps: FaultyPortDeps,
): Port {
  return new Proxy(port, {
    get: (target, key) => {
      const value: unknown = Reflect.get(target, key)
      const method = String(key)
      if (typeof value !== "function" || PURE.has(method)) return value
      return async (...args: unknown[]) => {
        if (!life.isAlive()) return never()
        deps.onCall(name, method, args)
        try {
          const answer = await call(name, method, async () => Reflect.apply(value, target, args), life, deps)
          return life.isAlive() ? answer : await never()
        } catch (error) {
          if (!life.isAlive()) return never()
          throw error
        }
      }
    },
  })
}

async function call(
  name: string,
  method: string,
  act: () => Promise<unknown>,
  life: Life,
  deps: FaultyPortDeps,
): Promise<unknown> {
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
  if (draws("killed at an await", 0.3)) return kill()
  if (!LOCAL.has(method)) {
    const outage = deps.outage(name)
    if (outage !== null) throw failure(outage, isWrite ? "uncertain" : "transient")
    if (draws("request lost")) throw failure("request lost", isWrite ? "uncertain" : "transient")
    if (name === "service" && draws("service 5xx")) throw failure("service 5xx", isWrite ? "uncertain" : "transient")
    if (name === "service" && draws("service 4xx", 0.5)) throw failure("service 4xx", "refused")
    if (method === "broadcastMove" && draws("node refuses", 2)) throw failure("node refuses", "refused")
    if (draws("delayed")) await deps.clock.sleep(deps.random.below(TIMEOUT_MS))
    if (isWrite && draws("duplicated", 2)) await act().catch(() => undefined)
  }
  const result = await act()
  if (LOCAL.has(method)) return result
  if (draws("killed at an await", 0.3)) return kill()
  if (draws("answer lost", isWrite ? 3 : 1)) {
    await deps.clock.sleep(TIMEOUT_MS)
    throw failure("answer lost", isWrite ? "uncertain" : "transient")
  }
  if (draws("delayed")) await deps.clock.sleep(deps.random.below(TIMEOUT_MS))
  return result
}

function failure(kind: FaultKind, disposition: Disposition): AppError {
  return new AppError({ code: `sim.${kind.replaceAll(" ", "_")}`, disposition, message: `Simulated: ${kind}` })
}
