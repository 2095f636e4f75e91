import { PublicKey } from "@solana/web3.js"
import type { Asset, AssetId } from "#domain/asset.ts"
import type { TransactionPlan } from "#domain/transaction.ts"
import { assert } from "#lib/assert.ts"
import type { MissingTokenAccount, TokenAccounts } from "#ports/chain/capabilities.ts"
import { findTokenFaults, TOKEN_ACCOUNT_MISSING, type Token, tokenOf } from "../check-tokens.ts"
import type { SolanaNode } from "../node.ts"
import { type Endpoints, readAgreed } from "../nodes/endpoints.ts"
import type { PlanningNode } from "../nodes/planning-node.ts"
import {
  buildCreateTokenAccount,
  decodeTokenAccount,
  deriveTokenAccount,
  TOKEN_ACCOUNT_BYTES,
} from "../tokens.ts"
import type { Wallet } from "../wallet.ts"
import {
  assembleMessage,
  digestOf,
  feeOf,
  NO_BLOCKHASH,
  unitLimitOf,
  unsignedTransaction,
} from "./assemble.ts"
import { choosePrice, findMissingFunds, type Refusal, readFunds } from "./draft.ts"

/**
 * Opens our own associated token accounts of the configured tokens. The only instruction is
 * `CreateIdempotent`, which does nothing where the account exists: a repeated transaction costs its
 * network fee and no second rent.
 */
export function createTokenAccounts(
  wallet: Wallet,
  node: PlanningNode,
  endpoints: Endpoints,
): TokenAccounts {
  return {
    findMissing: () => readAgreed(endpoints, "confirmed", (at) => findMissing(wallet, at)),
    plan: (asset) => planTokenAccount(asset, wallet, node),
  }
}

async function findMissing(wallet: Wallet, node: SolanaNode): Promise<MissingTokenAccount[]> {
  const tokens = wallet.assets.map(tokenOf).filter((token) => token !== null)
  const checked = tokens.map(async (token) => ({
    token,
    missing: await isMissing(token, wallet, node),
  }))
  const missing = (await Promise.all(checked)).filter((one) => one.missing)
  if (missing.length === 0) return []
  const rentUnits = await node.fetchRent(TOKEN_ACCOUNT_BYTES)
  return missing.map(({ token: { asset, mint } }) => ({
    asset: asset.id,
    address: deriveTokenAccount(new PublicKey(wallet.account), mint).toBase58(),
    rentUnits,
    costUnits: feeOf(unitLimitOf(asset.token), wallet.maxPriorityFeeMicroLamports) + rentUnits,
  }))
}

/** A mint of another program, or one with other decimals than configured, never gets an account. */
async function isMissing(token: Token, wallet: Wallet, node: SolanaNode): Promise<boolean> {
  return (await findTokenFaults(token, wallet.account, node)).some(
    ({ code }) => code === TOKEN_ACCOUNT_MISSING,
  )
}

/**
 * Builds and simulates the transaction. `maxFeeUnits` includes the rent. The blockhash comes last,
 * so that most of its 150 blocks remain.
 */
async function planTokenAccount(
  id: AssetId,
  wallet: Wallet,
  node: PlanningNode,
): Promise<TransactionPlan | Refusal> {
  const token = wallet.assets.flatMap((asset) => (asset.id === id ? (tokenOf(asset) ?? []) : []))[0]
  assert(token !== undefined, "only a configured token has a token account", { asset: id })
  const faults = await findTokenFaults(token, wallet.account, node)
  const others = faults.filter(({ code }) => code !== TOKEN_ACCOUNT_MISSING)
  if (others.length > 0) return { refused: others }
  const opening = buildCreateTokenAccount(new PublicKey(wallet.account), token.mint)
  const price = await choosePrice(wallet, node, [opening])
  const maxFeeUnits =
    feeOf(unitLimitOf(token.asset.token), price) + (await node.fetchRent(TOKEN_ACCOUNT_BYTES))
  const shortage = findMissingFunds(0n, maxFeeUnits, wallet, await readFunds(wallet, node))
  if (shortage !== null) return shortage
  const failure = await simulate(token, { price, maxFeeUnits }, wallet, node)
  if (failure !== null) return failure
  const { fromHeight, blockhash, lastValidBlockHeight } = await node.fetchLife("openTokenAccount")
  const message = assemble({ account: wallet.account, blockhash, price, asset: token.asset })
  return {
    chain: wallet.chain,
    account: wallet.account,
    action: "openTokenAccount",
    attempt: 0,
    unsigned: Buffer.from(message).toString("base64"),
    digest: digestOf(message),
    resources: [],
    spends: [],
    maxFeeUnits,
    fromHeight,
    expiresAtHeight: lastValidBlockHeight,
  }
}

/**
 * The one message that opens the account of this asset. `price` is in micro-lamports per compute
 * unit.
 */
function assemble(parts: {
  account: string
  blockhash: string
  price: bigint
  asset: Asset
}): Uint8Array {
  const { account, blockhash, price, asset } = parts
  const instructions = [
    buildCreateTokenAccount(new PublicKey(account), new PublicKey(asset.token ?? "")),
  ]
  const unitLimit = unitLimitOf(asset.token)
  return assembleMessage({
    account,
    blockhash,
    unitLimit,
    unitPriceMicroLamports: price,
    instructions,
  })
}

/**
 * After the dry run the account must be ours, of this mint, and empty; and the wallet must not have
 * lost more than the plan allows.
 */
async function simulate(
  { asset, mint }: Token,
  { price, maxFeeUnits }: { price: bigint; maxFeeUnits: bigint },
  wallet: Wallet,
  node: SolanaNode,
): Promise<Refusal | null> {
  const draft = assemble({ account: wallet.account, blockhash: NO_BLOCKHASH, price, asset })
  const address = deriveTokenAccount(new PublicKey(wallet.account), mint).toBase58()
  const before = await node.fetchBalance(wallet.account)
  const { err, logs, accounts } = await node.simulate(unsignedTransaction(draft), [
    wallet.account,
    address,
  ])
  const after = accounts?.[0] ?? null
  const opened = decodeTokenAccount(accounts?.[1] ?? null)
  const isOurs = opened?.owner === wallet.account && opened.mint === asset.token
  if (err === null && after !== null && isOurs && before - after.lamports <= maxFeeUnits)
    return null
  const log = (logs ?? []).slice(-3).join(" | ")
  const message =
    "the transaction that opens the token account fails in the node's dry run, or costs more " +
    "than planned"
  return {
    refused: [
      { code: "solana.simulation", message, asset: asset.id, error: JSON.stringify(err), log },
    ],
  }
}
