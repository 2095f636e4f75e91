import { Keypair, type PublicKey, VersionedTransaction } from "@solana/web3.js"
import { describe, expect, test } from "vitest"
import { openBurnKey } from "#chains/solana/cctp/open-key.ts"
import { wordOf } from "#chains/solana/cctp/presets.ts"
import { readTransaction } from "#chains/solana/legs/read-transaction.ts"
import { createSigner } from "#chains/solana/signer.ts"
import { extraKeyResource, swapAccountResource } from "#chains/solana/spend/assemble.ts"
import { checkPlan } from "#chains/solana/spend/check-plan.ts"
import { AppError } from "#lib/app-error.ts"
import { mustExist } from "#lib/assert.ts"
import { Secret } from "#lib/secret.ts"
import {
  ACCOUNTS,
  ASSET,
  BURN,
  CHAIN,
  EVENT_KEY,
  EVM_ACCOUNT,
  KEY,
  planOfBurn,
  planOfMint,
  RULES,
  STRANGER,
  TOKEN_ACCOUNT,
  WALLET,
} from "./sample-burn.ts"

function refusalOf(plan: ReturnType<typeof planOfBurn>): string {
  try {
    checkPlan(plan, WALLET)
    return ""
  } catch (error) {
    if (error instanceof AppError) return String(error.details["problem"])
    throw error
  }
}

const signer = createSigner(new Secret(JSON.stringify([...KEY.secretKey]), "env:KEY"))
const OTHER_SEED = Buffer.alloc(32, 4)
const OTHER_KEY = Keypair.fromSeed(OTHER_SEED).publicKey
const setKey =
  (at: number, pubkey: PublicKey) =>
  ({ keys }: { keys: { pubkey: PublicKey; isSigner: boolean; isWritable: boolean }[] }): void => {
    const key = keys[at]
    if (key !== undefined) keys[at] = { ...key, pubkey }
  }

