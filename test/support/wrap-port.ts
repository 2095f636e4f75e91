import type { Capabilities } from "#ports/chain/capabilities.ts"
import type { ChainPort } from "#ports/chain.ts"

type Call = (...args: unknown[]) => unknown

/**
 * A port with calls that go through `wrap`, also those of its capabilities. Each method is wrapped
 * once.
 */
export function wrapCalls<Port extends object>(
  port: Port,
  wrap: (method: string, call: Call) => Call,
): Port {
  const known = new Map<string | symbol, { readonly value: unknown; readonly wrapped: unknown }>()
  const wrapOne = (key: string | symbol, value: unknown): unknown => {
    if (typeof value === "function")
      return wrap(String(key), (...args) => Reflect.apply(value, port, args))
    return isCapability(value) ? wrapCalls(value, wrap) : value
  }
  return new Proxy(port, {
    get: (target, key) => {
      const value: unknown = Reflect.get(target, key)
      const last = known.get(key)
      if (last !== undefined && last.value === value) return last.wrapped
      const wrapped = wrapOne(key, value)
      known.set(key, { value, wrapped })
      return wrapped
    },
  })
}

export function isCapability(value: unknown): value is object {
  return (
    typeof value === "object" &&
    value !== null &&
    Object.values(value).some((member) => typeof member === "function")
  )
}

/** The port with some answers of one capability replaced; the port may lack the capability. */
export function withCapability<Name extends keyof Capabilities>(
  port: ChainPort,
  name: Name,
  methods: Partial<NonNullable<Capabilities[Name]>>,
): ChainPort {
  return { ...port, [name]: { ...HARMLESS[name], ...port[name], ...methods } }
}

const HARMLESS: Capabilities = {
  native: { fetchNativeBalance: async () => 0n, fetchLeastBalance: async () => 0n },
  contracts: {
    fetchContractIdentity: async () => ({}),
    checkPayout: async () => [],
    fetchFeedPrice: () => null,
  },
  outputs: {
    checkDestination: () => [],
    estimatePayoutFee: async () => 0n,
    planRedemptions: async () => [],
  },
}
