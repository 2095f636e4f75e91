import fc from "fast-check"
import { type Hex, recoverTypedDataAddress } from "viem"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { parseAssetId, toChainId } from "#domain/asset.ts"
import type { VerifiedDeposit } from "#domain/deposit.ts"
import type { SignerQuestion } from "#signer/wire.ts"
import { IS_SAMPLED } from "../../support/ci-sample.ts"
import {
  ASSETS,
  type RawClient,
  type SignerProcess,
  startSignerProcess,
} from "../../support/signer-process.ts"
import { bitcoinQuestions, readSignedBitcoin } from "../../unit/signer/bitcoin-attacks.ts"
import { evmQuestions, readSignedEvm, secretHashOf } from "../../unit/signer/evm-attacks.ts"
import { findBreaches, type SignedThing, type TestLimit } from "../../unit/signer/signed-thing.ts"
import { readSignedSolana, solanaQuestions } from "../../unit/signer/solana-attacks.ts"
import { readSignedStarknet, starknetQuestions } from "../../unit/signer/starknet-attacks.ts"

const SEED = 20_261_122

/** In each asset's own unit: small enough that the attacks use most of them up. */
const LIMITS = {
  "bitcoin_testnet:btc": { per_signature: "0.001", per_hour: "0.02" },
  "base_sepolia:eth": { per_signature: "0.0000000000001", per_hour: "0.05" },
  "base_sepolia:wbtc": { per_signature: "0.001", per_hour: "0.015" },
  "solana_testnet:sol": { per_signature: "0.0001", per_hour: "0.5" },
  "solana_testnet:usdc": { per_signature: "0.1", per_hour: "2" },
  "starknet_sepolia:wbtc": { per_signature: "0.001", per_hour: "0.01" },
  "starknet_sepolia:native": { per_hour: "9" },
}
const DECIMALS: Readonly<Record<string, number>> = {
  ...Object.fromEntries(Object.entries(ASSETS).map(([id, { decimals }]) => [id, decimals])),
  "starknet_sepolia:native": 18,
}

/** The same limits, computed here once more. */
const limits = new Map<string, TestLimit>(
  Object.entries(LIMITS).map(([id, { per_hour, ...rest }]) => {
    const units = (text: string): bigint => {
      const [whole = "", part = ""] = text.split(".")
      return BigInt(whole + part.padEnd(DECIMALS[id] ?? 0, "0"))
    }
    return [
      id,
      {
        perHour: units(per_hour),
        perSignature: units("per_signature" in rest ? rest.per_signature : "0"),
      },
    ]
  }),
)

describe("a compromised daemon", () => {
  let signer: SignerProcess
  let client: RawClient
  const signed: SignedThing[] = []
  const codes = new Map<string, number>()

  beforeAll(async () => {
    signer = await startSignerProcess({
      limits: LIMITS,
      signatures_per_hour: 100_000,
      refund_key: "own",
    })
    client = signer.open()
  })
  afterAll(async () => {
    client?.socket.destroy()
    await signer?.stop()
  })

  async function attack(questions: readonly SignerQuestion[]): Promise<number> {
    let count = 0
    for (let at = 0; at < questions.length; at += 50) {
      const batch = questions.slice(at, at + 50)
      const answers = await Promise.all(batch.map((question) => client.ask(question)))
      for (const [index, answer] of answers.entries()) {
        const question = batch[index]
        if (!answer.ok) codes.set(answer.error.code, (codes.get(answer.error.code) ?? 0) + 1)
        if (!answer.ok || question === undefined) continue
        signed.push(await readSigned(question, answer.result))
        count += 1
      }
    }
    return count
  }

  test("gets a redemption signed that pays us", async () => {
    const isRedemption = (question: SignerQuestion) =>
      question.kind === "transaction" && question.plan.action === "redeem"
    const questions = fc
      .sample(solanaQuestions, { numRuns: 400, seed: SEED + 2 })
      .filter(isRedemption)
    expect(await attack(questions)).toBeGreaterThan(0)
  })

  test.each([
    ["bitcoin", bitcoinQuestions, 2_500],
    ["solana", solanaQuestions, 2_500],
    ["starknet", starknetQuestions, 1_500],
    ["evm", evmQuestions, 3_000],
    ["evm typed data", typedQuestions(), 600],
  ] as const)(
    "gets no signature of %s outside the rules",
    async (_family, questions, all) => {
      const count = IS_SAMPLED ? all / 2 : all
      const made = await attack(fc.sample(questions, { numRuns: count, seed: SEED }))
      // The rules bound the signatures; they do not forbid all.
      expect(made).toBeGreaterThan(5)
      expect(made).toBeLessThan(count / 2)
      expect(findBreaches(signed, limits)).toEqual([])
    },
    400_000,
  )

  test("meets every rule", () => {
    const met = [...codes.keys()]
    expect(met).toEqual(
      expect.arrayContaining(
        [
          "amount",
          "velocity",
          "second_deposit",
          "order_reused",
          "resource_reused",
          "timelock",
          "htlc_unproven",
        ].map((name) => `signer.${name}`),
      ),
    )
    expect(met.filter((code) => !/^(signer|evm|starknet|solana)\./.test(code))).toEqual([])
    expect(met).not.toContain("signer.failed")
  })

  test("gets the same bytes for the same plan, also from a second connection", async () => {
    const [plan] = fc
      .sample(evmQuestions, { numRuns: 400, seed: SEED + 1 })
      .filter((question) => question.kind === "transaction" && question.plan.action === "void")
    if (plan === undefined) throw new Error("the sample has a void")
    const first = await client.ask(plan)
    const other = signer.open()
    expect(await other.ask(plan)).toEqual({ ...first, id: 1 })
    other.socket.destroy()
  })
})

