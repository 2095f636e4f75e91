import { describe, expect, test } from "vitest"
import { bitcoinDoctor } from "#chains/bitcoin/doctor.ts"
import { evmDoctor } from "#chains/evm/doctor.ts"
import { findFault } from "#chains/find-fault.ts"
import { solanaDoctor } from "#chains/solana/doctor.ts"
import { starknetDoctor } from "#chains/starknet/doctor.ts"
import { urlOf } from "#nodes/address.ts"
import type { AskHttp } from "#nodes/ask-node.ts"

/*
 * What a node answers where it has no sound estimate of fees. `doctor` asks through the readers of
 * the transactions, so that both judge alike: no estimate is no answer, never 0 and never a guess.
 */

const DOCTORS = {
  bitcoin: bitcoinDoctor,
  evm: evmDoctor,
  solana: solanaDoctor,
  starknet: starknetDoctor,
}
type Family = keyof typeof DOCTORS

/** The whole answer of a family's node with this in the place of one estimate. */
const ANSWERS: Readonly<Record<Family, (estimate: unknown) => unknown>> = {
  bitcoin: (estimate) => ({ "2": estimate }),
  evm: (estimate) => estimate,
  solana: (estimate) => [{ slot: 1, prioritizationFee: estimate }],
  starknet: (estimate) => ({
    l2_gas_price: { price_in_fri: estimate },
    l1_data_gas_price: { price_in_fri: "0x1" },
  }),
}

/** The keys of a chain's configuration that an estimate is compared with. */
const CAPS = {
  maxFeeRate: 100,
  maxFeePerGasWei: 10n ** 12n,
  maxTipPerGasWei: 10n ** 12n,
  maxPriorityFee: 10n ** 6n,
  maxFeeUnits: 10n ** 18n,
}

const BLOCK = {
  number: "0x1",
  hash: `0x${"ab".repeat(32)}`,
  transactions: [],
  timestamp: "0x1",
  baseFeePerGas: "0x1",
}

/** Whether the family takes this answer for an estimate. */
async function isEstimate(
  family: Family,
  answer: unknown,
  history: unknown = { reward: [[answer]], gasUsedRatio: [0.5] },
): Promise<boolean> {
  const ask: AskHttp = async (at, body) => {
    if (body === undefined) {
      expect(urlOf(at)).toMatch(/fee-estimates$/)
      return JSON.stringify(answer)
    }
    // CAST: the readers' own questions.
    const { method } = body as { method: string }
    const known: Readonly<Record<string, unknown>> = {
      eth_feeHistory: history,
      eth_getBlockByNumber: BLOCK,
      starknet_blockHashAndNumber: { block_number: 1, block_hash: "0x1" },
    }
    return JSON.stringify({ id: 1, result: known[method] ?? answer })
  }
  const fault = findFault(async () => DOCTORS[family].readFees?.(CAPS as never, "http://a", ask))
  return (await fault) === null
}

/** A good one of each family: 3 of its smallest unit. */
const GOOD: Readonly<Record<Family, unknown>> = {
  bitcoin: 3,
  evm: "0x3",
  solana: 3,
  starknet: "0x3",
}
/** A tip may be 0 on a quiet chain, and a priority fee too; a fee rate and a gas price never. */
const MAY_BE_ZERO: readonly Family[] = ["evm", "solana"]

const ODD: readonly (readonly [what: string, hex: unknown, number: unknown])[] = [
  ["a missing one", undefined, undefined],
  ["null", null, null],
  ["an empty text", "", ""],
  ["a word", "unknown", "unknown"],
  ["NaN as text", "NaN", "NaN"],
  ["a negative one", "-0x3", -3],
  ["a list", ["0x3"], [3]],
  ["true", true, true],
  ["a number of a thousand digits", `0x${"f".repeat(1_000)}`, "9".repeat(1_000)],
]

describe.each(Object.keys(DOCTORS) as Family[])("%s", (family) => {
  const isHex = typeof GOOD[family] === "string"

  test("takes a sound estimate", async () => {
    expect(await isEstimate(family, ANSWERS[family](GOOD[family]))).toBe(true)
  })

  test.each(ODD)("takes %s for no answer", async (_what, hex, number) => {
    expect(await isEstimate(family, ANSWERS[family](isHex ? hex : number))).toBe(false)
  })

  test("takes 0 for an estimate only of a tip", async () => {
    const isTip = MAY_BE_ZERO.includes(family)
    expect(await isEstimate(family, ANSWERS[family](isHex ? "0x0" : 0))).toBe(isTip)
  })

  test.each([
    ["null", null],
    ["a text", "3"],
    ["false", false],
  ])("takes %s in place of the whole answer for none", async (_what, answer) => {
    expect(await isEstimate(family, answer)).toBe(false)
  })
})

test("one estimate that is none hides no other of the same answer", async () => {
  expect(await isEstimate("bitcoin", { "2": null, "6": 4 })).toBe(true)
  expect(await isEstimate("bitcoin", { "2": "4", "6": -1, "144": 1.5 })).toBe(true)
  expect(await isEstimate("bitcoin", { "2": null, "6": "4" })).toBe(false)
  expect(await isEstimate("evm", "0x3", { reward: [[null], ["0x4"]], gasUsedRatio: [1, 1] })).toBe(
    true,
  )
  expect(await isEstimate("evm", "x", { reward: [[null], ["0x4"]], gasUsedRatio: [1, null] })).toBe(
    false,
  )
  const solana = ANSWERS.solana
  expect(
    await isEstimate("solana", [...(solana(null) as object[]), ...(solana(4) as object[])]),
  ).toBe(true)
})
