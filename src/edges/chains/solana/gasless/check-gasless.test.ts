import {
  ComputeBudgetProgram,
  Keypair,
  MessageV0,
  PublicKey,
  SystemProgram,
  type TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from "@solana/web3.js"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type Asset, parseAssetId, toChainId } from "#domain/asset.ts"
import type { DecodedDeposit, VerifiedDeposit } from "#domain/deposit.ts"
import { Secret } from "#lib/secret.ts"
import { decodeDeposit } from "../decode.ts"
import { buildInitiate } from "../htlc.ts"
import { createSigner } from "../signer.ts"
import { buildSplInitiate, buildSplRefund, deriveSwapData } from "../spl-htlc.ts"
import { buildCreateTokenAccount } from "../tokens.ts"
import type { Wallet } from "../wallet.ts"
import { checkGasless } from "./check-gasless.ts"

const chain = toChainId("solana_testnet")
const us = Keypair.generate()
const relay = Keypair.generate()
const stranger = Keypair.generate().publicKey
const MINT = Keypair.generate().publicKey
const PROGRAM = new PublicKey("2WXpY8havGjfRxme9LUxtjFHTh1EfU3ur4v6wiK4KdNC")
const NATIVE = new PublicKey("2bag6xpshpvPe7SJ9nSDLHpxqhEAoHPGpEkjNSv7gxoF")
const USDC = parseAssetId("solana_testnet:usdc")
const SOL = parseAssetId("solana_testnet:sol")
const assets: readonly Asset[] = [
  { id: USDC, chain, decimals: 6, token: `${MINT}`, htlc: [`${PROGRAM}`] },
  { id: SOL, chain, decimals: 9, token: null, htlc: [`${NATIVE}`] },
]
const wallet: Wallet = {
  chain,
  account: `${us.publicKey}`,
  assets,
  maxPriorityFeeMicroLamports: 0n,
}
const terms = {
  units: 50_000_000n,
  slots: 216_000n,
  redeemer: Keypair.generate().publicKey,
  secretHash: Buffer.alloc(32, 7),
}
const parties = { initiator: us.publicKey, mint: MINT }
const own = buildSplInitiate(PROGRAM, parties, terms)
const initiate = buildSplInitiate(PROGRAM, { ...parties, sponsor: relay.publicKey }, terms)
const budget = [
  ComputeBudgetProgram.setComputeUnitLimit({ units: 200_000 }),
  ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 9_000_000 }),
]

