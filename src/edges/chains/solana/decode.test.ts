import {
  ComputeBudgetProgram,
  Keypair,
  MessageV0,
  PublicKey,
  SystemProgram,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from "@solana/web3.js"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type Asset, parseAssetId, toChainId } from "#domain/asset.ts"
import type { DecodedDeposit, DepositRequest } from "#domain/deposit.ts"
import { decodeDeposit } from "./decode.ts"
import { isSolanaRequest } from "./deposit-request.ts"
import { buildInitiate, buildRefund, deriveSwapAccount } from "./htlc.ts"
import { buildSplInitiate, deriveSwapData, deriveVault } from "./spl-htlc.ts"
import {
  buildCreateTokenAccount,
  deriveTokenAccount,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from "./tokens.ts"
import type { Wallet } from "./wallet.ts"

const PROGRAM = new PublicKey("2bag6xpshpvPe7SJ9nSDLHpxqhEAoHPGpEkjNSv7gxoF")
const SOL = parseAssetId("solana_testnet:sol")
const asset = (over: Partial<Asset> = {}): Asset => ({
  id: SOL,
  chain: toChainId("solana_testnet"),
  decimals: 9,
  token: null,
  htlc: [PROGRAM.toBase58()],
  ...over,
})
const walletOf = (account: string, assets: readonly Asset[] = [asset()]): Wallet => ({
  chain: toChainId("solana_testnet"),
  account,
  assets,
  maxPriorityFeeMicroLamports: 0n,
})

/** A transaction that a live deployment returned. */
const PUBLISHED =
  "01000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000100020408032aa331a727d64421581d1ec2ea7cdde7ac7bb04a7ab7bb5e7f4ea5992f08b30c777cae9e6cbeb9830b8b0cd529b6e1f3667ae0c1c21071cb64bba2c7763e000000000000000000000000000000000000000000000000000000000000000017b7828ca6c4f06b51139a60254f81fe1249c8e2b122febf32ca81322b9f1e8ed3c02412b5458cdb8b14d42d4a61166f85f0f4e4d536c8a9f111a4de7e86b77801030301000258053f7b71994b940e89e4221500000000c04b03000000000044070018cffb963a80cb5bf8974e0d64934c614d26340d947ddf3b762a014cacb8841dc97c588ab9e1b94f62627b97d54f8c1048b28c26749d413032e9d66c4e"
const PUBLISHED_WALLET = walletOf("YH4btvqb4JBWSEJh22MuA231ekpJ5JqbBXQY1apJtKH")

const us = Keypair.generate()
const stranger = Keypair.generate()
const redeemer = Keypair.generate().publicKey
const terms = { units: 1_000_000_000n, slots: 216_000n, redeemer, secretHash: Buffer.alloc(32, 7) }
const initiate = buildInitiate(PROGRAM, us.publicKey, terms)
const swapAccount = deriveSwapAccount(PROGRAM, us.publicKey, terms.secretHash)
const wallet = walletOf(us.publicKey.toBase58())

const SPL_PROGRAM = new PublicKey("2WXpY8havGjfRxme9LUxtjFHTh1EfU3ur4v6wiK4KdNC")
const USDC = parseAssetId("solana_testnet:usdc")
const CBBTC = parseAssetId("solana_testnet:cbbtc")
const MINT = Keypair.generate().publicKey
const OTHER_MINT = Keypair.generate().publicKey
const token = (id: Asset["id"], mint: PublicKey): Asset =>
  asset({ id, token: mint.toBase58(), htlc: [SPL_PROGRAM.toBase58()] })
const tokenInitiate = buildSplInitiate(SPL_PROGRAM, { initiator: us.publicKey, mint: MINT }, terms)

describe("a published transaction", () => {
  it("decodes to the published values without a finding", () => {
    expect(decodeHex(PUBLISHED)).toEqual({
      chain: "solana_testnet",
      family: "solana",
      htlcKind: "contract",
      isRefundableByUs: true,
      hasTypedData: false,
      htlc: "2bag6xpshpvPe7SJ9nSDLHpxqhEAoHPGpEkjNSv7gxoF",
      asset: SOL,
      units: 354_608_265n,
      redeemer: "5aYv3mxzXupjUa6Yyi23Yn3n1kbgGEDfrJ6uBDq6VwQo",
      refundTo: "YH4btvqb4JBWSEJh22MuA231ekpJ5JqbBXQY1apJtKH",
      secretHash: "b8841dc97c588ab9e1b94f62627b97d54f8c1048b28c26749d413032e9d66c4e",
      timelock: 216_000n,
      extras: { swapAccount: "D3w1CxCk4dDEasnfjMbqSUKcNVGFfQeAtfh7XE69CFau", lookups: [] },
      findings: [],
    })
  })

  it(
    "is refused, or decodes differently, after a flip of any bit outside our signature and the " +
      "blockhash",
    () => {
      const original = JSON.stringify(decodeHex(PUBLISHED), replaceBigint)
      const bytes = Buffer.from(PUBLISHED, "hex")
      const blockhashAt = 65 + 4 + 4 * 32
      for (let at = 0; at < bytes.length; at++) {
        // We set our own blockhash, and our own signature.
        const isOurs = (at >= 1 && at < 65) || (at >= blockhashAt && at < blockhashAt + 32)
        if (isOurs) continue
        const mutant = Buffer.from(bytes)
        mutant.writeUInt8(mutant.readUInt8(at) ^ 1, at)
        const decoded = decodeHex(mutant.toString("hex"))
        const isSame = JSON.stringify(decoded, replaceBigint) === original
        expect(isSame, `bit 0 of byte ${at}`).toBe(false)
        // verifyDeposit compares amount, lock and redeemer; every other change must be a finding
        // here.
        const isVerifiedLater = at >= bytes.length - 80 && at < bytes.length - 32
        if (!isVerifiedLater)
          expect(decoded.findings.length, `findings for byte ${at}`).toBeGreaterThan(0)
      }
    },
  )

  it("gives a finding and no error if it is truncated, extended, or not a transaction", () => {
    for (let length = 0; length < PUBLISHED.length; length += 2) {
      expect(codes(decodeHex(PUBLISHED.slice(0, length)))).toEqual(["solana.undecodable"])
    }
    expect(codes(decodeHex(`${PUBLISHED}00`))).toEqual(["solana.undecodable"])
    for (const transaction of ["", "%%%", "AA==", PUBLISHED]) {
      expect(codes(decode({ family: "solana", transaction }))).toEqual(["solana.undecodable"])
    }
  })

  it("never throws on random bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
        const transaction = Buffer.from(bytes).toString("base64")
        expect(decode({ family: "solana", transaction }).findings).not.toEqual([])
      }),
    )
  })
})

