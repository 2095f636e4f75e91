import { AddressLookupTableAccount, Keypair, PublicKey } from "@solana/web3.js"
import {
  buildBurn,
  buildMint,
  deriveAccounts,
  listSharedAccounts,
} from "#chains/solana/cctp/accounts.ts"
import { eventKeyOf, eventSeedOf } from "#chains/solana/cctp/burn-permissions.ts"
import { encodeBurnCall, encodeMintCall } from "#chains/solana/cctp/calls.ts"
import { findCctpTexts } from "#chains/solana/cctp/domains.ts"
import { BURN_UNIT_LIMIT, MINT_UNIT_LIMIT } from "#chains/solana/cctp/limits.ts"
import { addressOf, programsOf, wordOf } from "#chains/solana/cctp/presets.ts"
import { openRouteKeys } from "#chains/solana/routes/route-keys.ts"
import {
  assembleMessage,
  digestOf,
  extraKeyResource,
  swapAccountResource,
} from "#chains/solana/spend/assemble.ts"
import { deriveTokenAccount } from "#chains/solana/tokens.ts"
import type { Wallet } from "#chains/solana/wallet.ts"
import { parseAssetId, toChainId } from "#domain/asset.ts"
import type { TransactionPlan } from "#domain/transaction.ts"
import { mustExist } from "#lib/assert.ts"
import type { RouteRules } from "#ports/key-holder.ts"
import { parseFeeRate } from "#routes/cctp/fee-rate.ts"
import { type BurnMessage, encodeBurnMessage, ZERO_WORD } from "#routes/cctp/message.ts"

export const KEY = Keypair.fromSeed(Buffer.alloc(32, 7))
export const STRANGER = Keypair.fromSeed(Buffer.alloc(32, 8)).publicKey
export const ACCOUNTS = deriveAccounts(
  programsOf(mustExist(findCctpTexts("solana"), "the programs")),
)
export const TOKEN_ACCOUNT = deriveTokenAccount(KEY.publicKey, ACCOUNTS.mint)
export const EVM_ACCOUNT = `0x${"00".repeat(12)}${"ab".repeat(20)}` as const
export const EVM_MESSENGER = `0x${"00".repeat(12)}${"cd".repeat(20)}` as const
export const DEAL_KEY = "3".repeat(64)
const SEED = eventSeedOf(DEAL_KEY, wordOf(KEY.publicKey))
export const EVENT_KEY = eventKeyOf(DEAL_KEY, wordOf(KEY.publicKey))
export const TABLE = Keypair.fromSeed(Buffer.alloc(32, 9)).publicKey
export const ASSET = parseAssetId("solana:usdc")
export const CHAIN = toChainId("solana")
const BLOCKHASH = new PublicKey(Buffer.alloc(32, 5)).toBase58()
export const PRICE = 500n

export const RULES: RouteRules = {
  assets: [ASSET, parseAssetId("base:usdc")],
  payees: new Map([
    ["6", [EVM_ACCOUNT]],
    ["5", [wordOf(TOKEN_ACCOUNT)]],
  ]),
  maxFeeRate: parseFeeRate("2"),
  peers: new Map([["6", EVM_MESSENGER]]),
  lookupTables: new Map([[CHAIN, TABLE.toBase58()]]),
}

export const WALLET: Wallet = {
  chain: CHAIN,
  account: KEY.publicKey.toBase58(),
  assets: [{ id: ASSET, chain: CHAIN, decimals: 6, token: ACCOUNTS.mint.toBase58(), htlc: [] }],
  maxPriorityFeeMicroLamports: 1_000n,
  routes: openRouteKeys(new Map([["cctp", RULES]]), { chain: CHAIN, preset: "solana" }),
}

export const BURN = {
  amountUnits: 100_000_000n,
  destinationDomain: 6,
  mintRecipient: EVM_ACCOUNT,
  destinationCaller: ZERO_WORD,
  maxFeeUnits: 16_000n,
  minFinalityThreshold: 1_000,
} as const

export type BurnArguments = Parameters<typeof encodeBurnCall>[0]

