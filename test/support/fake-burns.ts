/*
 * Burns and mints of a fake ledger: the contracts of an issuer that destroys a token on one chain
 * and creates it on another. On a chain of slots (Solana) a burn opens an account for its message,
 * which no second burn can open.
 */

/** What a burn says, and its message repeats. */
export type BurnTerms = {
  /** The name of its order; a stranger may copy everything else. */
  readonly dealKey: string
  readonly asset: string
  readonly units: bigint
  /** The asset and the account on the other chain. */
  readonly to: string
  readonly payee: string
  /** The least that is minted. */
  readonly floorUnits: bigint
  readonly token: boolean
}

export type BurnAction = {
  readonly kind: "burn"
  readonly burn: BurnTerms
  readonly payer: "wallet" | "stranger"
  /** Of its message, on a chain of slots. Absent: it follows from the order's name. */
  readonly account?: string
}

export type MintAction = {
  readonly kind: "mint"
  readonly nonce: string
  readonly burn: BurnTerms
  readonly units: bigint
  /** The attesters have signed exactly this. */
  readonly isSigned: boolean
  /** From this block on it is refused. Absent: it never expires. */
  readonly expiresAt?: bigint
}

export type Burnt = BurnTerms & Omit<BurnAction, "kind" | "burn"> & { readonly height: bigint }
export type Minted = {
  readonly txid: string
  readonly height: bigint
  readonly units: bigint
  readonly burn: BurnTerms
}

export type LedgerBurns = {
  /** By transaction. */
  readonly burns: Map<string, Burnt>
  /** By nonce: each is used once. */
  readonly mints: Map<string, Minted>
}

type Balances = LedgerBurns & {
  /** `slots` for Solana. */
  readonly kind: string
  readonly balances: Map<string, bigint>
  readonly allowances: Map<string, bigint>
}

/** The contract that burns, and so the spender of the allowance. */
export const MESSENGER = "0xmessenger"

export function burn(
  { kind, allowances, balances, burns }: Balances,
  txid: string,
  { burn: terms, payer, account = terms.dealKey }: BurnAction,
  height: bigint,
): boolean {
  if (kind === "slots" && findMessage(burns, account) !== null) return false
  if (payer === "wallet") {
    const { asset, units, token } = terms
    const allowance = `${asset}/${MESSENGER}`
    const allowed = allowances.get(allowance) ?? 0n
    const balance = balances.get(asset) ?? 0n
    if ((token && allowed < units) || balance < units) return false
    if (token) allowances.set(allowance, allowed - units)
    balances.set(asset, balance - units)
  }
  burns.set(txid, { ...terms, payer, account, height })
  return true
}

/** The burn that opened this account for its message. */
export function findMessage(burns: LedgerBurns["burns"], account: string): Burnt | null {
  return [...burns.values()].find((burnt) => burnt.account === account) ?? null
}

/** Whoever sends it, it pays the payee of the burn: always our wallet here. */
export function mint(
  { balances, mints }: Balances,
  txid: string,
  { nonce, burn: terms, units, isSigned, expiresAt }: MintAction,
  height: bigint,
): boolean {
  if (!isSigned || mints.has(nonce) || isExpired(expiresAt, height)) return false
  mints.set(nonce, { txid, height, units, burn: terms })
  balances.set(terms.to, (balances.get(terms.to) ?? 0n) + units)
  return true
}

/** What a burn on a chain of slots reserves: the key of that account signs it too. */
export function accountResource(account: string): string {
  return `message:${account}`
}

/** As the contracts ask for it: at this block, and after it, the message must be signed again. */
export function isExpired(expiresAt: bigint | undefined, height: bigint): boolean {
  return expiresAt !== undefined && expiresAt <= height
}