async function readSigned(
  question: SignerQuestion,
  result: Readonly<Record<string, unknown>>,
): Promise<SignedThing> {
  if (question.kind === "typedData") return readTyped(question, String(result["signature"]))
  if (question.kind !== "transaction") throw new Error("no signature was asked for")
  const raw = String(result["raw"])
  switch (question.plan.chain as string) {
    case "base_sepolia":
      // CAST: the EVM family writes hex.
      return readSignedEvm(raw as Hex, question.order)
    case "bitcoin_testnet":
      return readSignedBitcoin(raw, question.order, question)
    case "solana_testnet":
      return readSignedSolana(raw, question.order)
    default:
      return readSignedStarknet(raw, question.order)
  }
}

const INITIATE = [
  { name: "redeemer", type: "address" },
  { name: "timelock", type: "uint256" },
  { name: "amount", type: "uint256" },
  { name: "secretHash", type: "bytes32" },
] as const

function typedQuestions(): fc.Arbitrary<SignerQuestion> {
  const rarely = <T>(right: fc.Arbitrary<T>, wrong: fc.Arbitrary<T>) =>
    fc.oneof({ weight: 10, arbitrary: right }, { weight: 1, arbitrary: wrong })
  const htlc = ASSETS["base_sepolia:wbtc"].htlc[0]
  const ethHtlc = ASSETS["base_sepolia:eth"].htlc[0]
  const stranger = "0x000000000000000000000000000000000000dEaD"
  return fc
    .record({
      htlc: rarely(fc.constant<string>(htlc), fc.constantFrom<string>(stranger, ethHtlc)),
      units: rarely(fc.bigInt(1n, 60_000n), fc.constantFrom(100_001n, 10n ** 18n)),
      typedUnits: rarely(fc.constant("same"), fc.constant("more")),
      secret: fc.integer({ min: 0, max: 500 }),
      order: fc.integer({ min: 0, max: 500 }),
      timelock: rarely(fc.bigInt(100n, 5_000n), fc.constant(2n ** 40n)),
      chainId: rarely(fc.constant(84_532), fc.constant(1)),
      us: rarely(fc.constant("0xDF6452499758ca5a4197b7a400EC63CdcFE53390"), fc.constant(stranger)),
      primaryType: rarely(fc.constant("Initiate"), fc.constant("Permit")),
    })
    .map(
      ({
        htlc,
        units,
        typedUnits,
        secret,
        order,
        timelock,
        chainId,
        us,
        primaryType,
      }): SignerQuestion => {
        const amount = (typedUnits === "same" ? units : units * 10n).toString()
        const secretHash = secretHashOf(secret)
        const message = {
          redeemer: stranger,
          timelock: timelock.toString(),
          amount,
          secretHash: `0x${secretHash}`,
        }
        const domain = { name: "HTLC", version: "3", chainId, verifyingContract: htlc }
        const typedData = { domain, primaryType, types: { [primaryType]: INITIATE }, message }
        const deposit = {
          chain: toChainId("base_sepolia"),
          family: "evm",
          htlc,
          htlcKind: "contract",
          isRefundableByUs: true,
          hasTypedData: true,
          asset: parseAssetId("base_sepolia:wbtc"),
          units,
          redeemer: stranger,
          refundTo: us,
          secretHash,
          timelock,
          extras: { typedData, gasLimitClaim: "1" },
          findings: [],
        }
        // CAST: an attacker calls any deposit verified.
        return {
          kind: "typedData",
          order: `order-${order}`,
          deposit: deposit as unknown as VerifiedDeposit,
        }
      },
    )
}

/** A typed signature counts for the terms over which viem recovers our account. */
async function readTyped(
  question: Extract<SignerQuestion, { kind: "typedData" }>,
  signature: string,
): Promise<SignedThing> {
  const { deposit, order } = question
  const { units, secretHash, timelock, redeemer } = deposit
  // CAST: texts of this test in the forms of viem.
  const from = await recoverTypedDataAddress({
    domain: {
      name: "HTLC",
      version: "3",
      chainId: 84_532,
      verifyingContract: ASSETS["base_sepolia:wbtc"].htlc[0],
    },
    primaryType: "Initiate",
    types: { Initiate: INITIATE },
    message: { redeemer: redeemer as Hex, timelock, amount: units, secretHash: `0x${secretHash}` },
    signature: signature as Hex,
  })
  if (from !== "0xDF6452499758ca5a4197b7a400EC63CdcFE53390")
    throw new Error("signed other terms than those of the deposit")
  const spend = { asset: "base_sepolia:wbtc", units }
  const name = `typed:${secretHash}`
  return {
    chain: "base_sepolia",
    order,
    secretHash,
    exclusive: [name],
    group: name,
    spends: [spend],
    amounts: [spend],
  }
}
