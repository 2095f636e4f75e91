import { PublicKey } from "@solana/web3.js"
import type { Asset } from "#domain/asset.ts"
import type { Finding } from "#domain/deposit.ts"
import type { Account, SolanaNode } from "./node.ts"
import {
  decodeMintDecimals,
  decodeTokenAccount,
  deriveTokenAccount,
  listMintExtensions,
  TOKEN_2022_PROGRAM,
  type TokenAccount,
} from "./tokens.ts"

/** A configured token with its mint's address. */
export type Token = { readonly asset: Asset; readonly mint: PublicKey }

export function tokenOf(asset: Asset): Token | null {
  return asset.token === null ? null : { asset, mint: new PublicKey(asset.token) }
}

/**
 * Reads the mint and the owner's associated token account, and finds every reason for which tokens
 * cannot be paid from or to it now: a mint of Token-2022 or with other decimals, a missing account,
 * a frozen account.
 */
export async function findTokenFaults(
  token: Token,
  owner: string,
  node: SolanaNode,
): Promise<Finding[]> {
  const mint = await node.fetchAccount(token.mint.toBase58())
  const mintFaults = findMintFaults(token.asset, mint)
  if (mintFaults.length > 0) return mintFaults
  return findAccountFaults(token, owner, await fetchTokenAccount(token, owner, node))
}

export const TOKEN_ACCOUNT_MISSING = "solana.token_account_missing"

/** The owner's associated token account, or `null` if it does not exist. */
export async function fetchTokenAccount(
  token: Token,
  owner: string,
  node: SolanaNode,
): Promise<TokenAccount | null> {
  const address = deriveTokenAccount(new PublicKey(owner), token.mint).toBase58()
  return decodeTokenAccount(await node.fetchAccount(address))
}

/** Finds configured HTLC programs that are no programs on this chain. */
export async function findProgramFaults(asset: Asset, node: SolanaNode): Promise<Finding[]> {
  const faults = asset.htlc.map(async (program): Promise<Finding[]> => {
    const account = await node.fetchAccount(program)
    if (account?.executable === true) return []
    const message =
      "the configured HTLC is not a program on this chain; correct htlc or the network"
    const found = account === null ? "no account" : "an account that is no program"
    return [{ code: "solana.no_program", message, expected: `a program at ${program}`, found }]
  })
  return (await Promise.all(faults)).flat()
}

function findMintFaults(asset: Asset, mint: Account | null): Finding[] {
  const { token } = asset
  if (mint?.owner === TOKEN_2022_PROGRAM.toBase58()) {
    const extensions = listMintExtensions(mint.data)
    const found =
      extensions.length === 0
        ? "a mint of Token-2022"
        : `a mint of Token-2022 with ${extensions.join(", ")}`
    const message =
      "the HTLC program takes tokens of the SPL Token program only; extensions can take or " +
      "block the funds"
    return [
      { code: "solana.token_2022", message, expected: "a mint of the SPL Token program", found },
    ]
  }
  const decimals = decodeMintDecimals(mint)
  if (decimals === asset.decimals) return []
  const found = decimals === null ? `no mint at ${token}` : `${decimals} decimals`
  const message =
    "the configured token is not a mint with the configured decimals; correct token and decimals"
  return [{ code: "solana.mint_decimals", message, expected: `${asset.decimals} decimals`, found }]
}

function findAccountFaults(
  { asset, mint }: Token,
  owner: string,
  account: TokenAccount | null,
): Finding[] {
  const expected = deriveTokenAccount(new PublicKey(owner), mint).toBase58()
  if (account === null) {
    const command = `spl-token create-account ${asset.token} --owner ${owner}`
    const message =
      `${owner} has no token account for ${asset.id}; create it first: ${command} --fee-payer ` +
      "KEYPAIR"
    return [{ code: TOKEN_ACCOUNT_MISSING, message, expected, found: "no account" }]
  }
  if (account.owner !== owner || account.mint !== asset.token) {
    const message = "the associated token account belongs to another owner or mint; do not use it"
    const found = `owner ${account.owner}, mint ${account.mint}`
    return [{ code: "solana.token_account_foreign", message, expected, found }]
  }
  if (!account.isFrozen) return []
  const message =
    "the issuer of the token has frozen the account, so no tokens can leave or enter it"
  return [{ code: "solana.token_account_frozen", message, expected, found: "a frozen account" }]
}
