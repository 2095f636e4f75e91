import { createHash, createPublicKey, verify } from "node:crypto"
import {
  ComputeBudgetProgram,
  PublicKey,
  SystemProgram,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from "@solana/web3.js"
import fc from "fast-check"
import { parseAssetId, toChainId } from "#domain/asset.ts"
import type { TransactionAction, TransactionPlan } from "#domain/transaction.ts"
import type { SignerQuestion } from "#signer/wire.ts"
import { ASSETS } from "../../support/signer-process.ts"
import { demand, secretHashOf } from "./evm-attacks.ts"
import type { SignedThing } from "./signed-thing.ts"

const CHAIN = toChainId("solana_testnet")
const US = new PublicKey("CcFVLyzjkRYDTFBQWoDWSugz2Xns3MgFPDRqSUAKfUEa")
const STRANGER = new PublicKey("Vote111111111111111111111111111111111111111")
const SOL_PROGRAM = new PublicKey(ASSETS["solana_testnet:sol"].htlc[0])
const SPL_PROGRAM = new PublicKey(ASSETS["solana_testnet:usdc"].htlc[0])
const USDC = new PublicKey(ASSETS["solana_testnet:usdc"].token)
const TOKENS = new PublicKey("TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA")
const ACCOUNTS = new PublicKey("ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL")
const SOL_ID = parseAssetId("solana_testnet:sol")
const USDC_ID = parseAssetId("solana_testnet:usdc")

const attacks = fc.record({
  call: mostly(
    fc.constantFrom("sol", "sol", "usdc", "refund", "redeem"),
    fc.constantFrom("transfer", "tokenTransfer", "approveToken", "setAuthority"),
  ),
  program: mostly(fc.constant("right"), fc.constantFrom("stranger", "swapped")),
  payee: mostly(fc.constant(US), fc.constant(STRANGER)),
  units: mostly(fc.bigInt(1n, 90_000n), fc.constantFrom(100_001n, 2n ** 63n)),
  slots: mostly(fc.bigInt(500n, 50_000n), fc.constantFrom(0n, 2n ** 40n)),
  secret: fc.integer({ min: 2_000, max: 2_400 }),
  order: fc.integer({ min: 2_000, max: 2_400 }),
  more: mostly(fc.constant("nothing"), fc.constantFrom("transfer", "memo", "second deposit")),
  price: mostly(fc.bigInt(0n, 900_000n), fc.constant(5_000_000n)),
  limit: mostly(fc.constant("right"), fc.constant("high")),
  payer: mostly(fc.constant(US), fc.constant(STRANGER)),
  tail: mostly(fc.constant(""), fc.constantFrom("00", "01000000")),
  blockhash: fc.integer({ min: 1, max: 250 }),
  action: mostly(
    fc.constant<"right" | TransactionAction>("right"),
    fc.constantFrom<TransactionAction>("void", "refund", "redeem", "approve", "openTokenAccount"),
  ),
  lie: mostly(
    fc.constant("none"),
    fc.constantFrom("spends less", "resources", "digest", "account", "fee"),
  ),
})
type Attack = typeof attacks extends fc.Arbitrary<infer T> ? T : never

function mostly<T>(right: fc.Arbitrary<T>, wrong: fc.Arbitrary<T>): fc.Arbitrary<T> {
  return fc.oneof({ weight: 12, arbitrary: right }, { weight: 1, arbitrary: wrong })
}

export const solanaQuestions: fc.Arbitrary<SignerQuestion> = attacks.map((attack) => ({
  kind: "transaction",
  order: `order-${attack.order}`,
  plan: planOf(attack),
  deposit: null,
}))

function planOf(attack: Attack): TransactionPlan {
  const isToken = attack.call === "usdc"
  const units = (isToken ? 250_000 : 100_000) * (attack.limit === "high" ? 14 : 1)
  const deposit = instructionOf(attack)
  const message = new TransactionMessage({
    payerKey: attack.payer,
    recentBlockhash: new PublicKey(Buffer.alloc(32, attack.blockhash)).toBase58(),
    instructions: [
      ComputeBudgetProgram.setComputeUnitLimit({ units }),
      ComputeBudgetProgram.setComputeUnitPrice({ microLamports: attack.price }),
      deposit,
      ...moreOf(attack),
    ],
  })
    .compileToLegacyMessage()
    .serialize()
  const right: TransactionAction =
    attack.call === "refund" || attack.call === "redeem" ? attack.call : "initiate"
  const spent = attack.lie === "spends less" ? attack.units / 2n : attack.units
  return {
    chain: CHAIN,
    attempt: 0,
    unsigned: message.toString("base64"),
    account: attack.lie === "account" ? STRANGER.toBase58() : US.toBase58(),
    action: attack.action === "right" ? right : attack.action,
    digest: attack.lie === "digest" ? "00" : createHash("sha256").update(message).digest("hex"),
    resources: attack.lie === "resources" ? [] : [`order-pda:${swapOf(attack).toBase58()}`],
    spends: right === "initiate" ? [{ asset: isToken ? USDC_ID : SOL_ID, units: spent }] : [],
    maxFeeUnits: attack.lie === "fee" ? 1n : 10n ** 9n,
    fromHeight: 1n,
    expiresAtHeight: 100n,
  }
}

function swapOf({ call, secret }: Attack): PublicKey {
  const hash = Buffer.from(secretHashOf(secret), "hex")
  const [seeds, program] =
    call === "usdc"
      ? ([[US.toBytes(), hash], SPL_PROGRAM] as const)
      : ([[Buffer.from("swap_account"), US.toBytes(), hash], SOL_PROGRAM] as const)
  return PublicKey.findProgramAddressSync([...seeds], program)[0]
}

function instructionOf(attack: Attack): TransactionInstruction {
  const { call, units, slots, secret, program } = attack
  const wrong = program === "stranger" ? STRANGER : call === "usdc" ? SOL_PROGRAM : SPL_PROGRAM
  const number = (value: bigint): Buffer => {
    const bytes = Buffer.alloc(8)
    bytes.writeBigUInt64LE(value)
    return bytes
  }
  const hash = Buffer.from(secretHashOf(secret), "hex")
  const account = (pubkey: PublicKey, isWritable: boolean, isSigner = false) => ({
    pubkey,
    isWritable,
    isSigner,
  })
  const ours = tokenAccountOf(US)
  const initiate = Buffer.from("053f7b71994b940e", "hex")
  const tail = Buffer.from(attack.tail, "hex")
  switch (call) {
    case "sol":
      return new TransactionInstruction({
        programId: program === "right" ? SOL_PROGRAM : wrong,
        keys: [
          account(swapOf(attack), true),
          account(US, true, true),
          account(SystemProgram.programId, false),
        ],
        data: Buffer.concat([
          initiate,
          number(units),
          number(slots),
          STRANGER.toBytes(),
          hash,
          tail,
        ]),
      })
    case "usdc":
      return new TransactionInstruction({
        programId: program === "right" ? SPL_PROGRAM : wrong,
        keys: [
          account(PublicKey.findProgramAddressSync([], SPL_PROGRAM)[0], true),
          account(swapOf(attack), true),
          account(PublicKey.findProgramAddressSync([USDC.toBytes()], SPL_PROGRAM)[0], true),
          account(US, false, true),
          account(ours, true),
          account(USDC, false),
          account(US, true, true),
          account(TOKENS, false),
          account(SystemProgram.programId, false),
        ],
        data: Buffer.concat([
          initiate,
          number(slots),
          STRANGER.toBytes(),
          hash,
          number(units),
          Buffer.of(0),
          tail,
        ]),
      })
    case "refund":
      return new TransactionInstruction({
        programId: program === "right" ? SOL_PROGRAM : wrong,
        keys: [account(swapOf(attack), true), account(US, true)],
        data: Buffer.concat([Buffer.from("0260b7fb3fd02e2e", "hex"), tail]),
      })
    case "redeem":
      return new TransactionInstruction({
        programId: program === "right" ? SOL_PROGRAM : wrong,
        keys: [
          account(payoutOf(slots), true),
          account(STRANGER, true),
          account(attack.payee, true),
        ],
        data: Buffer.concat([REDEEM, Buffer.alloc(24), number(slots), tail]),
      })
    case "transfer":
      return transferOf(units)
    default:
      return new TransactionInstruction({
        programId: TOKENS,
        keys: [
          account(ours, true),
          account(tokenAccountOf(STRANGER), true),
          account(US, false, true),
        ],
        data: Buffer.concat([
          Buffer.of({ tokenTransfer: 3, approveToken: 4, setAuthority: 6 }[call] ?? 3),
          number(units),
        ]),
      })
  }
}

const REDEEM = Buffer.from("b80c569546c461e1", "hex")

/** The swap account of a stranger's payout. Its secret is some zeros with a number. */
function payoutOf(serial: bigint): PublicKey {
  const secret = Buffer.alloc(32)
  secret.writeBigUInt64LE(serial, 24)
  const hash = createHash("sha256").update(secret).digest()
  return PublicKey.findProgramAddressSync(
    [Buffer.from("swap_account"), STRANGER.toBytes(), hash],
    SOL_PROGRAM,
  )[0]
}

function moreOf(attack: Attack): TransactionInstruction[] {
  if (attack.more === "transfer") return [transferOf(attack.units)]
  if (attack.more === "second deposit")
    return [instructionOf({ ...attack, secret: attack.secret + 1 })]
  return attack.more === "memo"
    ? [new TransactionInstruction({ programId: STRANGER, keys: [], data: Buffer.from("hi") })]
    : []
}

function transferOf(units: bigint): TransactionInstruction {
  return SystemProgram.transfer({ fromPubkey: US, toPubkey: STRANGER, lamports: units })
}

function tokenAccountOf(owner: PublicKey): PublicKey {
  return PublicKey.findProgramAddressSync(
    [owner.toBytes(), TOKENS.toBytes(), USDC.toBytes()],
    ACCOUNTS,
  )[0]
}

/** Reads signed bytes with @solana/web3.js and Node's own Ed25519. */
export function readSignedSolana(raw: string, order: string): SignedThing {
  const { message, signatures } = VersionedTransaction.deserialize(Buffer.from(raw, "base64"))
  const key = createPublicKey({
    key: Buffer.concat([Buffer.from("302a300506032b6570032100", "hex"), US.toBytes()]),
    format: "der",
    type: "spki",
  })
  demand(verify(null, message.serialize(), key, signatures[0] ?? new Uint8Array()), "by our key")
  demand(
    message.header.numRequiredSignatures === 1 && message.addressTableLookups.length === 0,
    "alone",
  )
  const calls = message.compiledInstructions.map(({ programIdIndex, accountKeyIndexes, data }) => ({
    program: message.staticAccountKeys[programIdIndex]?.toBase58(),
    accounts: accountKeyIndexes.map((index) => message.staticAccountKeys[index]?.toBase58() ?? ""),
    data: Buffer.from(data),
  }))
  const own = calls.filter(({ program }) => program !== ComputeBudgetProgram.programId.toBase58())
  const [call] = own
  demand(own.length === 1 && call !== undefined, "one call")
  const price =
    calls.flatMap(({ data }) =>
      data[0] === 3 && data.length === 9 ? [data.readBigUInt64LE(1)] : [],
    )[0] ?? 0n
  const limit = calls.flatMap(({ data }) =>
    data[0] === 2 && data.length === 5 ? [BigInt(data.readUInt32LE(1))] : [],
  )[0]
  const isRedemption = call.data.toString("hex", 0, 8) === REDEEM.toString("hex")
  // An urgent redemption may pay fifty times the cap.
  const mostPrice = isRedemption ? 50_000_000n : 1_000_000n
  demand(price <= mostPrice && limit !== undefined && limit <= 250_000n, "a fee within the cap")
  const fee = { asset: SOL_ID, units: 5_000n + (limit * price) / 1_000_000n }
  const kind = call.data.toString("hex", 0, 8)
  const isNative = call.program === SOL_PROGRAM.toBase58()
  demand(isNative || call.program === SPL_PROGRAM.toBase58(), "a program of the list")
  const digest = createHash("sha256").update(message.serialize()).digest("hex")
  const base = { chain: "solana_testnet", order, group: digest }
  if (kind === "0260b7fb3fd02e2e") {
    demand(call.data.length === 8, "no hidden bytes")
    return { ...base, secretHash: null, exclusive: [], spends: [fee], amounts: [] }
  }
  if (kind === REDEEM.toString("hex")) {
    demand(isNative && call.data.length === 40, "no hidden bytes")
    demand(call.accounts[2] === US.toBase58(), "a payout to us")
    return { ...base, secretHash: null, exclusive: [], spends: [fee], amounts: [] }
  }
  demand(
    kind === "053f7b71994b940e" && call.data.length === (isNative ? 88 : 89),
    "an initiate without hidden bytes",
  )
  const units = call.data.readBigUInt64LE(isNative ? 8 : 80)
  const slots = call.data.readBigUInt64LE(isNative ? 16 : 8)
  const secretHash = call.data.toString("hex", isNative ? 56 : 48, isNative ? 88 : 80)
  demand(slots >= 100n && slots < 2n ** 32n, "a timelock that ends")
  const spend = { asset: isNative ? SOL_ID : USDC_ID, units }
  return {
    ...base,
    secretHash,
    exclusive: [call.accounts[isNative ? 0 : 1] ?? ""],
    spends: [fee, spend],
    amounts: [spend],
  }
}
