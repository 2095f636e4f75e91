import { z } from "zod"
import { FAMILIES } from "#chains/families.ts"
import { mustExist } from "#lib/assert.ts"
import { section } from "#schema/section.ts"

/** One chain: its family determines the allowed keys. */
export const chainSchema = z.discriminatedUnion("family", sectionsOfFamilies(), {
  error: `expected ${FAMILIES.map(({ name }) => name).join(" or ")}`,
})

/**
 * The same for a watchtower. Where only the wallet's own key can redeem, the tower has no key:
 * writing one here is a mistake.
 */
export const towerChainSchema = z.discriminatedUnion("family", sectionsOfTower(), {
  error: `expected ${FAMILIES.map(({ name }) => name).join(" or ")}`,
})

export type ChainFile = z.output<typeof chainSchema>

/** Chain names become the part before the colon of asset ids. */
export const CHAIN_NAME = /^[a-z0-9][a-z0-9_-]*$/

function sectionsOfFamilies() {
  const [first, ...others] = FAMILIES.map(({ name, keys }) => section(keys, describeOwner(name)))
  return [mustExist(first, "a chain family"), ...others] as const
}

function sectionsOfTower() {
  const [first, ...others] = FAMILIES.map(({ name, keys, watchKey }) => {
    const { key: _key, ...withoutKey } = keys
    return section(watchKey === undefined ? keys : withoutKey, describeOwner(name))
  })
  return [mustExist(first, "a chain family"), ...others] as const
}

/** Makes the hint about a key that only other families have, for a chain of `family`. */
function describeOwner(family: string): (key: string) => string | null {
  return (key) => {
    const names = FAMILIES.filter(({ keys }) => Object.hasOwn(keys, key)).map(({ name }) => name)
    return names.length > 0 ? `family ${names.join(" and ")}; this chain is ${family}` : null
  }
}
