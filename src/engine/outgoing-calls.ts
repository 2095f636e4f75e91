import type { ChainPort } from "#chains/port.ts"
import type { Journal } from "#journal/port.ts"
import type { ServicePort } from "#service/port.ts"
import type { EngineContext } from "./context.ts"

/** The calls that leave the process with something that the journal must know first. All others only read. */
const CHAIN_CALLS: readonly (keyof ChainPort)[] = ["signTransaction", "signTypedData", "broadcastTransaction"]
const SERVICE_CALLS: readonly (keyof ServicePort)[] = ["submitOrder", "submitSignature", "revealSecret"]

/**
 * The context with ports whose outgoing calls wait until every write of the journal so far is durable, and then for the proof of the lease if
 * the treasury has one. A call fails with the error of the write or of the proof.
 */
export function withDurableCalls(context: EngineContext): EngineContext {
  const chains = memoize((ports: EngineContext["chains"]) => guardAll(ports, CHAIN_CALLS, context))
  const services = memoize((ports: EngineContext["services"]) => guardAll(ports, SERVICE_CALLS, context))
  // A reload replaces parts of the context, so all others come from the given one at the moment of use.
  return Object.create(context, {
    chains: { get: () => chains(context.chains) },
    services: { get: () => services(context.services) },
  })
}

/** Resolves when nothing of the journal waits for the disk, also nothing that others wrote meanwhile. */
export async function untilDurable(journal: Journal): Promise<void> {
  do await journal.durable()
  while (journal.isPending())
}

type Gate = Pick<EngineContext, "journal" | "proveLease">

function guardAll<Key, Port extends object>(
  ports: ReadonlyMap<Key, Port>,
  names: readonly (keyof Port)[],
  gate: Gate,
): ReadonlyMap<Key, Port> {
  return new Map([...ports].map(([key, port]) => [key, guard(port, names, gate)]))
}

function guard<Port extends object>(port: Port, names: readonly (keyof Port)[], { journal, proveLease }: Gate): Port {
  return new Proxy(port, {
    get: (target, key) => {
      const value: unknown = Reflect.get(target, key)
      if (typeof value !== "function" || !names.some((name) => name === key)) return value
      return (...args: unknown[]): unknown => {
        const act = (): unknown => Reflect.apply(value, target, args)
        if (proveLease) return journal.durable().then(proveLease).then(act)
        return journal.isPending() ? journal.durable().then(act) : act()
      }
    },
  })
}

function memoize<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const known = new WeakMap<Key, Value>()
  return (key) => {
    const found = known.get(key) ?? make(key)
    known.set(key, found)
    return found
  }
}
