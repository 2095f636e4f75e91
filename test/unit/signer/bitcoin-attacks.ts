import {
  crypto,
  initEccLib,
  networks,
  opcodes,
  Psbt,
  payments,
  script,
  Transaction,
} from "bitcoinjs-lib"
import { ECPairFactory } from "ecpair"
import fc from "fast-check"
import * as ecc from "tiny-secp256k1"
import { digestOf } from "#chains/bitcoin/spend/build.ts"
import type { Wallet } from "#chains/bitcoin/wallet.ts"
import { parseAssetId, toChainId } from "#domain/asset.ts"
import type { VerifiedDeposit } from "#domain/deposit.ts"
import type { TransactionPlan } from "#domain/transaction.ts"
import type { SignerQuestion } from "#signer/wire.ts"
import { demand, secretHashOf } from "./evm-attacks.ts"
import type { SignedThing } from "./signed-thing.ts"

initEccLib(ecc)

const CHAIN = toChainId("bitcoin_testnet")
const BTC = parseAssetId("bitcoin_testnet:btc")
const network = networks.regtest
const pair = ECPairFactory(ecc).fromWIF(
  "cMkS8cvcBSd3ar8jYkyG14T5AuNfTmnVNVDCFiCZuGtN2dmxnRq5",
  network,
)
const ourKey = Buffer.from(pair.publicKey.subarray(1))
const strangerKey = keyOf(77)
const redeemKey = keyOf(78)
const wallet = payments.p2tr({ internalPubkey: ourKey, network })
const US = wallet.address ?? ""
const ourScript = wallet.output ?? new Uint8Array()
const strangerPayment = payments.p2tr({ internalPubkey: strangerKey, network })

type Terms = {
  readonly refundKey: string
  readonly redeemKey: string
  readonly secretHash: string
  readonly timelock: number
}

/** The HTLC's script tree, written for this test from its description. */
function htlcOf({ refundKey, redeemKey, secretHash, timelock }: Terms): {
  address: string
  output: Uint8Array
} {
  const hex = (text: string): Buffer => Buffer.from(text, "hex")
  // CAST: the library lists its opcodes by name, in an enum.
  const op = (name: string): number =>
    Number((opcodes as unknown as Readonly<Record<string, number>>)[name])
  const redeem = [
    op("OP_SHA256"),
    hex(secretHash),
    op("OP_EQUALVERIFY"),
    hex(redeemKey),
    op("OP_CHECKSIG"),
  ]
  const refund = [
    script.number.encode(timelock),
    op("OP_CHECKSEQUENCEVERIFY"),
    op("OP_DROP"),
    hex(refundKey),
    op("OP_CHECKSIG"),
  ]
  const instant = [
    hex(refundKey),
    op("OP_CHECKSIG"),
    hex(redeemKey),
    op("OP_CHECKSIGADD"),
    op("OP_2"),
    op("OP_NUMEQUAL"),
  ]
  const leaf = (chunks: (number | Buffer | Uint8Array)[]) => ({ output: script.compile(chunks) })
  const payment = payments.p2tr({
    internalPubkey: hex("2160e11a135f94e536a5b222e5d09fd9db1be5f5f5e753920290c0410cf388f0"),
    scriptTree: [leaf(redeem), [leaf(refund), leaf(instant)]],
    network,
  })
  return { address: payment.address ?? "", output: payment.output ?? new Uint8Array() }
}

const COIN_UNITS = 200_000n
/** Parents that pay us, and one that pays a stranger. */
const coins = Array.from({ length: 300 }, (_, serial) => {
  const parent = new Transaction()
  parent.addInput(new Uint8Array(32).fill(serial % 251), serial)
  parent.addOutput(ourScript, COIN_UNITS)
  return { txid: parent.getId(), parent }
})

const attacks = fc.record({
  coins: fc.uniqueArray(fc.integer({ min: 0, max: coins.length - 1 }), {
    minLength: 1,
    maxLength: 2,
  }),
  units: mostly(fc.bigInt(20_000n, 90_000n), fc.constantFrom(150_000n, 0n)),
  secret: fc.integer({ min: 1_000, max: 1_250 }),
  order: fc.integer({ min: 1_000, max: 1_250 }),
  timelock: mostly(fc.integer({ min: 10, max: 1_000 }), fc.constantFrom(1, 2, 60_000)),
  payee: mostly(fc.constant("htlc"), fc.constantFrom("stranger", "other terms", "us")),
  change: mostly(fc.constant("us"), fc.constantFrom("stranger", "burnt", "two")),
  terms: mostly(
    fc.constant("right"),
    fc.constantFrom("none", "stranger refunds", "other secret", "longer"),
  ),
  feeUnits: mostly(fc.bigInt(300n, 5_000n), fc.constantFrom(0n, 100_000n)),
  proof: mostly(fc.constant("right"), fc.constantFrom("none", "false value", "other transaction")),
  action: mostly(
    fc.constantFrom("initiate", "initiate", "initiate", "void"),
    fc.constantFrom("refund", "redeem", "approve"),
  ),
  sequence: mostly(fc.constant(0xfffffffd), fc.constantFrom(0xffffffff, 5)),
  lie: mostly(
    fc.constant("none"),
    fc.constantFrom("spends less", "resources", "digest", "fee", "stated target"),
  ),
})
type Attack = typeof attacks extends fc.Arbitrary<infer T> ? T : never

