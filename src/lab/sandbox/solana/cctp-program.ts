import { createHash } from "node:crypto"
import { PublicKey, SystemProgram, TransactionInstruction } from "@solana/web3.js"
import { findTokenAccount, TOKEN_PROGRAM } from "./spl-tokens.ts"

/** Encodes the calls and the state of `program/cctp.c`, both programs of CCTP in one file. */
export const MESSENGER = new PublicKey("CCTPV2vPZJS2u2BBsUoscuikbYjnpFmbFsvVuJdgUMQe")
export const TRANSMITTER = new PublicKey("CCTPV2Sm4AdWt5296sk4P66VBZ7bEhcARwFaaS9YPbeC")

export type Seeds = readonly (string | Uint8Array)[]

export function findAddress(program: PublicKey, seeds: Seeds): PublicKey {
  return PublicKey.findProgramAddressSync(seeds.map(toBytes), program)[0]
}

/**
 * Opens an account at an address of the program, and gives it its state. Every account may: it is a
 * stand-in.
 */
export function openState(
  program: PublicKey,
  payer: PublicKey,
  seeds: Seeds,
  state: { readonly data: Buffer; readonly lamports: number },
): readonly TransactionInstruction[] {
  const { data, lamports } = state
  const owner = program
  return [
    openAccount(program, payer, seeds, { space: data.length, lamports, owner }),
    writeState(program, seeds, data),
  ]
}

/** The system program's creation, signed by the address itself. */
export function openAccount(
  program: PublicKey,
  payer: PublicKey,
  seeds: Seeds,
  account: { readonly space: number; readonly lamports: number; readonly owner: PublicKey },
): TransactionInstruction {
  const address = findAddress(program, seeds)
  const { space, lamports, owner: programId } = account
  const { data } = SystemProgram.createAccount({
    fromPubkey: payer,
    newAccountPubkey: address,
    space,
    lamports,
    programId,
  })
  const named = seeds.map(toBytes).flatMap((seed) => [Buffer.of(seed.length), seed])
  return new TransactionInstruction({
    programId: program,
    keys: [
      { pubkey: SystemProgram.programId, isSigner: false, isWritable: false },
      { pubkey: payer, isSigner: true, isWritable: true },
      { pubkey: address, isSigner: false, isWritable: true },
    ],
    data: Buffer.concat([
      hashed("global:stand_in_invoke"),
      Buffer.of(seeds.length),
      ...named,
      data,
    ]),
  })
}

export function writeState(program: PublicKey, seeds: Seeds, data: Buffer): TransactionInstruction {
  const pubkey = findAddress(program, seeds)
  return new TransactionInstruction({
    programId: program,
    keys: [{ pubkey, isSigner: false, isWritable: true }],
    data: Buffer.concat([hashed("global:stand_in_write"), data]),
  })
}

/** `attesters`: addresses of 20 bytes, in hex. Both are needed for each message. */
export function transmitterState(options: {
  readonly owner: PublicKey
  readonly domain: number
  readonly attesters: readonly string[]
  readonly isPaused?: boolean
}): Buffer {
  const { owner, domain, attesters, isPaused = false } = options
  return Buffer.concat([
    hashed("account:MessageTransmitter"),
    ...[owner, PublicKey.default, owner, owner].map(toBytes),
    Buffer.of(isPaused ? 1 : 0),
    u32(domain),
    u32(1),
    u32(attesters.length),
    u32(attesters.length),
    ...attesters.map((hex) => word(hex)),
    u64(8_192n),
  ])
}

export function messengerState(feeRecipient: PublicKey, minFee = 0): Buffer {
  const owner = feeRecipient
  return Buffer.concat([
    hashed("account:TokenMessenger"),
    ...[owner, owner, PublicKey.default].map(toBytes),
    u32(1),
    Buffer.of(0),
    toBytes(feeRecipient),
    toBytes(owner),
    u32(minFee),
  ])
}

export function remoteState(domain: number, messenger: string): Buffer {
  return Buffer.concat([hashed("account:RemoteTokenMessenger"), u32(domain), word(messenger)])
}

export function minterState(owner: PublicKey, isPaused = false): Buffer {
  const keys = [owner, owner].map(toBytes)
  return Buffer.concat([hashed("account:TokenMinter"), ...keys, Buffer.of(isPaused ? 1 : 0, 0)])
}

export function localTokenState(mint: PublicKey, burnLimitUnits: bigint): Buffer {
  const custody = findAddress(MESSENGER, ["custody", mint.toBytes()])
  const counted = Buffer.alloc(48)
  return Buffer.concat([
    hashed("account:LocalToken"),
    toBytes(custody),
    toBytes(mint),
    u64(burnLimitUnits),
    counted,
    Buffer.of(0, 0),
  ])
}

export function tokenPairState(domain: number, remoteToken: string, mint: PublicKey): Buffer {
  const localToken = findAddress(MESSENGER, ["local_token", mint.toBytes()])
  return Buffer.concat([
    hashed("account:TokenPair"),
    u32(domain),
    word(remoteToken),
    toBytes(localToken),
    Buffer.of(0),
  ])
}

/** `InitializeAccount3` of the token program. */
export function initializeCustody(mint: PublicKey): TransactionInstruction {
  const owner = findAddress(MESSENGER, ["token_minter"])
  return new TransactionInstruction({
    programId: TOKEN_PROGRAM,
    keys: [
      {
        pubkey: findAddress(MESSENGER, ["custody", mint.toBytes()]),
        isSigner: false,
        isWritable: true,
      },
      { pubkey: mint, isSigner: false, isWritable: false },
    ],
    data: Buffer.concat([Buffer.of(18), toBytes(owner)]),
  })
}

/** The accounts that mints of all messages name, for a table of addresses. */
export function sharedAddresses(mint: PublicKey, feeRecipient: PublicKey): readonly PublicKey[] {
  return [
    findAddress(TRANSMITTER, ["message_transmitter_authority", MESSENGER.toBytes()]),
    findAddress(TRANSMITTER, ["message_transmitter"]),
    MESSENGER,
    SystemProgram.programId,
    findAddress(TRANSMITTER, ["__event_authority"]),
    findAddress(MESSENGER, ["token_messenger"]),
    findAddress(MESSENGER, ["token_minter"]),
    findAddress(MESSENGER, ["local_token", mint.toBytes()]),
    findAddress(MESSENGER, ["custody", mint.toBytes()]),
    findTokenAccount(feeRecipient, mint),
    TOKEN_PROGRAM,
    findAddress(MESSENGER, ["__event_authority"]),
  ]
}

/** The account of the message that a call of the messenger opens. */
export const EVENT_ACCOUNT_AT = 11
const MESSAGE_AT = 52

/** The emitted message in the data of its account. */
export function readEmitted(data: Buffer): `0x${string}` {
  return `0x${data.toString("hex", MESSAGE_AT, MESSAGE_AT + data.readUInt32LE(48))}`
}

function hashed(name: string): Buffer {
  return createHash("sha256").update(name).digest().subarray(0, 8)
}

function toBytes(value: string | Uint8Array | PublicKey): Buffer {
  if (value instanceof PublicKey) return Buffer.from(value.toBytes())
  return Buffer.from(value)
}

function word(hex: string): Buffer {
  return Buffer.from(hex.replace(/^0x/, "").padStart(64, "0"), "hex")
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

function u64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(value)
  return bytes
}