describe("a relay's transaction", () => {
  it("is accepted as a legacy and a version 0 message, with and without a compute budget", () => {
    for (const instructions of [[initiate], [...budget, initiate], [initiate, ...budget]]) {
      const { message } = { message: messageOf(instructions) }
      for (const compiled of [message.compileToLegacyMessage(), message.compileToV0Message()])
        expect(codesOf(textOf(new VersionedTransaction(compiled)))).toEqual([])
    }
  })

  /** A public record of a live deployment names this size of a transaction that it relayed. */
  it("has the size of a sighted one", () => {
    expect(Buffer.from(gasless([initiate]), "base64")).toHaveLength(587)
  })

  const other = (over: Partial<typeof terms>): TransactionInstruction =>
    buildSplInitiate(PROGRAM, { ...parties, sponsor: relay.publicKey }, { ...terms, ...over })
  const change = (
    at: number,
    over: Partial<TransactionInstruction["keys"][number]>,
  ): TransactionInstruction =>
    ({
      ...initiate,
      keys: initiate.keys.map((key, index) => (index === at ? { ...key, ...over } : key)),
    }) as TransactionInstruction
  const swapData = deriveSwapData(PROGRAM, us.publicKey, terms.secretHash)
  const nonce = SystemProgram.nonceAdvance({
    noncePubkey: stranger,
    authorizedPubkey: relay.publicKey,
  })
  const transfer = SystemProgram.transfer({
    fromPubkey: us.publicKey,
    toPubkey: stranger,
    lamports: 1,
  })
  const create = buildCreateTokenAccount(us.publicKey, MINT)
  const HOSTILE: readonly (readonly [string, string, string])[] = [
    ["our account as fee payer", gasless([own], us.publicKey), "solana.gasless_fee_payer"],
    ["our account as sponsor", gasless([own], relay.publicKey), "solana.gasless_account"],
    ["another sponsor", gasless([change(6, { pubkey: stranger })]), "solana.gasless_signers"],
    ["a third signer", gasless([change(5, { isSigner: true })]), "solana.gasless_signers"],
    ["a transfer of ours", gasless([initiate, transfer]), "solana.gasless_instructions"],
    ["a transfer before it", gasless([transfer, initiate]), "solana.gasless_instructions"],
    ["a durable nonce", gasless([nonce, initiate]), "solana.gasless_instructions"],
    ["a second initiate", gasless([initiate, initiate]), "solana.gasless_instructions"],
    ["an account that we pay for", gasless([create, initiate]), "solana.gasless_writable"],
    ["our account writable", gasless([change(3, { isWritable: true })]), "solana.gasless_writable"],
    [
      "our account not a signer",
      gasless([change(3, { isSigner: false })]),
      "solana.gasless_signers",
    ],
    ["another amount", gasless([other({ units: 50_000_001n })]), "solana.gasless_terms"],
    ["another lock", gasless([other({ slots: 216_001n })]), "solana.gasless_terms"],
    ["another redeemer", gasless([other({ redeemer: stranger })]), "solana.gasless_terms"],
    [
      "another secret hash",
      gasless([other({ secretHash: Buffer.alloc(32, 8) })]),
      "solana.gasless_terms",
    ],
    ["another mint", gasless([change(5, { pubkey: stranger })]), "solana.gasless_account"],
    ["another token account", gasless([change(4, { pubkey: stranger })]), "solana.gasless_account"],
    ["another vault", gasless([change(2, { pubkey: stranger })]), "solana.gasless_account"],
    ["another swap account", gasless([change(1, { pubkey: stranger })]), "solana.gasless_account"],
    [
      "another program",
      gasless([{ ...initiate, programId: stranger } as TransactionInstruction]),
      "solana.gasless_program",
    ],
    ["a refund", gasless([buildSplRefund(PROGRAM, parties, swapData)]), "solana.gasless_terms"],
    [
      "an account too many",
      gasless([
        {
          ...initiate,
          keys: [...initiate.keys, { pubkey: stranger, isSigner: false, isWritable: true }],
        } as TransactionInstruction,
      ]),
      "solana.gasless_account",
    ],
    ["a heap frame", gasless([heapFrame(), initiate]), "solana.gasless_budget"],
    [
      "two unit limits",
      gasless([budget[0], budget[0], initiate].flatMap((one) => one ?? [])),
      "solana.gasless_budget",
    ],
    ["a locked account", withUnusedAccount(), "solana.gasless_account"],
    ["a lookup table", withLookupTable(), "solana.gasless_lookup"],
    ["no transaction", "AAAA", "solana.gasless_undecodable"],
    ["hidden bytes", `${gasless([initiate])}AAAA`, "solana.gasless_undecodable"],
  ]

  it.each(HOSTILE)("is refused with %s", (_what, text, code) => {
    expect(codesOf(text)).toContain(code)
    const decoded = decodeWith(text)
    expect(decoded).toMatchObject({ findings: [], hasTypedData: false })
    expect(decoded.gaslessFindings?.map((one) => one.code)).toContain(code)
    expect(decoded.extras["typedData"]).toBeUndefined()
  })

  it("is refused, or unreadable, after a flip of any bit outside signatures and blockhash", () => {
    const bytes = Buffer.from(gasless([initiate]), "base64")
    const blockhashAt = 1 + 2 * 64 + 4 + 10 * 32
    for (let at = 0; at < bytes.length; at++) {
      const isFree = (at >= 1 && at < 129) || (at >= blockhashAt && at < blockhashAt + 32)
      // The relay's own key: any account may pay for us, also one that nobody has.
      if (isFree || (at >= 133 && at < 165)) continue
      // The bytes of one address are alike.
      if (at >= 165 && at < blockhashAt && at % 8 !== 0) continue
      const mutant = Buffer.from(bytes)
      mutant.writeUInt8(mutant.readUInt8(at) ^ 1, at)
      expect(codesOf(mutant.toString("base64")), `byte ${at}`).not.toEqual([])
    }
  })

  it("never throws on random bytes or values", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array({ maxLength: 700 }).map((bytes) => Buffer.from(bytes).toString("base64")),
          fc.anything(),
        ),
        (text) => {
          expect(codesOf(text)).not.toEqual([])
        },
      ),
    )
  })

  it("is refused for native SOL, whose program takes the rent from us", () => {
    const native = buildInitiate(NATIVE, us.publicKey, terms)
    const request = {
      family: "solana",
      transaction: textOf(transactionOf([native], us.publicKey)),
      gasless: textOf(transactionOf([native], relay.publicKey)),
    } as const
    const decoded = decodeDeposit(request, wallet, SOL)
    expect(decoded).toMatchObject({ findings: [], hasTypedData: false })
    expect(decoded.gaslessFindings?.map((one) => one.code)).toContain("solana.gasless_asset")
  })
})

