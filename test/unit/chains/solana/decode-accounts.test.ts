import { Keypair, type PublicKey } from "@solana/web3.js"
import { describe, expect, test } from "vitest"
import {
  buildInitiate,
  buildRedeem,
  buildRefund,
  DISCRIMINATORS,
  decodeExpirySlot,
  decodeHtlcCall,
  decodeSwap,
  deriveSwapAccount,
  SWAP_ACCOUNT_BYTES,
  SWAP_ACCOUNT_DISCRIMINATOR,
} from "#chains/solana/htlc.ts"
import { buildSplInitiate, decodeSplCall, decodeSplSwap } from "#chains/solana/spl-htlc.ts"
import {
  decodeMintDecimals,
  decodeTokenAccount,
  deriveTokenAccount,
  listMintExtensions,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from "#chains/solana/tokens.ts"

const key = (byte: number): PublicKey => Keypair.fromSeed(Buffer.alloc(32, byte)).publicKey
const program = key(1)
const initiator = key(2)
const redeemer = key(3)
const secretHash = Buffer.alloc(32, 7)
const terms = { units: 1_000n, slots: 216_000n, redeemer, secretHash }
const hex = (text: string): Buffer => Buffer.from(text, "hex")

describe("a call of the native program", () => {
  test("is read from the bytes that we write, and from no others", () => {
    expect(decodeHtlcCall(buildInitiate(program, initiator, terms).data)).toEqual({
      kind: "initiate",
      terms,
    })
    const secret = Buffer.alloc(32, 9)
    const redeem = buildRedeem(program, { initiator, redeemer }, secret)
    expect(decodeHtlcCall(redeem.data)).toEqual({ kind: "redeem", secret: "09".repeat(32) })
    expect(decodeHtlcCall(buildRefund(program, initiator, secretHash).data)).toEqual({
      kind: "refund",
    })
    expect(decodeHtlcCall(hex(DISCRIMINATORS.instantRefund))).toEqual({ kind: "instantRefund" })
    for (const data of [redeem.data, hex(DISCRIMINATORS.refund)]) {
      expect(decodeHtlcCall(data.subarray(0, -1))).toBeNull()
      expect(decodeHtlcCall(Buffer.concat([data, Buffer.of(0)]))).toBeNull()
    }
    expect(decodeHtlcCall(Buffer.alloc(88, 1))).toBeNull()
  })

  test("writes the accounts whose balances it changes, and needs only the depositor's signature", () => {
    const swapAccount = deriveSwapAccount(program, initiator, secretHash)
    const flags = ({ keys }: ReturnType<typeof buildRefund>) =>
      keys.map(({ isSigner, isWritable }) => `${isSigner ? "s" : "-"}${isWritable ? "w" : "-"}`)
    const deposit = buildInitiate(program, initiator, terms)
    expect(deposit.keys[0]?.pubkey).toEqual(swapAccount)
    expect(flags(deposit)).toEqual(["-w", "sw", "--"])
    expect(flags(buildRefund(program, initiator, secretHash))).toEqual(["-w", "-w"])
    const redeem = buildRedeem(program, { initiator, redeemer }, Buffer.alloc(32, 9))
    expect(flags(redeem)).toEqual(["-w", "-w", "-w"])
    expect(redeem.keys.slice(1).map(({ pubkey }) => pubkey)).toEqual([initiator, redeemer])
  })
})

describe("a call of the token program", () => {
  const build = (destinationData: Buffer | null): Buffer =>
    buildSplInitiate(program, { initiator, mint: key(4) }, { ...terms, destinationData }).data

  test.each([null, Buffer.alloc(0), Buffer.from("data")])("is read with data %o", (data) => {
    const call = decodeSplCall(build(data))
    expect(call).toEqual({ kind: "initiate", terms: { ...terms, destinationData: data } })
  })

  test("has no bytes behind its option, and none too few", () => {
    expect(decodeSplCall(Buffer.concat([build(null), Buffer.of(0)]))).toBeNull()
    expect(decodeSplCall(Buffer.concat([build(Buffer.from("a")), Buffer.of(0)]))).toBeNull()
    expect(decodeSplCall(build(Buffer.from("ab")).subarray(0, -1))).toBeNull()
    for (let length = 8; length <= 92; length++)
      expect(decodeSplCall(build(Buffer.from("ab")).subarray(0, length)), `${length}`).toBeNull()
  })

  test("has an option of 0 or 1, also where the length fits", () => {
    const data = build(Buffer.from("ab"))
    data[88] = 2
    expect(decodeSplCall(data)).toBeNull()
  })

  test("settles with bytes of exact length", () => {
    const redeem = Buffer.concat([hex(DISCRIMINATORS.redeem), Buffer.alloc(32, 9)])
    expect(decodeSplCall(redeem)).toEqual({ kind: "redeem", secret: "09".repeat(32) })
    expect(decodeSplCall(redeem.subarray(0, 39))).toBeNull()
    expect(decodeSplCall(hex(DISCRIMINATORS.refund))).toEqual({ kind: "refund" })
    expect(decodeSplCall(hex(`${DISCRIMINATORS.refund}00`))).toBeNull()
    expect(decodeSplCall(hex(DISCRIMINATORS.instantRefund))).toEqual({ kind: "instantRefund" })
    expect(decodeSplCall(hex(`${DISCRIMINATORS.instantRefund}00`))).toBeNull()
  })
})

describe("the record of a swap", () => {
  const record = Buffer.alloc(SWAP_ACCOUNT_BYTES, 1)
  hex(SWAP_ACCOUNT_DISCRIMINATOR).copy(record)
  record.writeBigUInt64LE(1_000n, 8)
  record.writeBigUInt64LE(500n, 16)
  Buffer.from(initiator.toBytes()).copy(record, 24)
  Buffer.from(redeemer.toBytes()).copy(record, 56)
  secretHash.copy(record, 88)
  const stranger = Buffer.from(record)
  stranger[0] = 0

  test("has its fields at their places", () => {
    expect(decodeExpirySlot(record)).toBe(500n)
    expect(decodeSwap(record)).toEqual({
      expirySlot: 500n,
      initiator: initiator.toBase58(),
      redeemer: redeemer.toBase58(),
      sponsor: initiator.toBase58(),
      units: 1_000n,
      secretHash,
    })
  })

  test("is of its length and its kind", () => {
    for (const data of [record.subarray(1), Buffer.concat([record, Buffer.of(0)]), stranger]) {
      expect(decodeExpirySlot(data)).toBeNull()
      expect(decodeSwap(data)).toBeNull()
    }
  })

  test("of a token swap has a sponsor of its own", () => {
    const sponsor = key(5)
    const data = Buffer.alloc(153)
    hex(SWAP_ACCOUNT_DISCRIMINATOR).copy(data)
    data.writeBigUInt64LE(500n, 8)
    Buffer.from(initiator.toBytes()).copy(data, 16)
    Buffer.from(redeemer.toBytes()).copy(data, 48)
    secretHash.copy(data, 80)
    data.writeBigUInt64LE(1_000n, 112)
    Buffer.from(sponsor.toBytes()).copy(data, 121)
    expect(decodeSplSwap(data)).toEqual({
      expirySlot: 500n,
      initiator: initiator.toBase58(),
      redeemer: redeemer.toBase58(),
      sponsor: sponsor.toBase58(),
      units: 1_000n,
      secretHash,
    })
    expect(decodeSplSwap(data.subarray(1))).toBeNull()
    data[0] = 0
    expect(decodeSplSwap(data)).toBeNull()
  })
})

describe("a token account", () => {
  const data = Buffer.alloc(165)
  Buffer.from(key(4).toBytes()).copy(data)
  Buffer.from(initiator.toBytes()).copy(data, 32)
  data.writeBigUInt64LE(77n, 64)
  const inState = (state: number): Buffer => {
    const copy = Buffer.from(data)
    copy[108] = state
    return copy
  }
  const owner = TOKEN_PROGRAM.toBase58()

  test("is initialized or frozen", () => {
    const read = { mint: key(4).toBase58(), owner: initiator.toBase58(), units: 77n }
    expect(decodeTokenAccount({ owner, data: inState(1) })).toEqual({ ...read, isFrozen: false })
    expect(decodeTokenAccount({ owner, data: inState(2) })).toEqual({ ...read, isFrozen: true })
    for (const state of [0, 3])
      expect(decodeTokenAccount({ owner, data: inState(state) })).toBeNull()
  })

  test("belongs to the token program and has its length", () => {
    const other = TOKEN_2022_PROGRAM.toBase58()
    expect(decodeTokenAccount({ owner: other, data: inState(1) })).toBeNull()
    expect(decodeTokenAccount({ owner, data: inState(1).subarray(1) })).toBeNull()
    expect(decodeTokenAccount(null)).toBeNull()
  })

  test("is another one for each owner and mint", () => {
    const one = deriveTokenAccount(initiator, key(4))
    expect(deriveTokenAccount(redeemer, key(4))).not.toEqual(one)
    expect(deriveTokenAccount(initiator, key(5))).not.toEqual(one)
  })

  test("has the decimals of an initialized mint", () => {
    const mint = Buffer.alloc(82)
    mint[44] = 6
    expect(decodeMintDecimals({ owner, data: mint })).toBeNull()
    mint[45] = 1
    expect(decodeMintDecimals({ owner, data: mint })).toBe(6)
    expect(decodeMintDecimals({ owner, data: mint.subarray(1) })).toBeNull()
    expect(decodeMintDecimals({ owner: program.toBase58(), data: mint })).toBeNull()
    expect(decodeMintDecimals(null)).toBeNull()
  })
})

describe("the extensions of a mint", () => {
  const entry = (type: number, length: number): Buffer => {
    const head = Buffer.alloc(4 + length, 0xff)
    head.writeUInt16LE(type, 0)
    head.writeUInt16LE(length, 2)
    return head
  }
  const mint = (...entries: readonly Buffer[]): Buffer =>
    Buffer.concat([Buffer.alloc(166), ...entries])

  test.each([
    [1, "transfer fee"],
    [3, "mint close authority"],
    [4, "confidential transfers"],
    [6, "default account state"],
    [9, "non-transferable"],
    [10, "interest"],
    [12, "permanent delegate"],
    [14, "transfer hook"],
    [16, "confidential transfer fee"],
    [18, "metadata pointer"],
    [19, "metadata"],
    [25, "scaled amounts"],
    [26, "pausable"],
    [300, "extension 300"],
  ])("%i is %s", (type, name) => {
    expect(listMintExtensions(mint(entry(type, 0)))).toEqual([name])
  })

  test("follow each other until the data or the list ends", () => {
    const entries = [entry(1, 108), entry(0x102, 3), entry(14, 0)]
    expect(listMintExtensions(mint(...entries))).toEqual([
      "transfer fee",
      "extension 258",
      "transfer hook",
    ])
    expect(listMintExtensions(mint(entry(1, 2), entry(0, 0), entry(14, 0)))).toEqual([
      "transfer fee",
    ])
    expect(listMintExtensions(mint(entry(12, 0).subarray(0, 3)))).toEqual([])
    expect(listMintExtensions(mint())).toEqual([])
  })
})
