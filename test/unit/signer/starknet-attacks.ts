import fc from "fast-check"
import { ec, hash } from "starknet"
import { formatInvoke, hashInvoke, maxFeeOf } from "#chains/starknet/spend/invoke.ts"
import { parseAssetId, toChainId } from "#domain/asset.ts"
import type { TransactionAction, TransactionPlan } from "#domain/transaction.ts"
import type { SignerQuestion } from "#signer/wire.ts"
import { ASSETS } from "../../support/signer-process.ts"
import { demand, secretHashOf } from "./evm-attacks.ts"
import type { SignedThing } from "./signed-thing.ts"

const CHAIN = toChainId("starknet_sepolia")
const US = "0x4462f242e56a2d6f2cf00762efccddf8b429a19eb8f93c8c7bc95e47807d265"
const PUBLIC_KEY = "0x3d083a17915dd45592f55b41a093d24efe7104166bfd6978545cc951e5ec3a3"
const TOKEN = hexOf(ASSETS["starknet_sepolia:wbtc"].token)
const HTLC = hexOf(ASSETS["starknet_sepolia:wbtc"].htlc[0])
const STRANGER = "0xdead"
const WBTC = parseAssetId("starknet_sepolia:wbtc")
const selector = (name: string): string => hexOf(hash.getSelectorFromName(name))

const attacks = fc.record({
  call: mostly(
    fc.constantFrom("both", "both", "initiate", "approve", "refund", "void"),
    fc.constantFrom("transfer", "upgrade", "three"),
  ),
  htlc: mostly(fc.constant(HTLC), fc.constantFrom(STRANGER, TOKEN)),
  spender: mostly(fc.constant(HTLC), fc.constant(STRANGER)),
  token: mostly(fc.constant(TOKEN), fc.constant(STRANGER)),
  approved: mostly(fc.constant("same"), fc.constantFrom("more", "unlimited")),
  units: mostly(fc.bigInt(1n, 90_000n), fc.constantFrom(100_001n, 2n ** 127n)),
  timelock: mostly(fc.bigInt(50n, 5_000n), fc.constantFrom(0n, 2n ** 60n)),
  secret: fc.integer({ min: 3_000, max: 3_150 }),
  order: fc.integer({ min: 3_000, max: 3_150 }),
  nonce: fc.integer({ min: 0, max: 200 }),
  tail: mostly(fc.constant(0), fc.constantFrom(1, 3)),
  chainId: mostly(fc.constant("SN_SEPOLIA"), fc.constant("SN_MAIN")),
  sender: mostly(fc.constant(US), fc.constant(STRANGER)),
  price: mostly(fc.constant(10n ** 10n), fc.constant(10n ** 15n)),
  action: mostly(
    fc.constant<"right" | TransactionAction>("right"),
    fc.constantFrom<TransactionAction>("void", "refund", "approve", "initiate"),
  ),
  lie: mostly(fc.constant("none"), fc.constantFrom("spends less", "nonce", "digest", "fee")),
})
type Attack = typeof attacks extends fc.Arbitrary<infer T> ? T : never

function mostly<T>(right: fc.Arbitrary<T>, wrong: fc.Arbitrary<T>): fc.Arbitrary<T> {
  return fc.oneof({ weight: 14, arbitrary: right }, { weight: 1, arbitrary: wrong })
}

export const starknetQuestions: fc.Arbitrary<SignerQuestion> = attacks.map((attack) => ({
  kind: "transaction",
  order: `order-${attack.order}`,
  plan: planOf(attack),
  deposit: null,
}))

function planOf(attack: Attack): TransactionPlan {
  const calls = callsOf(attack)
  const calldata = [
    calls.length,
    ...calls.flatMap(([to, name, ...rest]) => [to, name, rest.length, ...rest]),
  ]
  const bound = { amount: "0x989680", price: hexOf(attack.price) }
  const none = { amount: "0x0", price: "0x0" }
  const invoke = {
    chainId: attack.chainId,
    sender: attack.sender,
    nonce: hexOf(attack.nonce),
    calldata: [...calldata.map(hexOf), ...Array.from({ length: attack.tail }, () => "0x1")],
    bounds: { l1Gas: none, l2Gas: bound, l1DataGas: none, tip: "0x0" },
  }
  const right = RIGHT_ACTION[attack.call] ?? "initiate"
  const units = attack.lie === "spends less" ? attack.units / 2n : attack.units
  return {
    chain: CHAIN,
    account: US,
    attempt: 0,
    unsigned: formatInvoke(invoke),
    action: attack.action === "right" ? right : attack.action,
    digest: attack.lie === "digest" ? "0x1" : hashInvoke(invoke),
    resources: [`nonce:${attack.nonce + (attack.lie === "nonce" ? 1 : 0)}`],
    spends: right === "initiate" ? [{ asset: WBTC, units }] : [],
    maxFeeUnits: attack.lie === "fee" ? 1n : maxFeeOf(invoke.bounds),
    fromHeight: 1n,
    expiresAtHeight: null,
  }
}

const RIGHT_ACTION: Readonly<Record<string, TransactionAction>> = {
  approve: "approve",
  refund: "refund",
  void: "void",
}

type RawCall = readonly [to: string, selector: string, ...calldata: (string | bigint)[]]