describe("the signer", () => {
  const signer = createSigner(new Secret(JSON.stringify([...us.secretKey]), "env:KEY"))

  it("signs in our slot alone, and leaves the relay's as it is", () => {
    const decoded = decodeWith(gasless([initiate]))
    const { signature } = signer.signGasless(verified(decoded), wallet)
    const signed = VersionedTransaction.deserialize(Buffer.from(signature, "base64"))
    expect(signed.signatures[0]?.every((byte) => byte === 0)).toBe(true)
    signed.sign([relay])
    expect(signed.signatures.every((each) => each.some((byte) => byte !== 0))).toBe(true)
    expect(signer.signGasless(verified(decoded), wallet).signature).toBe(signature)
  })

  it.each([
    ["amount", { units: 1n }],
    ["redeemer", { redeemer: `${stranger}` }],
    ["redeemer that is none", { redeemer: "x" }],
    ["timelock", { timelock: 5n }],
    ["secret hash", { secretHash: "08".repeat(32) }],
    ["secret hash that is none", { secretHash: "x" }],
    ["program", { htlc: `${stranger}` }],
    ["asset", { asset: SOL }],
    ["owner", { refundTo: `${stranger}` }],
    ["chain", { chain: toChainId("solana") }],
  ])("refuses a deposit with another %s than the transaction", (_what, over) => {
    const decoded = { ...decodeWith(gasless([initiate])), ...over }
    expect(() => signer.signGasless(verified(decoded), wallet)).toThrow(
      expect.objectContaining({ code: "signer.typed_data", disposition: "refused" }),
    )
  })

  it.each([undefined, null, 5])(
    "refuses a deposit with %s for the relay's transaction",
    (typedData) => {
      const { extras, ...rest } = decodeWith(gasless([initiate]))
      const plain = verified({ ...rest, extras: { ...extras, typedData } })
      expect(() => signer.signGasless(plain, wallet)).toThrow(
        expect.objectContaining({ code: "signer.gasless_unsupported", disposition: "refused" }),
      )
    },
  )
})

function decodeWith(text: string): DecodedDeposit {
  const transaction = textOf(transactionOf([own], us.publicKey))
  return decodeDeposit({ family: "solana", transaction, gasless: text }, wallet, USDC)
}

const PLAIN = decodeDeposit(
  { family: "solana", transaction: textOf(transactionOf([own], us.publicKey)) },
  wallet,
  USDC,
)

function codesOf(text: unknown): string[] {
  return checkGasless(text, PLAIN, wallet).findings.map(({ code }) => code)
}

function verified(deposit: DecodedDeposit): VerifiedDeposit {
  // CAST: the signer must not rely on the brand.
  return deposit as VerifiedDeposit
}

function messageOf(
  instructions: readonly TransactionInstruction[],
  payerKey = relay.publicKey,
): TransactionMessage {
  return new TransactionMessage({
    payerKey,
    recentBlockhash: `${stranger}`,
    instructions: [...instructions],
  })
}

function transactionOf(
  instructions: readonly TransactionInstruction[],
  payer: PublicKey,
): VersionedTransaction {
  return new VersionedTransaction(messageOf(instructions, payer).compileToLegacyMessage())
}

function gasless(instructions: readonly TransactionInstruction[], payer = relay.publicKey): string {
  return textOf(transactionOf(instructions, payer))
}

function textOf(transaction: VersionedTransaction): string {
  return Buffer.from(transaction.serialize()).toString("base64")
}

function heapFrame(): TransactionInstruction {
  return ComputeBudgetProgram.requestHeapFrame({ bytes: 32 * 1_024 })
}

/** A version 0 message that locks an account which no instruction names. */
function withUnusedAccount(): string {
  const { header, staticAccountKeys, ...rest } = messageOf([initiate]).compileToV0Message()
  const message = new MessageV0({
    ...rest,
    header: {
      ...header,
      numReadonlyUnsignedAccounts: header.numReadonlyUnsignedAccounts + 1,
    },
    staticAccountKeys: [...staticAccountKeys, stranger],
  })
  return textOf(new VersionedTransaction(message))
}

function withLookupTable(): string {
  const message = new MessageV0({
    ...messageOf([initiate]).compileToV0Message(),
    addressTableLookups: [{ accountKey: stranger, writableIndexes: [], readonlyIndexes: [1] }],
  })
  return textOf(new VersionedTransaction(message))
}
