import fc from "fast-check"
import {
  type Address,
  decodeFunctionData,
  encodeFunctionData,
  type Hex,
  parseAbi,
  parseTransaction,
  recoverTransactionAddress,
} from "viem"
import { formatUnsigned, type UnsignedTx } from "#chains/evm/spend/unsigned.ts"
import { type AssetId, parseAssetId, toChainId } from "#domain/asset.ts"
import type { TransactionAction, TransactionPlan } from "#domain/transaction.ts"
import type { SignerQuestion } from "#signer/wire.ts"
import { ASSETS } from "../../support/signer-process.ts"
import type { SignedThing } from "./signed-thing.ts"

const CHAIN = toChainId("base_sepolia")
const US: Address = "0xDF6452499758ca5a4197b7a400EC63CdcFE53390"
const STRANGER: Address = "0x000000000000000000000000000000000000dEaD"
const ETH_HTLC: Address = ASSETS["base_sepolia:eth"].htlc[0]
const WBTC: Address = ASSETS["base_sepolia:wbtc"].token
const WBTC_HTLC: Address = ASSETS["base_sepolia:wbtc"].htlc[0]
const ETH_ID = parseAssetId("base_sepolia:eth")
const WBTC_ID = parseAssetId("base_sepolia:wbtc")

/**
 * Calls that an HTLC and tokens have, and more that would take money. Written for this test, apart
 * from the signer's own.
 */
const abi = parseAbi([
  "function initiate(address redeemer, uint256 timelock, uint256 amount, bytes32 secretHash) payable",
  "function initiate(address redeemer, uint256 timelock, uint256 amount, bytes32 secretHash, bytes destinationData) payable",
  "function initiateOnBehalf(address initiator, address redeemer, uint256 timelock, uint256 amount, bytes32 secretHash) payable",
  "function refund(bytes32 orderId)",
  "function approve(address spender, uint256 value)",
  "function transfer(address to, uint256 value)",
  "function transferFrom(address from, address to, uint256 value)",
  "function increaseAllowance(address spender, uint256 value)",
  "function multicall(bytes[] calls)",
])

type Attack = {
  readonly call: string
  readonly to: Address
  readonly chainId: number
  readonly nonce: number
  readonly units: bigint
  readonly value: "none" | "units" | "more"
  readonly timelock: bigint
  readonly secret: number
  readonly order: number
  readonly spender: Address
  readonly tail: Hex
  readonly gas: bigint
  readonly gwei: bigint
  readonly action: TransactionAction | "right"
  readonly lie: string
}

/** Mostly sound, so that many pass the first checks and meet the later ones. */
function mostly<T>(right: fc.Arbitrary<T>, wrong: fc.Arbitrary<T>): fc.Arbitrary<T> {
  return fc.oneof({ weight: 12, arbitrary: right }, { weight: 1, arbitrary: wrong })
}

const attacks: fc.Arbitrary<Attack> = fc.record({
  call: mostly(
    fc.constantFrom("initiate", "initiate", "initiateWithData", "approve", "refund", "void"),
    fc.constantFrom(
      "initiateOnBehalf",
      "transfer",
      "transferFrom",
      "increaseAllowance",
      "multicall",
      "empty",
      "garbage",
    ),
  ),
  to: mostly(
    fc.constantFrom(WBTC_HTLC, ETH_HTLC, WBTC),
    fc.constantFrom(STRANGER, US, WBTC, ETH_HTLC),
  ),
  chainId: mostly(fc.constant(84_532), fc.constantFrom(1, 8_453)),
  nonce: fc.integer({ min: 0, max: 400 }),
  units: mostly(fc.bigInt(1n, 60_000n), fc.constantFrom(0n, 100_001n, 10n ** 18n, 2n ** 255n)),
  value: mostly(fc.constantFrom("none", "units"), fc.constant("more")),
  timelock: mostly(fc.bigInt(100n, 20_000n), fc.constantFrom(0n, 1n, 2n ** 40n)),
  secret: fc.integer({ min: 0, max: 300 }),
  order: fc.integer({ min: 0, max: 300 }),
  spender: mostly(fc.constant(WBTC_HTLC), fc.constantFrom(STRANGER, US, ETH_HTLC)),
  tail: mostly(
    fc.constant<Hex>("0x"),
    fc.constantFrom<Hex>("0x00", "0xdeadbeef", `0x${"00".repeat(32)}`),
  ),
  gas: mostly(fc.constant(150_000n), fc.constantFrom(2_000_001n, 30_000_000n)),
  gwei: mostly(fc.bigInt(1n, 2n), fc.constantFrom(51n, 5_000n)),
  action: mostly(fc.constant("right"), fc.constantFrom("approve", "initiate", "refund", "void")),
  lie: mostly(
    fc.constant("none"),
    fc.constantFrom(
      "spends less",
      "spends nothing",
      "digest",
      "nonce",
      "account",
      "chain",
      "fee",
      "field",
    ),
  ),
})

