import { BN, BorshCoder, type Idl } from "@coral-xyz/anchor"
import { Keypair, PublicKey, type TransactionInstruction } from "@solana/web3.js"
import { describe, expect, test } from "vitest"
import {
  buildInitiate,
  buildRefund,
  decodeExpirySlot,
  decodeHtlcCall,
  deriveSwapAccount,
  SWAP_ACCOUNT_BYTES,
} from "#chains/solana/htlc.ts"
import {
  buildSplInitiate,
  buildSplRefund,
  decodeSplCall,
  decodeSplSwap,
  deriveIdentity,
  deriveSwapData,
  deriveVault,
  INITIATE_AT,
  SETTLE_AT,
  SPL_SWAP_BYTES,
} from "#chains/solana/spl-htlc.ts"
import { readPublishedIdl } from "../../../chains/solana/published-idl.ts"

/**
 * Our builders and decoders of both programs against the published interface descriptions, through
 * Anchor's coder.
 */
const program = Keypair.generate().publicKey
const initiator = key()
const redeemer = key()
const mint = key()
const secretHash = Buffer.alloc(32, 7)
const terms = { units: 2n ** 63n + 5n, slots: 216_000n, redeemer, secretHash }

describe.each(["native", "spl"] as const)("the published interface of the %s program", (kind) => {
  const idl = readPublishedIdl(kind)
  const coder = new BorshCoder(idl)
  const decodeCall = kind === "native" ? decodeHtlcCall : decodeSplCall
  const options =
    kind === "native" ? [undefined] : [null, Buffer.alloc(0), Buffer.from("to another chain")]

  test.each(options)(
    "reads our initiate, and we read its own (destination data %s)",
    (destinationData) => {
      const wanted = destinationData === undefined ? terms : { ...terms, destinationData }
      const ours =
        kind === "native"
          ? buildInitiate(program, initiator, terms)
          : buildToken(destinationData ?? null)
      const args = argumentsOf(idl, destinationData)
      expect(coder.instruction.encode("initiate", args)).toEqual(ours.data)
      expect(decodeCall(coder.instruction.encode("initiate", args))).toEqual({
        kind: "initiate",
        terms: wanted,
      })
      expect(coder.instruction.decode(ours.data)?.name).toBe("initiate")
      expect(namesOf(idl, "initiate", ours)).toEqual(expectedNames(kind))
    },
  )

  test("reads our refund, with the accounts in its order, and we read each of its other calls", () => {
    const swapData = deriveSwapData(program, initiator, secretHash)
    const ours =
      kind === "native"
        ? buildRefund(program, initiator, secretHash)
        : buildSplRefund(program, { initiator, mint }, swapData)
    expect(coder.instruction.encode("refund", {})).toEqual(ours.data)
    expect(ours.keys).toHaveLength(accountsOf(idl, "refund").length)
    expect(flagsOf(ours)).toEqual(publishedFlags(idl, "refund"))
    const secret = Buffer.alloc(32, 9)
    expect(decodeCall(coder.instruction.encode("redeem", { secret: [...secret] }))).toEqual({
      kind: "redeem",
      secret: "09".repeat(32),
    })
    expect(decodeCall(coder.instruction.encode("refund", {}))).toEqual({ kind: "refund" })
    expect(decodeCall(coder.instruction.encode("instant_refund", {}))).toEqual({
      kind: "instantRefund",
    })
  })

  test("marks the accounts of an initiate as our builder does", () => {
    const ours = kind === "native" ? buildInitiate(program, initiator, terms) : buildToken(null)
    expect(flagsOf(ours)).toEqual(publishedFlags(idl, "initiate"))
  })

  test("refuses data with a byte more or less", () => {
    const { data } =
      kind === "native" ? buildInitiate(program, initiator, terms) : buildToken(Buffer.from("x"))
    expect(decodeCall(data)).not.toBeNull()
    expect(decodeCall(data.subarray(0, -1))).toBeNull()
    expect(decodeCall(Buffer.concat([data, Buffer.of(0)]))).toBeNull()
  })
})

describe("the record of a swap", () => {
  test("of a token has the published layout, and nothing else is read as one", async () => {
    const sponsor = key()
    const data = await encodeAccount("spl", {
      expiry_slot: new BN(77),
      initiator,
      redeemer,
      secret_hash: [...secretHash],
      swap_amount: new BN(`${terms.units}`),
      identity_pda_bump: 254,
      sponsor,
    })
    expect(data).toHaveLength(SPL_SWAP_BYTES)
    expect(decodeSplSwap(data)).toEqual({
      expirySlot: 77n,
      initiator: `${initiator}`,
      redeemer: `${redeemer}`,
      secretHash,
      units: terms.units,
      sponsor: `${sponsor}`,
    })
    expect(decodeSplSwap(data.subarray(0, -1))).toBeNull()
    expect(decodeSplSwap(Buffer.alloc(SPL_SWAP_BYTES))).toBeNull()
    expect(decodeExpirySlot(data)).toBeNull()
  })

  test("of native SOL has the published layout", async () => {
    const parties = { initiator, redeemer, secret_hash: [...secretHash] }
    const data = await encodeAccount("native", {
      amount_lamports: new BN(5),
      expiry_slot: new BN(77),
      ...parties,
    })
    expect(data).toHaveLength(SWAP_ACCOUNT_BYTES)
    expect(decodeExpirySlot(data)).toBe(77n)
    expect(decodeSplSwap(data)).toBeNull()
  })
})