describe("a deposit", () => {
  it(
    "decodes equally as a legacy and as a version 0 message, with and without compute-budget " +
      "instructions",
    () => {
      const budget = [
        ComputeBudgetProgram.setComputeUnitLimit({ units: 40_000 }),
        ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 9_000_000 }),
      ]
      for (const instructions of [[initiate], [...budget, initiate], [initiate, ...budget]]) {
        for (const request of [legacy(instructions), v0(instructions)]) {
          const decoded = decode(request)
          expect(decoded.findings).toEqual([])
          expect(decoded).toMatchObject({
            units: terms.units,
            redeemer: redeemer.toBase58(),
            secretHash: "07".repeat(32),
          })
        }
      }
    },
  )

  it("is refused if the transaction does more", () => {
    const more = [
      SystemProgram.transfer({
        fromPubkey: us.publicKey,
        toPubkey: stranger.publicKey,
        lamports: 1,
      }),
      new TransactionInstruction({
        programId: stranger.publicKey,
        keys: [],
        data: Buffer.alloc(0),
      }),
      SystemProgram.nonceAdvance({
        noncePubkey: stranger.publicKey,
        authorizedPubkey: us.publicKey,
      }),
    ]
    for (const instruction of more) {
      expect(codes(decode(legacy([initiate, instruction])))).toContain("solana.extra_instruction")
      expect(codes(decode(legacy([instruction, initiate])))).toContain("solana.extra_instruction")
    }
  })

  it("is refused unless the transaction calls the HTLC exactly once, with initiate", () => {
    expect(codes(decode(legacy([initiate, initiate])))).toContain("solana.initiate_count")
    expect(codes(decode(legacy([])))).toContain("solana.initiate_count")
    const refund = buildRefund(PROGRAM, us.publicKey, terms.secretHash)
    expect(codes(decode(legacy([refund])))).toContain("solana.instruction")
  })

  it("is refused on a program that is not configured", () => {
    const foreign = buildInitiate(stranger.publicKey, us.publicKey, terms)
    expect(codes(decode(legacy([foreign])))).toEqual([
      "solana.extra_instruction",
      "solana.initiate_count",
    ])
  })

  it("is refused if another account pays the fee or signs, or if another key has signed", () => {
    const foreignPayer = legacy([initiate], stranger.publicKey)
    expect(codes(decode(foreignPayer))).toEqual(["solana.fee_payer", "solana.signers"])
    const signed = transactionOf(foreignPayer)
    signed.signatures[0]?.set([1], 63)
    expect(codes(decode(requestOf(signed)))).toEqual([
      "solana.fee_payer",
      "solana.signers",
      "solana.signature_present",
    ])
    const twoSlots = transactionOf(legacy([initiate]))
    twoSlots.signatures.push(new Uint8Array(64))
    expect(codes(decode(requestOf(twoSlots)))).toEqual(["solana.undecodable"])
    const twoSigners = changeKey(initiate, 0, { isSigner: true })
    expect(codes(decode(legacy([twoSigners])))).toEqual(["solana.signers", "solana.swap_account"])
  })

  it("decodes equally with a signature in our own slot, whose bytes are never used", () => {
    const signed = transactionOf(legacy([initiate]))
    signed.signatures[0]?.fill(7)
    expect(decode(requestOf(signed))).toEqual(decode(legacy([initiate])))
    expect(decode(requestOf(signed)).findings).toEqual([])
  })

  it("is refused if it uses a foreign swap account, initiator or system program", () => {
    const otherAccount = changeKey(initiate, 0, { pubkey: stranger.publicKey })
    expect(codes(decode(legacy([otherAccount])))).toEqual(["solana.swap_account"])
    const foreignInitiator = buildInitiate(PROGRAM, stranger.publicKey, terms)
    expect(codes(decode(legacy([foreignInitiator])))).toEqual([
      "solana.signers",
      "solana.initiator",
    ])
    const otherSystem = changeKey(initiate, 2, { pubkey: stranger.publicKey })
    expect(codes(decode(legacy([otherSystem])))).toEqual(["solana.system_program"])
  })

  it("is refused with unneeded accounts, and with too few", () => {
    const extra = { pubkey: stranger.publicKey, isSigner: false, isWritable: true }
    const longer = new TransactionInstruction({ ...initiate, keys: [...initiate.keys, extra] })
    expect(codes(decode(legacy([longer])))).toEqual(["solana.extra_account"])
    const shorter = new TransactionInstruction({ ...initiate, keys: initiate.keys.slice(0, 2) })
    expect(codes(decode(legacy([shorter])))).toEqual(["solana.system_program"])
    const budget = ComputeBudgetProgram.setComputeUnitLimit({ units: 1 })
    const crowded = new TransactionInstruction({ ...budget, keys: [extra] })
    expect(codes(decode(legacy([crowded, initiate])))).toEqual(["solana.extra_instruction"])
  })

  it(
    "is refused for the native call of a program that is configured for tokens, and for a " +
      "request of another family",
    () => {
      const token = asset({ token: stranger.publicKey.toBase58() })
      const decoded = decodeDeposit(
        legacy([initiate]),
        walletOf(us.publicKey.toBase58(), [token]),
        SOL,
      )
      expect(codes(decoded)).toEqual(["solana.instruction"])
      expect(codes(decode({ family: "bitcoin", to: "tb1", units: 1n }))).toEqual(["solana.family"])
    },
  )

  it("lists the expected entries of lookup tables, and refuses unused entries", () => {
    const table = Keypair.generate().publicKey
    const decoded = decode(withLookup(table, { writable: [5], readonly: [] }))
    expect(decoded.findings).toEqual([])
    expect(decoded.extras["lookups"]).toEqual([
      { table: table.toBase58(), index: 5, expected: swapAccount.toBase58() },
    ])
    expect(codes(decode(withLookup(table, { writable: [5, 6], readonly: [] })))).toEqual([
      "solana.extra_account",
    ])
    expect(codes(decode(withLookup(table, { writable: [], readonly: [5] })))).toEqual([
      "solana.swap_account",
    ])
  })
})