function callsOf(attack: Attack): RawCall[] {
  const { units, timelock, secret, htlc, token, spender } = attack
  const digits = secretHashOf(secret)
  const halves = [BigInt(`0x${digits.slice(0, 32)}`), BigInt(`0x${digits.slice(32)}`)]
  const initiate: RawCall = [htlc, selector("initiate"), STRANGER, timelock, units, 0n, ...halves]
  const approved =
    attack.approved === "same" ? units : attack.approved === "more" ? units + 1n : 2n ** 128n - 1n
  const approve: RawCall = [token, selector("approve"), spender, approved, 0n]
  switch (attack.call) {
    case "both":
      return [approve, initiate]
    case "initiate":
      return [initiate]
    case "approve":
      return [approve]
    case "refund":
      return [[htlc, selector("refund"), BigInt(`0x${digits.slice(1)}`)]]
    case "void":
      return []
    case "three":
      return [approve, initiate, [TOKEN, selector("transfer"), STRANGER, units, 0n]]
    case "upgrade":
      return [[US, selector("upgrade"), STRANGER]]
    default:
      return [[TOKEN, selector("transfer"), STRANGER, units, 0n]]
  }
}

function hexOf(value: string | number | bigint): string {
  return `0x${BigInt(value).toString(16)}`
}

type Wire = {
  readonly sender_address: string
  readonly calldata: readonly string[]
  readonly nonce: string
  readonly signature: readonly [string, string]
  readonly tip: string
  readonly resource_bounds: Readonly<
    Record<string, { readonly max_amount: string; readonly max_price_per_unit: string }>
  >
}

/**
 * Reads signed bytes with starknet.js: the hash again from the wire form, the signature against the
 * public key, the calls by hand.
 */
export function readSignedStarknet(raw: string, order: string): SignedThing {
  // CAST: the wire form of an invoke.
  const wire = JSON.parse(raw) as Wire
  const bounds = Object.entries(wire.resource_bounds).map(([name, bound]) => [
    name,
    { max_amount: BigInt(bound.max_amount), max_price_per_unit: BigInt(bound.max_price_per_unit) },
  ])
  const digest = hash.calculateInvokeTransactionHash({
    senderAddress: wire.sender_address,
    version: "0x3",
    compiledCalldata: [...wire.calldata],
    nonce: wire.nonce,
    chainId: "0x534e5f5345504f4c4941",
    accountDeploymentData: [],
    tip: BigInt(wire.tip),
    paymasterData: [],
    nonceDataAvailabilityMode: 0,
    feeDataAvailabilityMode: 0,
    resourceBounds: Object.fromEntries(bounds),
    // CAST: the library's enums are these numbers and texts.
  } as unknown as Parameters<typeof hash.calculateInvokeTransactionHash>[0])
  const [r, s] = wire.signature
  const signature = new ec.starkCurve.Signature(BigInt(r), BigInt(s))
  const keys = ["02", "03"].map((prefix) => `${prefix}${PUBLIC_KEY.slice(2).padStart(64, "0")}`)
  demand(
    keys.some((key) => ec.starkCurve.verify(signature, digest.slice(2).padStart(64, "0"), key)),
    "by our key",
  )
  demand(hexOf(wire.sender_address) === US, "our account")
  const fee = bounds.reduce(
    (sum, [, bound]) =>
      sum +
      (bound as { max_amount: bigint }).max_amount *
        (bound as { max_price_per_unit: bigint }).max_price_per_unit,
    BigInt(wire.resource_bounds["l2_gas"]?.max_amount ?? 0) * BigInt(wire.tip),
  )
  demand(fee <= 10n ** 18n, "a fee within the cap")
  const calls = readCalls(wire.calldata.map((felt) => BigInt(felt)))
  const base = {
    chain: "starknet_sepolia",
    order,
    exclusive: [`nonce:${BigInt(wire.nonce)}`],
    group: `nonce:${BigInt(wire.nonce)}`,
  }
  const cost = { asset: "starknet_sepolia:native", units: fee }
  const nothing = { ...base, secretHash: null, spends: [cost], amounts: [] }
  if (calls.length === 0) return nothing
  const approvals = calls.filter(({ to }) => to === TOKEN)
  for (const { name, data } of approvals)
    demand(
      name === selector("approve") && hexOf(data[0] ?? 0n) === HTLC && data.length === 3,
      "an approval for our HTLC",
    )
  const others = calls.filter(({ to }) => to !== TOKEN)
  demand(
    others.every(({ to }) => to === HTLC) && others.length <= 1 && approvals.length <= 1,
    "contracts of the list",
  )
  const allowed = approvals.map(({ data }) => ({
    asset: WBTC,
    units: (data[1] ?? 0n) + ((data[2] ?? 0n) << 128n),
  }))
  const [call] = others
  if (call === undefined) return { ...nothing, amounts: allowed }
  if (call.name === selector("refund")) {
    demand(call.data.length === 1 && allowed.length === 0, "a refund alone")
    return nothing
  }
  demand(
    call.name === selector("initiate") && call.data.length === 6,
    "an initiate without hidden felts",
  )
  const [, timelock = 0n, low = 0n, high = 0n, first = 0n, second = 0n] = call.data
  demand(timelock >= 10n && timelock < 2n ** 32n, "a timelock that ends")
  const spend = { asset: WBTC, units: low + (high << 128n) }
  const secretHash = first.toString(16).padStart(32, "0") + second.toString(16).padStart(32, "0")
  return { ...base, secretHash, spends: [cost, spend], amounts: [spend, ...allowed] }
}

function readCalls(felts: readonly bigint[]): { to: string; name: string; data: bigint[] }[] {
  const calls = []
  let at = 1
  while (at < felts.length) {
    const end = at + 3 + Number(felts[at + 2])
    calls.push({
      to: hexOf(felts[at] ?? 0n),
      name: hexOf(felts[at + 1] ?? 0n),
      data: felts.slice(at + 3, end),
    })
    demand(end <= felts.length, "whole calls")
    at = end
  }
  demand(felts[0] === BigInt(calls.length), "as many calls as it says")
  return calls
}