function mostly<T>(right: fc.Arbitrary<T>, wrong: fc.Arbitrary<T>): fc.Arbitrary<T> {
  return fc.oneof({ weight: 14, arbitrary: right }, { weight: 1, arbitrary: wrong })
}

export const bitcoinQuestions: fc.Arbitrary<SignerQuestion> = attacks.map((attack) => {
  const deposit = depositOf(attack)
  return { kind: "transaction", order: `order-${attack.order}`, plan: planOf(attack), deposit }
})

function termsOf({ secret, timelock }: Attack): Terms {
  const secretHash = secretHashOf(secret)
  return {
    refundKey: ourKey.toString("hex"),
    redeemKey: redeemKey.toString("hex"),
    secretHash,
    timelock,
  }
}

function planOf(attack: Attack): TransactionPlan {
  const isDeposit = attack.action !== "void"
  const target = isDeposit ? targetOf(attack) : null
  const psbt = psbtOf(attack, target)
  const unsigned = { psbt, deposit: target, htlc: null }
  const stated =
    attack.lie === "stated target" && target !== null ? { ...target, units: 1n } : target
  const resources = psbt.txInputs.map(
    ({ hash, index }) => `${Buffer.from(hash).reverse().toString("hex")}:${index}`,
  )
  const paid = target?.units ?? 0n
  return {
    ...({ chain: CHAIN, account: US, action: attack.action, attempt: 0 } as const),
    unsigned: JSON.stringify({
      psbt: psbt.toBase64(),
      deposit: stated === null ? null : { address: stated.address, units: stated.units.toString() },
      htlc: null,
    }),
    digest: attack.lie === "digest" ? "00".repeat(32) : digestOf(unsigned, ourWallet()),
    resources: attack.lie === "resources" ? [`${"00".repeat(32)}:0`] : resources,
    spends: isDeposit
      ? [{ asset: BTC, units: attack.lie === "spends less" ? paid / 2n : paid }]
      : [],
    maxFeeUnits: attack.lie === "fee" ? 1n : 1_000_000n,
    fromHeight: 1n,
    expiresAtHeight: null,
  }
}

function targetOf(attack: Attack): { address: string; units: bigint } {
  const { units, payee, timelock } = attack
  const right = termsOf(attack)
  const other = { ...right, timelock: timelock + 1 }
  const address = new Map([
    ["stranger", strangerPayment.address ?? ""],
    ["us", US],
    ["other terms", htlcOf(other).address],
  ]).get(payee)
  return { address: address ?? htlcOf(right).address, units }
}

function psbtOf(attack: Attack, target: { address: string; units: bigint } | null): Psbt {
  const psbt = new Psbt({ network }).setVersion(2).setLocktime(0)
  const chosen = attack.coins
    .flatMap((index) => coins[index] ?? [])
    .toSorted((a, b) => (a.txid < b.txid ? -1 : 1))
  for (const { txid, parent } of chosen) {
    const value = attack.proof === "false value" ? COIN_UNITS / 2n : COIN_UNITS
    const proof =
      attack.proof === "none"
        ? {}
        : {
            nonWitnessUtxo:
              attack.proof === "other transaction" ? otherOf(txid) : parent.toBuffer(),
          }
    try {
      psbt.addInput({
        hash: txid,
        index: 0,
        sequence: attack.sequence,
        witnessUtxo: { script: ourScript, value },
        tapInternalKey: ourKey,
        ...proof,
      })
    } catch {
      // The library refuses a parent with another id, so such an input goes without.
      psbt.addInput({
        hash: txid,
        index: 0,
        sequence: attack.sequence,
        witnessUtxo: { script: ourScript, value },
      })
    }
  }
  if (target !== null) psbt.addOutput({ address: target.address, value: target.units })
  const left = COIN_UNITS * BigInt(chosen.length) - (target?.units ?? 0n) - attack.feeUnits
  const rest = left > 0n ? left : 1_000n
  if (attack.change === "stranger")
    psbt.addOutput({ script: strangerPayment.output ?? new Uint8Array(), value: rest })
  if (attack.change === "us" || attack.change === "two")
    psbt.addOutput({ script: ourScript, value: rest })
  if (attack.change === "two")
    psbt.addOutput({ script: strangerPayment.output ?? new Uint8Array(), value: 1_000n })
  if (psbt.txOutputs.length === 0) psbt.addOutput({ script: ourScript, value: rest })
  return psbt
}