describe("a deposit of a token", () => {
  it(
    "decodes with its vault, its mint and our token account, as a legacy and as a version 0 " +
      "message",
    () => {
      for (const request of [legacy([tokenInitiate]), v0([tokenInitiate])]) {
        const decoded = decodeToken(request)
        expect(decoded.findings).toEqual([])
        expect(decoded).toMatchObject({
          asset: USDC,
          htlc: SPL_PROGRAM.toBase58(),
          units: terms.units,
          timelock: terms.slots,
          redeemer: redeemer.toBase58(),
          refundTo: us.publicKey.toBase58(),
          secretHash: "07".repeat(32),
          extras: {
            swapAccount: deriveSwapData(SPL_PROGRAM, us.publicKey, terms.secretHash).toBase58(),
            lookups: [],
            spl: {
              mint: MINT.toBase58(),
              tokenProgram: "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA",
              vault: deriveVault(SPL_PROGRAM, MINT).toBase58(),
              tokenAccount: deriveTokenAccount(us.publicKey, MINT).toBase58(),
              destinationData: null,
            },
          },
        })
      }
    },
  )

  it("may create our own token account, and nothing else", () => {
    const create = buildCreateTokenAccount(us.publicKey, MINT)
    expect(decodeToken(legacy([create, tokenInitiate])).findings).toEqual([])
    const forStranger = buildCreateTokenAccount(stranger.publicKey, MINT)
    forStranger.keys = forStranger.keys.map((one, at) =>
      at === 0 ? { ...one, pubkey: us.publicKey } : one,
    )
    const notIdempotent = new TransactionInstruction({ ...create, data: Buffer.alloc(0) })
    const otherMint = buildCreateTokenAccount(us.publicKey, stranger.publicKey)
    for (const extra of [forStranger, notIdempotent, otherMint, transferTokens()]) {
      expect(codes(decodeToken(legacy([extra, tokenInitiate])))).toEqual([
        "solana.extra_instruction",
      ])
    }
  })

  it("is never co-signed with a relay that sponsors it or pays its fee", () => {
    const sponsored = changeKey(tokenInitiate, 6, { pubkey: stranger.publicKey })
    expect(codes(decodeToken(legacy([sponsored])))).toEqual(["solana.signers", "solana.sponsor"])
    const gasless = codes(decodeToken(legacy([sponsored], stranger.publicKey)))
    expect(gasless).toEqual([
      "solana.fee_payer",
      "solana.signers",
      "solana.initiator",
      "solana.sponsor",
    ])
  })

  it.each([
    [0, "solana.identity"],
    [1, "solana.swap_account"],
    [2, "solana.vault"],
    [4, "solana.token_account"],
    [7, "solana.token_program"],
    [8, "solana.system_program"],
  ])("is refused with another account at %i", (at, code) => {
    const other = changeKey(tokenInitiate, at, { pubkey: Keypair.generate().publicKey })
    expect(codes(decodeToken(legacy([other])))).toEqual([code])
  })

  it("is refused for a mint that is not configured, and belongs to the asset of its mint", () => {
    const junk = changeKey(tokenInitiate, 5, { pubkey: stranger.publicKey })
    expect(decodeToken(legacy([junk]))).toMatchObject({
      asset: null,
      findings: [{ code: "solana.mint" }],
    })
    const others = [token(CBBTC, OTHER_MINT), token(USDC, MINT)]
    const decoded = decodeDeposit(
      legacy([tokenInitiate]),
      walletOf(us.publicKey.toBase58(), others),
      CBBTC,
    )
    expect(decoded).toMatchObject({ asset: USDC, findings: [] })
  })

  it("is refused for Token-2022, for the native program, and if it has more or fewer accounts", () => {
    const newer = changeKey(tokenInitiate, 7, { pubkey: TOKEN_2022_PROGRAM })
    expect(codes(decodeToken(legacy([newer])))).toEqual(["solana.token_program"])
    const native = new TransactionInstruction({ ...initiate, programId: SPL_PROGRAM })
    expect(codes(decodeToken(legacy([native])))).toEqual(["solana.instruction"])
    const shorter = new TransactionInstruction({
      ...tokenInitiate,
      keys: tokenInitiate.keys.slice(0, 8),
    })
    expect(codes(decodeToken(legacy([shorter])))).toEqual(["solana.system_program"])
    const extra = { pubkey: stranger.publicKey, isSigner: false, isWritable: true }
    const longer = new TransactionInstruction({
      ...tokenInitiate,
      keys: [...tokenInitiate.keys, extra],
    })
    expect(codes(decodeToken(legacy([longer])))).toEqual(["solana.extra_account"])
  })
})

