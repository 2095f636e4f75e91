import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { ciSample, IS_SAMPLED } from "../../support/ci-sample.ts"
import { explain, HARMLESS } from "./harmless-mutants.ts"
import { type Mutant, mutateBytes, mutateJson } from "./mutate.ts"
import { type HonestOrder, type MutationCheck, openMutationCheck } from "./mutation-check.ts"

const ROUTES = [
  { from: "bitcoin_testnet:btc", to: "base_sepolia:wbtc", units: 100_000n },
  { from: "base_sepolia:wbtc", to: "bitcoin_testnet:btc", units: 100_000n },
  { from: "base_sepolia:eth", to: "solana_testnet:sol", units: 25_000_000_000_000_000n },
  { from: "solana_testnet:sol", to: "starknet_sepolia:wbtc", units: 500_000_000n },
  { from: "starknet_sepolia:wbtc", to: "base_sepolia:wbtc", units: 100_000n },
] as const

const CASES = ROUTES.flatMap((route) =>
  (["contract", "2026"] as const).map((dialect) => ({ ...route, dialect })),
)

type Changed = {
  readonly path: string
  readonly label: string
  readonly create: unknown
  readonly order: unknown
}

describe("a service that changes one place of its answers", () => {
  let check: MutationCheck
  const counts: string[] = []
  const used = new Set<string>()
  beforeAll(async () => {
    check = await openMutationCheck()
  }, 120_000)
  afterAll(async () => {
    await check?.stop()
    process.stdout.write(`${counts.join("\n")}\n`)
  })

  test.for(CASES)(
    "is refused: $from → $to, dialect $dialect",
    { timeout: 120_000 },
    async (route) => {
      const honestOrder = await check.open(route.from, route.to, route.dialect, route.units)
      const honest = await honestOrder.verify(honestOrder.answers)
      expect(honest, "the unchanged answers are accepted").toMatchObject({ ok: true })
      const mutants = ciSample(mutantsOf(honestOrder), 5)
      const passed: string[] = []
      const uncoded: string[] = []
      let harmless = 0
      for (const mutant of mutants) {
        const verdict = await honestOrder.verify(mutant)
        if (!verdict.ok) {
          if (!verdict.reasons.some(({ code, message }) => code.includes(".") && message !== ""))
            uncoded.push(show(mutant))
          continue
        }
        const why = explain(route, mutant)
        if (why === null) passed.push(show(mutant))
        else {
          used.add(why.why)
          harmless++
          // A harmless mutant changes no field of the signed deposit.
          if (honest.ok)
            expect(signable(verdict.deposit, why.unsigned), show(mutant)).toEqual(
              signable(honest.deposit, why.unsigned),
            )
        }
      }
      expect(passed).toEqual([])
      expect(uncoded).toEqual([])
      counts.push(
        `${route.from} → ${route.to} (${route.dialect}): ${mutants.length} mutants, ` +
          `${mutants.length - harmless} refused, ${harmless} harmless`,
      )
    },
  )

  test.skipIf(IS_SAMPLED)("every entry of the list of harmless changes is needed", () => {
    expect(HARMLESS.filter(({ why }) => !used.has(why)).map(({ why }) => why)).toEqual([])
  })
})

function mutantsOf({ from, answers }: HonestOrder): Changed[] {
  const { create, order } = answers
  const json: Changed[] = [
    ...mutateJson(create, "create").map((mutant) => ({ ...mutant, create: mutant.value, order })),
    ...mutateJson(order, "order").map((mutant) => ({ ...mutant, create, order: mutant.value })),
  ]
  const bytes: Mutant[] = from.startsWith("solana")
    ? solanaBytes(create)
    : from.startsWith("base")
      ? evmBytes(create)
      : []
  return [
    ...json,
    ...bytes.map(({ path, label, value }) => ({ path, label, create: value, order })),
  ]
}

/** Mutants of every byte of the calldata: selector and words. */
function evmBytes(create: Record<string, unknown>): Mutant[] {
  const key = "initiate_transaction" in create ? "initiate_transaction" : "transaction"
  const call = create[key] as { data: string }
  const data = Buffer.from(call.data.slice(2), "hex")
  return mutateBytes(data, `create.${key}.data`).map(({ path, label, bytes }) => ({
    path,
    label,
    value: { ...create, [key]: { ...call, data: `0x${Buffer.from(bytes).toString("hex")}` } },
  }))
}

/**
 * Mutants of every byte of the transaction: signature slot, header, accounts, blockhash,
 * instruction.
 */
function solanaBytes(create: Record<string, unknown>): Mutant[] {
  const text = String(create["versioned_tx"])
  const encoding = /^[0-9a-f]+$/.test(text) ? "hex" : "base64"
  const bytes = Buffer.from(text, encoding)
  return mutateBytes(bytes, "create.versioned_tx").map(({ path, label, bytes: next }) => ({
    path,
    label,
    value: { ...create, versioned_tx: Buffer.from(next).toString(encoding) },
  }))
}

function signable(
  deposit: { extras: Readonly<Record<string, unknown>> },
  unsigned: readonly string[],
): unknown {
  const without = (fields: object) =>
    Object.fromEntries(Object.entries(fields).filter(([name]) => !unsigned.includes(name)))
  return { ...without(deposit), extras: without(deposit.extras) }
}

function show({ path, label }: { path: string; label: string }): string {
  return `${path}: ${label}`
}