export const evmQuestions: fc.Arbitrary<SignerQuestion> = attacks.map((attack) => ({
  kind: "transaction",
  order: `order-${attack.order}`,
  plan: planOf(attack),
  deposit: null,
}))

function planOf(attack: Attack): TransactionPlan {
  const tx = transactionOf(attack)
  const { unsigned, digest } = formatUnsigned(tx)
  const right = RIGHT_ACTION[attack.call] ?? "initiate"
  const asset: AssetId = tx.to === ETH_HTLC ? ETH_ID : WBTC_ID
  const spends = right === "initiate" ? [{ asset, units: attack.units }] : []
  const plan: TransactionPlan = {
    chain: CHAIN,
    account: US,
    attempt: 0,
    unsigned,
    digest,
    spends,
    action: attack.action === "right" ? right : attack.action,
    resources: [`nonce:${tx.nonce}`],
    maxFeeUnits: tx.gas * tx.maxFeePerGas,
    fromHeight: 1n,
    expiresAtHeight: null,
  }
  return { ...plan, ...lieOf(attack.lie, plan, tx) }
}

const RIGHT_ACTION: Readonly<Record<string, TransactionAction>> = {
  approve: "approve",
  increaseAllowance: "approve",
  refund: "refund",
  void: "void",
  empty: "void",
}

function transactionOf(attack: Attack): UnsignedTx {
  const { call, chainId, nonce, gas, units, gwei, tail } = attack
  const to = call === "void" ? US : call === "approve" && attack.to !== STRANGER ? WBTC : attack.to
  const data =
    call === "void" || call === "empty" ? tail : (`${encodeCall(attack)}${tail.slice(2)}` as Hex)
  const isNative = call !== "void" && to === ETH_HTLC && call.startsWith("initiate")
  const value = attack.value === "more" ? units + 1n : isNative ? units : 0n
  return {
    chainId,
    nonce,
    to,
    value,
    data,
    gas,
    maxFeePerGas: gwei * 10n ** 9n,
    maxPriorityFeePerGas: 1n,
  }
}

function encodeCall({ call, units, timelock, secret, spender }: Attack): Hex {
  const hash: Hex = `0x${secretHashOf(secret)}`
  switch (call) {
    case "initiate":
      return encodeFunctionData({
        abi,
        functionName: "initiate",
        args: [STRANGER, timelock, units, hash],
      })
    case "initiateWithData":
      return encodeFunctionData({
        abi,
        functionName: "initiate",
        args: [STRANGER, timelock, units, hash, "0x1234"],
      })
    case "initiateOnBehalf":
      return encodeFunctionData({
        abi,
        functionName: call,
        args: [STRANGER, STRANGER, timelock, units, hash],
      })
    case "approve":
    case "increaseAllowance":
      return encodeFunctionData({ abi, functionName: call, args: [spender, units] })
    case "refund":
      return encodeFunctionData({ abi, functionName: call, args: [hash] })
    case "transferFrom":
      return encodeFunctionData({ abi, functionName: call, args: [US, STRANGER, units] })
    case "multicall":
      return encodeFunctionData({ abi, functionName: call, args: [["0x1234"]] })
    case "garbage":
      return "0xffffffff"
    default:
      return encodeFunctionData({ abi, functionName: "transfer", args: [STRANGER, units] })
  }
}

