import type { ChainConfig } from "#chains/chain-config.ts"
import { familyOf } from "#chains/families.ts"
import type { Config } from "#config/config.ts"
import { chainOf } from "#domain/asset.ts"
import { mustExist } from "#lib/assert.ts"
import { type AskHttp, createNodeCall } from "#nodes/ask-node.ts"
import { ROUTES } from "#routes/registry.ts"

/**
 * The present contracts of the configured routes on the chosen chains, as `pinned` of each route
 * for a person to review. YAML; empty without a route. Throws what the nodes throw.
 */
export async function formatRoutePins(
  { routes, chains }: Pick<Config, "routes" | "chains">,
  chosen: string | null,
  ask: AskHttp,
): Promise<string> {
  const found = routes.map(async (route) => {
    const names = [...new Set(route.assets.map(chainOf))]
    const own = names.filter((name) => chosen === null || name === chosen)
    const lines = own.map(async (name) => {
      const chain = mustExist(
        chains.find((one) => one.chain === name),
        name,
      )
      const pins = await readPins(chain, route, ask)
      return [`      ${name}:`, ...pins.map((pin) => `        - { ${pin} }`)]
    })
    const each = (await Promise.all(lines)).flat()
    return each.length === 0 ? [] : [`  ${route.kind}:`, "    pinned:", ...each]
  })
  const lines = (await Promise.all(found)).flat()
  return lines.length === 0 ? "" : ["routes:", ...lines].join("\n")
}

async function readPins(
  chain: ChainConfig,
  { kind, contracts }: Config["routes"][number],
  ask: AskHttp,
): Promise<readonly string[]> {
  const family = familyOf(chain)
  const reader = await family.loadContractReader?.()
  const route = ROUTES.find((one) => one.kind === kind)
  if (reader === undefined || route === undefined) return []
  const pin = family.routes?.pins[route.kind]?.(family.identityOf(chain), contracts[chain.chain])
  if (pin == null) return []
  const call = createNodeCall(family.doctor.endpointsOf(chain), ask)
  return Promise.all(
    route.contractsOf(pin).map(async (address) => {
      const identity = await reader.readIdentity(call, address)
      const values = Object.entries({ address, ...identity })
      return values.map(([name, value]) => `${name}: ${JSON.stringify(value)}`).join(", ")
    }),
  )
}
