import type { Plugin } from "vitest/config"

/**
 * The modules of the sandbox that start a local chain, whether in a process of its own or inside
 * the test.
 */
const STARTS_CHAIN = /\/src\/lab\/sandbox\/(\w+)\/\1-chain\.ts$/

/** Refuses to load a local chain into a unit test, so that none can start one. */
export function refuseLocalChains(): Plugin {
  return {
    name: "refuse-local-chains",
    enforce: "pre",
    load(id) {
      if (!STARTS_CHAIN.test(id)) return null
      throw new Error(
        `A unit test starts no chain, and this one loads ${id}: move it to test/chains ` +
          "(CONTRIBUTING.md)",
      )
    },
  }
}