function decodeToken(request: DepositRequest): DecodedDeposit {
  const assets = [asset(), token(USDC, MINT), token(CBBTC, OTHER_MINT)]
  return decodeDeposit(request, walletOf(us.publicKey.toBase58(), assets), USDC)
}

/** The SPL Token program's transfer out of our token account. */
function transferTokens(): TransactionInstruction {
  const source = deriveTokenAccount(us.publicKey, MINT)
  const keys = [source, stranger.publicKey].map((pubkey) => ({
    pubkey,
    isSigner: false,
    isWritable: true,
  }))
  const owner = { pubkey: us.publicKey, isSigner: true, isWritable: false }
  const data = Buffer.concat([Buffer.of(3), Buffer.alloc(8, 1)])
  return new TransactionInstruction({ programId: TOKEN_PROGRAM, keys: [...keys, owner], data })
}

function decode(request: DepositRequest): DecodedDeposit {
  return decodeDeposit(request, wallet, SOL)
}

function decodeHex(hex: string): DecodedDeposit {
  const transaction = Buffer.from(hex, "hex").toString("base64")
  return decodeDeposit({ family: "solana", transaction }, PUBLISHED_WALLET, SOL)
}

function codes(decoded: DecodedDeposit): string[] {
  return decoded.findings.map((finding) => finding.code)
}