function otherOf(txid: string): Uint8Array {
  return (
    coins.find((coin) => coin.txid !== txid) ?? { parent: new Transaction() }
  ).parent.toBuffer()
}

function depositOf(attack: Attack): VerifiedDeposit | null {
  if (attack.terms === "none") return null
  const right = termsOf(attack)
  const named = {
    right,
    "stranger refunds": { ...right, refundKey: strangerKey.toString("hex") },
    "other secret": { ...right, secretHash: secretHashOf(9_999) },
    longer: { ...right, timelock: right.timelock + 1 },
  }[attack.terms]
  const fields = {
    chain: CHAIN,
    family: "bitcoin",
    htlc: "",
    htlcKind: "derivable-address",
    isRefundableByUs: true,
  }
  const parties = {
    redeemer: "",
    refundTo: US,
    secretHash: right.secretHash,
    timelock: BigInt(right.timelock),
  }
  const rest = {
    hasTypedData: false,
    asset: BTC,
    units: attack.units,
    extras: { htlc: named },
    findings: [],
  }
  // CAST: an attacker calls any deposit verified.
  return { ...fields, ...parties, ...rest } as unknown as VerifiedDeposit
}

function ourWallet(): Wallet {
  const keys = { publicKey: pair.publicKey, xOnlyKey: ourKey }
  return {
    chain: CHAIN,
    asset: BTC,
    network,
    addressType: "p2tr",
    address: US,
    script: ourScript,
    ...keys,
  }
}

function keyOf(serial: number): Buffer {
  const secret = crypto.sha256(Buffer.from(`key ${serial}`))
  return Buffer.from(ECPairFactory(ecc).fromPrivateKey(secret, { network }).publicKey.subarray(1))
}

/**
 * Reads signed bytes with bitcoinjs-lib alone. The asked deposit's secret may be any; the paid
 * script must be an HTLC of it with our key.
 */
export function readSignedBitcoin(
  raw: string,
  order: string,
  question: SignerQuestion,
): SignedThing {
  const transaction = Transaction.fromHex(raw)
  const inputs = transaction.ins.map(
    ({ hash, index }) => `${Buffer.from(hash).reverse().toString("hex")}:${index}`,
  )
  const spent = transaction.ins.map(({ hash }) =>
    coins.find(({ txid }) => txid === Buffer.from(hash).reverse().toString("hex")),
  )
  demand(
    spent.every((coin) => coin !== undefined),
    "a coin of ours",
  )
  const inUnits = COIN_UNITS * BigInt(spent.length)
  const outUnits = transaction.outs.reduce((sum, { value }) => sum + value, 0n)
  const away = transaction.outs.filter(
    (out) => Buffer.compare(Buffer.from(out.script), Buffer.from(ourScript)) !== 0,
  )
  demand(away.length <= 1, "one payment to an HTLC")
  const fee = inUnits - outUnits
  demand(
    fee > 0n && fee <= 50n * BigInt(transaction.virtualSize() + 43) + 330n,
    "a fee within the cap",
  )
  const [paid] = away
  const base = {
    chain: "bitcoin_testnet",
    order,
    exclusive: inputs,
    group: inputs.toSorted().join(),
  }
  if (paid === undefined)
    return { ...base, secretHash: null, spends: [{ asset: BTC, units: fee }], amounts: [] }
  const terms =
    question.kind === "transaction"
      ? (question.deposit?.extras["htlc"] as Terms | undefined)
      : undefined
  demand(
    terms !== undefined && terms.refundKey === ourKey.toString("hex"),
    "a deposit that we can refund",
  )
  demand(
    Buffer.compare(Buffer.from(htlcOf(terms).output), Buffer.from(paid.script)) === 0,
    "the HTLC of its terms",
  )
  demand(terms.timelock >= 3 && terms.timelock <= 1_008, "a timelock within bounds")
  const amounts = [{ asset: BTC, units: paid.value }]
  return {
    ...base,
    secretHash: terms.secretHash,
    spends: [...amounts, { asset: BTC, units: fee }],
    amounts,
  }
}