export function secretHashOf(secret: number): string {
  return secret.toString(16).padStart(64, "5")
}

function lieOf(lie: string, plan: TransactionPlan, tx: UnsignedTx): Partial<TransactionPlan> {
  switch (lie) {
    case "spends less":
      return { spends: plan.spends.map(({ asset, units }) => ({ asset, units: units / 2n })) }
    case "spends nothing":
      return { spends: [] }
    case "digest":
      return { digest: formatUnsigned({ ...tx, nonce: tx.nonce + 1 }).digest }
    case "nonce":
      return { resources: [`nonce:${tx.nonce + 1}`] }
    case "account":
      return { account: STRANGER }
    case "chain":
      return { chain: toChainId("solana_testnet") }
    case "fee":
      return { maxFeeUnits: 1n }
    case "field":
      return { unsigned: plan.unsigned.replace('"gas":"', '"gas":"9') }
    default:
      return {}
  }
}

/** Reads signed bytes with viem alone. Throws for anything that no signer of ours may sign. */
export async function readSignedEvm(raw: Hex, order: string): Promise<SignedThing> {
  // CAST: viem checks the type byte as it parses.
  const serialized = raw as `0x02${string}`
  const tx = parseTransaction(serialized)
  const { to, chainId, nonce = 0, value = 0n, data = "0x", gas = 0n, maxFeePerGas = 0n } = tx
  const from = await recoverTransactionAddress({ serializedTransaction: serialized })
  demand(from === US && chainId === 84_532, "our account and chain")
  demand(gas <= 2_000_000n && maxFeePerGas <= 50n * 10n ** 9n, "fees within the caps")
  demand((tx.accessList ?? []).length === 0, "no access list")
  const base = {
    chain: "base_sepolia",
    order,
    exclusive: [`nonce:${nonce}`],
    group: `nonce:${nonce}`,
  }
  const fee = { asset: "base_sepolia:eth", units: gas * maxFeePerGas }
  if (data === "0x") {
    demand(sameAddress(to, US) && value === 0n, "an empty call pays nobody")
    return { ...base, secretHash: null, spends: [fee], amounts: [] }
  }
  const call = decodeFunctionData({ abi, data })
  // CAST: the same call, encoded again.
  demand(
    encodeFunctionData({ abi, ...call } as Parameters<typeof encodeFunctionData>[0]) === data,
    "no hidden bytes",
  )
  if (call.functionName === "approve") {
    const [spender, units] = call.args
    demand(
      sameAddress(to, WBTC) && sameAddress(spender, WBTC_HTLC) && value === 0n,
      "an approval for our HTLC",
    )
    return {
      ...base,
      secretHash: null,
      spends: [fee],
      amounts: [{ asset: "base_sepolia:wbtc", units }],
    }
  }
  const isNative = sameAddress(to, ETH_HTLC)
  demand(isNative || sameAddress(to, WBTC_HTLC), "a contract of the list")
  if (call.functionName === "refund") {
    demand(value === 0n, "a refund pays nothing")
    return { ...base, secretHash: null, spends: [fee], amounts: [] }
  }
  demand(call.functionName === "initiate", "no other call")
  if (call.functionName !== "initiate") throw new Error("unreachable")
  const [, timelock, units, hash] = call.args
  demand(timelock >= 20n && timelock < 2n ** 24n, "a timelock that ends")
  demand(value === (isNative ? units : 0n), "the value of the deposit")
  const spend = { asset: isNative ? "base_sepolia:eth" : "base_sepolia:wbtc", units }
  return { ...base, secretHash: hash.slice(2), spends: [fee, spend], amounts: [spend] }
}

function sameAddress(a: string | null | undefined, b: string): boolean {
  return a?.toLowerCase() === b.toLowerCase()
}

export function demand(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Error(`signed although it is not ${what}`)
}