function message(instructions: TransactionInstruction[], payerKey: PublicKey): TransactionMessage {
  return new TransactionMessage({
    payerKey,
    recentBlockhash: stranger.publicKey.toBase58(),
    instructions,
  })
}

function legacy(instructions: TransactionInstruction[], payer = us.publicKey): DepositRequest {
  return requestOf(new VersionedTransaction(message(instructions, payer).compileToLegacyMessage()))
}

function v0(instructions: TransactionInstruction[]): DepositRequest {
  return requestOf(
    new VersionedTransaction(message(instructions, us.publicKey).compileToV0Message()),
  )
}

/** A version 0 message that takes its swap account from a lookup table. */
function withLookup(
  table: PublicKey,
  indexes: { writable: number[]; readonly: number[] },
): DepositRequest {
  const built = new MessageV0({
    header: {
      numRequiredSignatures: 1,
      numReadonlySignedAccounts: 0,
      numReadonlyUnsignedAccounts: 2,
    },
    staticAccountKeys: [us.publicKey, SystemProgram.programId, PROGRAM],
    recentBlockhash: stranger.publicKey.toBase58(),
    compiledInstructions: [
      { programIdIndex: 2, accountKeyIndexes: [3, 0, 1], data: initiate.data },
    ],
    addressTableLookups: [
      { accountKey: table, writableIndexes: indexes.writable, readonlyIndexes: indexes.readonly },
    ],
  })
  return requestOf(new VersionedTransaction(built))
}

function requestOf(transaction: VersionedTransaction): DepositRequest {
  return { family: "solana", transaction: Buffer.from(transaction.serialize()).toString("base64") }
}

function transactionOf(request: DepositRequest): VersionedTransaction {
  if (!isSolanaRequest(request)) throw new Error("not a Solana request")
  return VersionedTransaction.deserialize(Buffer.from(request.transaction, "base64"))
}

function changeKey(
  instruction: TransactionInstruction,
  at: number,
  over: Partial<TransactionInstruction["keys"][number]>,
): TransactionInstruction {
  const keys = instruction.keys.map((key, index) => (index === at ? { ...key, ...over } : key))
  return new TransactionInstruction({ ...instruction, keys })
}

function replaceBigint(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value
}
