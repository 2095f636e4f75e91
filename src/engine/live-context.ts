import type { EngineContext } from "./context.ts"
import { createMemory } from "./memory.ts"

/**
 * Builds a context. Its configured parts change only through `replace`.
 *
 * `replace` swaps all four parts in one synchronous step, so no reader sees two configurations at
 * the same time. A reader that needs one configuration across an `await` keeps the part in a
 * variable.
 */
export function createLiveContext(fixed: FixedParts, configured: ConfiguredParts): LiveContext {
  let inForce = configured
  const context: EngineContext = {
    ...fixed,
    memory: createMemory(),
    get services() {
      return inForce.services
    },
    get routes() {
      return inForce.routes
    },
    get prices() {
      return inForce.prices
    },
    get chains() {
      return inForce.chains
    },
    get settings() {
      return inForce.settings
    },
  }
  return {
    context,
    replace: (next) => {
      inForce = next
    },
  }
}

export type LiveContext = {
  /** Reads the configured parts that are in force at the moment of the access. */
  readonly context: EngineContext
  /** Puts a new configuration in force. */
  readonly replace: (next: ConfiguredParts) => void
}

/** The parts that follow from the configuration. */
export type ConfiguredParts = Pick<
  EngineContext,
  "services" | "routes" | "prices" | "chains" | "settings"
>

/** The parts that live as long as the process. */
export type FixedParts = Omit<EngineContext, keyof ConfiguredParts | "memory">
