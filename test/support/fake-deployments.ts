import type { Quote } from "#domain/quote.ts"
import type { ServicePort } from "#ports/service.ts"
import { failure } from "./faults.ts"

/**
 * Two deployments of the interface before one solver. Each knows only the orders that were created
 * through it.
 */
export type FakeDeployments = {
  readonly ports: ReadonlyMap<string, ServicePort>
  /** Calls for an order at the deployment that does not have it. */
  readonly misrouted: readonly string[]
}

/**
 * `main` is honest. `second` is a little cheaper, and in turn overcharges, promises too much, or
 * lies about the order that it created.
 */
export function createFakeDeployments(port: ServicePort): FakeDeployments {
  const misrouted: string[] = []
  const homes = new Map<string, string>()
  let quoted = 0
  let created = 0
  const liars = new Set<string>()

  function deploy(name: string, turn: (quote: Quote) => Quote): ServicePort {
    const expectOwn = (orderId: string): void => {
      if (homes.get(orderId) === name) return
      misrouted.push(`${orderId} is with ${homes.get(orderId)}, and ${name} was asked`)
      throw failure("refused", "service.not_found")
    }
    return {
      ...port,
      fetchQuotes: async (request) => (await port.fetchQuotes(request)).map(turn),
      submitOrder: async (request) => {
        const asked = request.quote.solverId === SECOND ? SECOND : "main"
        if (asked !== name) misrouted.push(`a quote of ${asked} was sent to ${name}`)
        const order = await port.submitOrder(request)
        homes.set(order.orderId, name)
        if (name !== "main" && ++created % LIE_EVERY === 0) liars.add(order.orderId)
        return order
      },
      fetchOrder: async (orderId) => {
        expectOwn(orderId)
        const order = await port.fetchOrder(orderId)
        if (!liars.has(orderId)) return order
        return {
          ...order,
          destination: { ...order.destination, units: order.destination.units - 1n },
        }
      },
      findOrders: (owner) => port.findOrders(owner),
      submitSignature: async (orderId, signature) => {
        expectOwn(orderId)
        return port.submitSignature(orderId, signature)
      },
    }
  }

  const ports = new Map([
    ["main", deploy("main", (quote) => quote)],
    [
      SECOND,
      deploy(SECOND, (quote) => scale(quote, SHARES_BPS[quoted++ % SHARES_BPS.length] ?? 10_000n)),
    ],
  ])
  return { ports, misrouted }
}

/** The name of the deployment and of its solver. */
const SECOND = "second"
const LIE_EVERY = 4
/** The destination amount of each quote in turn, in basis points of the honest one. */
const SHARES_BPS = [10_010n, 10_010n, 15_000n, 10_000n, 9_000n, 10_005n]

function scale(quote: Quote, bps: bigint): Quote {
  const share = (amount: bigint): bigint => (amount * bps) / 10_000n
  const { destinationUnits, destinationFiat } = quote
  return {
    ...quote,
    solverId: SECOND,
    destinationUnits: share(destinationUnits),
    destinationFiat: destinationFiat === null ? null : share(destinationFiat),
  }
}