type Change = {
  readonly call?: Partial<BurnArguments>
  readonly plan?: Partial<TransactionPlan>
  readonly edit?: (instruction: ReturnType<typeof buildBurn>) => void
  readonly unitLimit?: bigint
}

/** The plan of a burn, with one thing changed. */
export function planOfBurn({ call, plan, edit, unitLimit = BURN_UNIT_LIMIT }: Change = {}) {
  const burn = { ...BURN, ...call }
  const parts = {
    owner: KEY.publicKey,
    eventAccount: EVENT_KEY.publicKey,
    domain: burn.destinationDomain,
  }
  const instruction = buildBurn(ACCOUNTS, parts, encodeBurnCall(burn))
  edit?.(instruction)
  const message = assembleMessage({
    account: WALLET.account,
    blockhash: BLOCKHASH,
    unitLimit,
    unitPriceMicroLamports: PRICE,
    instructions: [instruction],
  })
  return planOf("initiate", message, {
    resources: [swapAccountResource(EVENT_KEY.publicKey.toBase58()), extraKeyResource(SEED)],
    spends: [{ asset: ASSET, units: burn.amountUnits }],
    ...plan,
  })
}

export const MESSAGE: BurnMessage = {
  version: 1,
  sourceDomain: 6,
  destinationDomain: 5,
  nonce: `0x${"77".repeat(32)}`,
  sender: EVM_MESSENGER,
  recipient: wordOf(ACCOUNTS.messenger),
  destinationCaller: ZERO_WORD,
  minFinalityThreshold: 1_000,
  finalityThresholdExecuted: 1_000,
  bodyVersion: 1,
  burnToken: `0x${"00".repeat(12)}${"ef".repeat(20)}`,
  mintRecipient: wordOf(TOKEN_ACCOUNT),
  amountUnits: 100_000_000n,
  messageSender: EVM_ACCOUNT,
  maxFeeUnits: 16_000n,
  feeExecutedUnits: 13_000n,
  expirationBlock: 0n,
  hookData: "0x",
}

/** The plan of a mint, with one thing changed. */
export function planOfMint({
  message: changed,
  plan,
  edit,
  table = TABLE,
  unitLimit = MINT_UNIT_LIMIT,
}: {
  readonly message?: Partial<BurnMessage>
  readonly plan?: Partial<TransactionPlan>
  readonly edit?: (instruction: ReturnType<typeof buildMint>) => void
  readonly table?: PublicKey
  readonly unitLimit?: bigint
} = {}) {
  const message = { ...MESSAGE, ...changed }
  const parts = {
    payer: KEY.publicKey,
    nonce: message.nonce,
    source: message.sourceDomain,
    burnToken: message.burnToken,
    feeAccount: deriveTokenAccount(STRANGER, ACCOUNTS.mint),
    recipient: addressOf(message.mintRecipient),
  }
  const data = encodeMintCall(encodeBurnMessage(message), `0x${"11".repeat(130)}`)
  const instruction = buildMint(ACCOUNTS, parts, data)
  edit?.(instruction)
  const bytes = assembleMessage({
    account: WALLET.account,
    blockhash: BLOCKHASH,
    unitLimit,
    unitPriceMicroLamports: PRICE,
    instructions: [instruction],
    table: tableOf(table),
  })
  return planOf("redeem", bytes, { ...plan })
}

export function tableOf(key: PublicKey): AddressLookupTableAccount {
  const addresses = [...listSharedAccounts(ACCOUNTS)]
  const state = {
    deactivationSlot: 2n ** 64n - 1n,
    lastExtendedSlot: 0,
    lastExtendedSlotStartIndex: 0,
    addresses,
  }
  return new AddressLookupTableAccount({ key, state })
}

function planOf(
  action: TransactionPlan["action"],
  message: Uint8Array,
  more: Partial<TransactionPlan>,
): TransactionPlan {
  return {
    chain: CHAIN,
    account: WALLET.account,
    action,
    attempt: 0,
    unsigned: Buffer.from(message).toString("base64"),
    digest: digestOf(message),
    resources: [],
    spends: [],
    maxFeeUnits: 10_000_000n,
    fromHeight: 1n,
    expiresAtHeight: 200n,
    ...more,
  }
}
