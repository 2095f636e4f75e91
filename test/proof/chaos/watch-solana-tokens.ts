import { setTimeout as sleep } from "node:timers/promises"
import { type ConfirmedTransactionMeta, type Connection, PublicKey } from "@solana/web3.js"
import type { LocalAsset } from "#sandbox/local-chain.ts"
import { SANDBOX_WALLETS } from "#sandbox/sandbox-wallets.ts"
import { splProgram } from "#sandbox/solana/spl-program.ts"
import { findTokenAccount } from "#sandbox/solana/spl-tokens.ts"
import type { Flow } from "./flow.ts"

const OWN = new PublicKey(SANDBOX_WALLETS.solana)

/** The wallet's associated token account of each token. */
export function tokenAccountsOf(assets: readonly LocalAsset[]): PublicKey[] {
  return mintsOf(assets).map((mint) => findTokenAccount(OWN, mint))
}

/**
 * The changes of the wallet's token balances by one transaction. Its token accounts pay and receive
 * swaps only.
 */
export function readTokenFlows(
  meta: ConfirmedTransactionMeta,
  tx: string,
  assets: readonly LocalAsset[],
): Flow[] {
  const sum = (balances: ConfirmedTransactionMeta["preTokenBalances"], token: string): bigint =>
    (balances ?? [])
      .filter(({ mint, owner }) => mint === token && owner === SANDBOX_WALLETS.solana)
      .reduce((total, { uiTokenAmount }) => total + BigInt(uiTokenAmount.amount), 0n)
  return assets.flatMap(({ id, token }): Flow[] => {
    if (token === null) return []
    const delta = sum(meta.postTokenBalances, token) - sum(meta.preTokenBalances, token)
    if (delta === 0n) return []
    return [
      { asset: id, direction: delta < 0n ? "out" : "in", units: delta < 0n ? -delta : delta, tx },
    ]
  })
}

/**
 * Compares the tokens in the program's vaults with the amounts of its open swaps. A vault serves
 * all swaps of its mint and a swap account does not name the mint, so the audit compares the sums
 * over all mints.
 */
export async function auditVaults(
  connection: Connection,
  assets: readonly LocalAsset[],
): Promise<string[]> {
  for (let reads = 1; ; reads++) {
    const held = await readVaults(connection, assets)
    const { count, units } = await readOpenSwaps(connection)
    if (held === units) return []
    if (reads === VAULT_READS)
      return [`solana: the token vaults hold ${held}, and ${count} open swaps need ${units}`]
    await sleep(1_000)
  }
}

/** A swap can end between the two reads. */
const VAULT_READS = 3

async function readVaults(connection: Connection, assets: readonly LocalAsset[]): Promise<bigint> {
  const vaults = mintsOf(assets).map((mint) => splProgram.findVault(splProgram.id, mint))
  const infos = await connection.getMultipleAccountsInfo(vaults, "confirmed")
  return infos.reduce(
    (sum, info) => sum + (info === null ? 0n : info.data.readBigUInt64LE(TOKEN_AMOUNT_AT)),
    0n,
  )
}

async function readOpenSwaps(connection: Connection): Promise<{ count: number; units: bigint }> {
  const accounts = await connection.getProgramAccounts(splProgram.id, { commitment: "confirmed" })
  const swaps = accounts.filter(({ account: { data } }) => data.subarray(0, 8).equals(SWAP_ACCOUNT))
  const units = swaps.reduce(
    (sum, { account: { data } }) => sum + data.readBigUInt64LE(SWAP_AMOUNT_AT),
    0n,
  )
  return { count: swaps.length, units }
}

function mintsOf(assets: readonly LocalAsset[]): PublicKey[] {
  return assets.flatMap(({ token }) => (token === null ? [] : [new PublicKey(token)]))
}

/** The place of the amount in a token account (SPL Token: mint, owner, amount). */
const TOKEN_AMOUNT_AT = 64
/**
 * The discriminator of `SwapAccount`, and the place of its amount behind expiry, initiator,
 * redeemer and secret hash (published IDL).
 */
const SWAP_ACCOUNT = Buffer.of(53, 126, 9, 14, 14, 197, 105, 182)
const SWAP_AMOUNT_AT = 8 + 8 + 32 + 32 + 32