test("the derived addresses use the published seeds", () => {
  const seedsOf = (kind: "native" | "spl", account: string) =>
    accountsOf(readPublishedIdl(kind), "initiate")
      .find(({ name }) => name === account)
      ?.pda?.seeds.map(resolveSeed)
  const derive = (seeds: Buffer[] | undefined) =>
    PublicKey.findProgramAddressSync(seeds ?? [Buffer.of(1)], program)[0]
  expect(deriveIdentity(program)).toEqual(derive(seedsOf("spl", "identity_pda")))
  expect(deriveVault(program, mint)).toEqual(derive(seedsOf("spl", "token_vault")))
  expect(deriveSwapData(program, initiator, secretHash)).toEqual(
    derive(seedsOf("spl", "swap_data")),
  )
  expect(deriveSwapAccount(program, initiator, secretHash)).toEqual(
    derive(seedsOf("native", "swap_account")),
  )
})

test("the positions of the accounts are those of the published calls", () => {
  const idl = readPublishedIdl("spl")
  const at = (call: string, name: string): number =>
    accountsOf(idl, call).findIndex((account) => account.name === name)
  const { swapData, vault, tokenAccount, sponsor } = SETTLE_AT
  expect(INITIATE_AT).toEqual({
    swapData: at("initiate", "swap_data"),
    vault: at("initiate", "token_vault"),
    tokenAccount: at("initiate", "initiator_token_account"),
    mint: at("initiate", "mint"),
    sponsor: at("initiate", "sponsor"),
  })
  for (const [call, payee] of [
    ["redeem", "redeemer_token_account"],
    ["refund", "initiator_token_account"],
  ] as const) {
    const found = {
      swapData: at(call, "swap_data"),
      vault: at(call, "token_vault"),
      tokenAccount: at(call, payee),
    }
    expect({ ...found, sponsor: at(call, "sponsor") }).toEqual({
      swapData,
      vault,
      tokenAccount,
      sponsor,
    })
  }
  expect(at("instant_refund", "sponsor")).toBe(sponsor + 1)
})

type PublishedAccount = {
  readonly name: string
  readonly writable?: boolean
  readonly signer?: boolean
  readonly pda?: { readonly seeds: readonly PublishedSeed[] }
}
type PublishedSeed = {
  readonly kind: string
  readonly path?: string
  readonly value?: readonly number[]
}

function accountsOf(idl: Idl, call: string): readonly PublishedAccount[] {
  const instruction = idl.instructions.find(({ name }) => name === call)
  // CAST: neither program groups its accounts, so each entry is one account.
  return (instruction?.accounts ?? []) as readonly PublishedAccount[]
}

function resolveSeed(seed: PublishedSeed): Buffer {
  if (seed.kind === "const") return Buffer.from(seed.value ?? [])
  const values: Record<string, Buffer> = {
    initiator: initiator.toBuffer(),
    mint: mint.toBuffer(),
    secret_hash: secretHash,
  }
  return values[seed.path ?? ""] ?? Buffer.of(1)
}

function argumentsOf(
  idl: Idl,
  destinationData: Buffer | null | undefined,
): Record<string, unknown> {
  const values: Record<string, unknown> = {
    amount_lamports: new BN(`${terms.units}`),
    swap_amount: new BN(`${terms.units}`),
    expires_in_slots: new BN(`${terms.slots}`),
    redeemer,
    secret_hash: [...secretHash],
    destination_data: destinationData ?? null,
  }
  const instruction = idl.instructions.find(({ name }) => name === "initiate")
  return Object.fromEntries((instruction?.args ?? []).map(({ name }) => [name, values[name]]))
}

function buildToken(destinationData: Buffer | null): TransactionInstruction {
  return buildSplInitiate(program, { initiator, mint }, { ...terms, destinationData })
}

function flagsOf({ keys }: TransactionInstruction) {
  return keys.map(({ isSigner, isWritable }) => ({ isSigner, isWritable }))
}

function publishedFlags(idl: Idl, call: string) {
  return accountsOf(idl, call).map(({ signer = false, writable = false }) => ({
    isSigner: signer,
    isWritable: writable,
  }))
}

/** Our accounts under the published names. */
function namesOf(idl: Idl, call: string, { keys }: TransactionInstruction): Record<string, string> {
  return Object.fromEntries(
    accountsOf(idl, call).map(({ name }, index) => [name, `${keys[index]?.pubkey}`]),
  )
}

function expectedNames(kind: "native" | "spl"): Record<string, string> {
  const system = "11111111111111111111111111111111"
  if (kind === "native") {
    const account = deriveSwapAccount(program, initiator, secretHash)
    return { swap_account: `${account}`, initiator: `${initiator}`, system_program: system }
  }
  return {
    identity_pda: `${deriveIdentity(program)}`,
    swap_data: `${deriveSwapData(program, initiator, secretHash)}`,
    token_vault: `${deriveVault(program, mint)}`,
    initiator: `${initiator}`,
    initiator_token_account: expect.any(String),
    mint: `${mint}`,
    sponsor: `${initiator}`,
    token_program: "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA",
    system_program: system,
  }
}

function encodeAccount(kind: "native" | "spl", fields: Record<string, unknown>): Promise<Buffer> {
  return new BorshCoder(readPublishedIdl(kind)).accounts.encode("SwapAccount", fields)
}

function key(): PublicKey {
  return Keypair.generate().publicKey
}
