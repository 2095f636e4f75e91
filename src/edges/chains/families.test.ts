import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { expect, test } from "vitest"
import { FAMILIES, familyNamed, findFamily } from "./families.ts"

const { resolve } = createRequire(import.meta.url)

test("the registry loads no chain SDK", () => {
  const packages = packagesBehind(resolve("#chains/families.ts"))
  expect([...packages].sort()).toEqual(["zod"])
  expect(packagesBehind(resolve("#chains/evm/create-chain.ts")).has("viem")).toBe(true)
})

test("each family has a name of its own, and names its chains", () => {
  const names = FAMILIES.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  for (const name of names) {
    expect(
      FAMILIES.filter(({ chainName }) => chainName.test(`${name}_testnet`)).length,
    ).toBeLessThanOrEqual(1)
    expect(familyNamed(name).keys.family.value).toBe(name)
  }
})

test("each family keeps its time limits: longer ones delay an alarm, and keep an allowance locked", () => {
  const HOUR_MS = 3_600_000
  const limits = FAMILIES.map(({ name, depositWindowMs, reportPatienceMs }) => [
    name,
    depositWindowMs,
    reportPatienceMs,
  ])
  expect(new Map(limits.map(([name, ...times]) => [name, times]))).toEqual(
    new Map([
      ["bitcoin", [6 * HOUR_MS, 3 * HOUR_MS]],
      ["evm", [HOUR_MS, HOUR_MS / 4]],
      ["solana", [HOUR_MS, HOUR_MS / 4]],
      ["starknet", [HOUR_MS, HOUR_MS / 4]],
    ]),
  )
})

test("an unknown name has no family", () => {
  expect(findFamily("cosmos")).toBeNull()
  expect(findFamily(null)).toBeNull()
  expect(() => familyNamed("cosmos")).toThrow("the chain family cosmos is missing")
})

test(
  "a reported payout has minutes to show, and three hours on Bitcoin, where a block may take " +
    "long",
  () => {
    const minutes = Object.fromEntries(
      FAMILIES.map(({ name, reportPatienceMs }) => [name, reportPatienceMs / 60_000]),
    )
    expect(minutes).toEqual({ bitcoin: 180, evm: 15, solana: 15, starknet: 15 })
  },
)

/** The packages that a static import of `entry` loads. Types and dynamic imports load nothing. */
function packagesBehind(entry: string): Set<string> {
  const packages = new Set<string>()
  const seen = new Set<string>()
  const open = [entry]
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (seen.has(file)) continue
    seen.add(file)
    for (const [, specifier = ""] of readFileSync(file, "utf8").matchAll(
      /^import (?!type )[^"]*"([^"]+)"/gm,
    )) {
      if (specifier.startsWith("#")) open.push(resolve(specifier))
      else if (specifier.startsWith(".")) open.push(join(dirname(file), specifier))
      else packages.add(specifier)
    }
  }
  return packages
}