describe("the key of Solana", () => {
  test("signs a burn to our own account with the key of its message's account", () => {
    const { raw, txid } = signer.signTransaction(planOfBurn(), WALLET)
    const { signatures, message } = VersionedTransaction.deserialize(Buffer.from(raw, "base64"))
    expect(signatures).toHaveLength(2)
    expect(message.staticAccountKeys[1]).toEqual(EVENT_KEY.publicKey)
    expect(signatures.every((one) => one.some((byte) => byte !== 0))).toBe(true)
    expect(signer.signTransaction(planOfBurn(), WALLET).txid).toBe(txid)
  })

  test.each([
    ["pays an account", { mintRecipient: wordOf(STRANGER) }],
    ["pays an account", { destinationDomain: 3 }],
    ["pays an account", { destinationDomain: 5 }],
    ["same chain", { destinationDomain: 5, mintRecipient: wordOf(TOKEN_ACCOUNT) }],
    ["minted by one account", { destinationCaller: EVM_ACCOUNT }],
    ["unknown finality", { minFinalityThreshold: 500 }],
    ["whole amount", { amountUnits: 16_000n }],
    ["higher fee", { maxFeeUnits: 21_001n }],
  ] as const)("refuses a burn that %s: %o", (why, call) => {
    expect(refusalOf(planOfBurn({ call }))).toContain(why)
  })

  test.each([
    ["other accounts", "a stranger's token account", setKey(3, STRANGER)],
    ["other accounts", "another transmitter", setKey(12, STRANGER)],
    ["other accounts", "another token program", setKey(14, STRANGER)],
    ["other accounts", "another messenger of the destination", setKey(7, STRANGER)],
    ["message account", "another account of the message", setKey(11, OTHER_KEY)],
  ] as const)("refuses a burn with %s: %s", (why, _what, edit) => {
    expect(refusalOf(planOfBurn({ edit }))).toContain(why)
  })

  test("refuses a burn whose plan reserves another account or amount", () => {
    const event = swapAccountResource(EVENT_KEY.publicKey.toBase58())
    const resources = [event, extraKeyResource(OTHER_SEED)]
    expect(refusalOf(planOfBurn({ plan: { resources } }))).toContain("message account")
    expect(refusalOf(planOfBurn({ plan: { resources: [event] } }))).toContain("message account")
    const spends = [{ asset: ASSET, units: BURN.amountUnits - 1n }]
    expect(refusalOf(planOfBurn({ plan: { spends } }))).toContain("a different amount")
    expect(refusalOf(planOfBurn({ plan: { action: "redeem" } }))).toContain("initiate")
  })

  test("refuses a burn with a hook, with another budget or with a further signer", () => {
    const withHook = planOfBurn({
      edit: (one) => {
        one.data = Buffer.concat([Buffer.from("6ff53e83cc6cdf9b", "hex"), one.data.subarray(8)])
      },
    })
    expect(refusalOf(withHook)).toContain("something other than a burn")
    expect(refusalOf(planOfBurn({ unitLimit: 1_400_000n }))).toContain("compute budget")
    const signed = planOfBurn({
      edit: ({ keys }) => {
        const key = keys[6]
        if (key !== undefined) key.isSigner = true
      },
    })
    expect(refusalOf(signed)).toContain("signers")
  })

  test("signs a mint to our own token account, which fits one transaction", () => {
    const { raw } = signer.signTransaction(planOfMint(), WALLET)
    expect(Buffer.from(raw, "base64").length).toBeLessThanOrEqual(1_232)
  })

  test("counts the rent of the account that each of them opens, and keeps", () => {
    // Bytes and 128 of overhead, at 6960 lamports a byte; a burn has a second signature.
    const key = mustExist(openBurnKey(RULES, { chain: CHAIN, preset: "solana" }), "the key")
    const rents = [planOfBurn(), planOfMint()].map((plan) => {
      const read = readTransaction.fromMessage(Buffer.from(plan.unsigned, "base64"))
      const call = mustExist(read?.instructions.at(-1), "the call")
      const found = key.read(plan, call)
      return found !== null && "rentUnits" in found ? found.rentUnits : null
    })
    expect(rents).toEqual([(428n + 128n) * 6_960n + 5_000n, (9n + 128n) * 6_960n])
  })

  test("signs a mint with the highest limit of compute units, and with no other one", () => {
    expect(refusalOf(planOfMint({ unitLimit: 1_400_000n }))).toBe("")
    for (const unitLimit of [200_000n, 350_001n, 1_399_999n])
      expect(refusalOf(planOfMint({ unitLimit }))).toContain("compute budget")
  })

  test.each([
    ["pays an account", { mintRecipient: wordOf(KEY.publicKey) }],
    ["pays an account", { mintRecipient: wordOf(STRANGER) }],
    ["pays an account", { mintRecipient: wordOf(ACCOUNTS.mint) }],
    ["pays an account", { mintRecipient: wordOf(ACCOUNTS.custody) }],
    ["pays an account", { destinationDomain: 6 }],
    ["pays an account", { recipient: wordOf(STRANGER) }],
  ] as const)("refuses a mint that %s: %o", (why, message) => {
    expect(refusalOf(planOfMint({ message }))).toContain(why)
  })

  test("refuses a mint with other accounts, from another table, or that spends", () => {
    expect(refusalOf(planOfMint({ edit: setKey(15, STRANGER) }))).toContain("other accounts")
    expect(refusalOf(planOfMint({ edit: setKey(4, STRANGER) }))).toContain("other accounts")
    expect(refusalOf(planOfMint({ table: STRANGER }))).toContain("other accounts")
    const spends = [{ asset: ASSET, units: 1n }]
    expect(refusalOf(planOfMint({ plan: { spends } }))).toContain("a different amount")
    const further = planOfMint({
      edit: ({ keys }) => keys.push({ pubkey: STRANGER, isSigner: false, isWritable: true }),
    })
    expect(refusalOf(further)).toContain("other accounts")
  })
})
