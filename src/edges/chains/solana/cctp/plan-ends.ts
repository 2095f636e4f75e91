import { AddressLookupTableAccount, PublicKey } from "@solana/web3.js"
import type { Asset } from "#domain/asset.ts"
import type { VerifiedDeposit } from "#domain/deposit.ts"
import type { RouteVoucher } from "#domain/route/route-voucher.ts"
import type { TransactionPlan } from "#domain/transaction.ts"
import type { RoutePayout } from "#ports/route.ts"
import { burnOf, readMintBytes } from "#routes/cctp/kept-burn.ts"
import { findTokenFaults, tokenOf } from "../check-tokens.ts"
import type { SolanaNode } from "../node.ts"
import type { PlanningNode } from "../nodes/planning-node.ts"
import {
  extraKeyResource,
  feeOf,
  SIGNATURE_LAMPORTS,
  swapAccountResource,
} from "../spend/assemble.ts"
import { findMissingTokens } from "../spend/build.ts"
import {
  choosePrice,
  findMissingFunds,
  finish,
  type Refusal,
  readBalances,
  readFunds,
  refuse,
  simulate,
  urgentPrice,
} from "../spend/draft.ts"
import { deriveTokenAccount } from "../tokens.ts"
import type { Wallet } from "../wallet.ts"
import { buildBurn, buildMint, listSharedAccounts } from "./accounts.ts"
import { type BurnPermissions, eventKeyOf, eventSeedOf } from "./burn-permissions.ts"
import { encodeBurnCall, encodeMintCall } from "./calls.ts"
import { BURN_UNIT_LIMIT, EVENT_BYTES, MINT_UNIT_LIMITS, NONCE_BYTES } from "./limits.ts"
import { addressOf } from "./presets.ts"
import { decodeMessenger } from "./states.ts"

type Own = { readonly wallet: Wallet; readonly burns: BurnPermissions; readonly asset: Asset }

/**
 * The burn of a verified deposit. `maxFeeUnits` includes the rent of the message's account, and the
 * fee of its own signature.
 */
export async function planBurn(
  { wallet, burns, asset }: Own,
  deposit: VerifiedDeposit,
  reserved: ReadonlySet<string>,
  node: PlanningNode,
): Promise<TransactionPlan | Refusal> {
  const { call, depositor, txid } = burnOf(deposit)
  if (txid !== undefined)
    return refuse("solana.already_initiated", "the burn was found on chain; observe it instead", {
      txid,
    })
  const seed = eventSeedOf(deposit.secretHash, depositor)
  const eventAccount = eventKeyOf(deposit.secretHash, depositor).publicKey
  const resource = swapAccountResource(eventAccount.toBase58())
  if (reserved.has(resource))
    return refuse("claims.taken", "another burn of this order is pending; wait for it", {
      resource,
    })
  const owner = new PublicKey(wallet.account)
  const { burnToken: _, ...asked } = call
  const data = encodeBurnCall(asked)
  const parts = { owner, eventAccount, domain: call.destinationDomain }
  const instructions = [buildBurn(burns.accounts, parts, data)]
  const token = tokenOf(asset)
  const [known, faults, price, rentUnits, funds, before] = await Promise.all([
    node.fetchAccount(eventAccount.toBase58()),
    token === null ? [] : findTokenFaults(token, wallet.account, node),
    choosePrice(wallet, node, instructions),
    node.fetchRent(EVENT_BYTES),
    readFunds(wallet, node),
    readBalances(token, wallet, node),
  ])
  // Coins that a stranger sends to the account open nothing: the program takes the account over.
  if (known?.owner === burns.accounts.transmitter.toBase58())
    return refuse(
      "solana.already_initiated",
      "the burn exists already; observe the order instead",
      {
        swapAccount: eventAccount.toBase58(),
      },
    )
  if (faults.length > 0) return { refused: faults }
  const maxFeeUnits = feeOf(BURN_UNIT_LIMIT, price) + SIGNATURE_LAMPORTS + rentUnits
  const shortage =
    findMissingFunds(0n, maxFeeUnits, wallet, funds) ??
    findMissingTokens({ token, initiator: owner }, deposit.units, before.tokens)
  if (shortage !== null) return shortage
  const draft = { instructions, price, asset, unitLimit: BURN_UNIT_LIMIT }
  const bounds = { atLeast: null, atMost: maxFeeUnits, tokens: deposit.units, before }
  const failure = await simulate(draft, bounds, wallet, node)
  if (failure !== null) return failure
  const resources = [resource, extraKeyResource(seed)]
  const spends = [{ asset: asset.id, units: deposit.units }]
  return finish({ action: "initiate", resources, spends, maxFeeUnits }, draft, wallet, node)
}

/** The mint of an attested message. It pays the token account in the message alone. */
export async function planMint(
  { wallet, burns, asset }: Own,
  { deposit }: RoutePayout,
  voucher: RouteVoucher,
  node: PlanningNode,
): Promise<TransactionPlan | Refusal> {
  const mint = readMintBytes(voucher)
  if (mint === null) return refuse("cctp.bytes_differ", "The voucher has no message")
  const { accounts } = burns
  const [feeAccount, table, rentUnits] = await Promise.all([
    fetchFeeAccount(node, burns),
    fetchLookupTable(node, burns),
    node.fetchRent(NONCE_BYTES),
  ])
  if (table === null || feeAccount === null)
    return { refused: [describeMissing(burns.lookupTable)] }
  const { nonce, sourceDomain, burnToken, mintRecipient, amountUnits, feeExecutedUnits } =
    mint.message
  const parts = {
    payer: new PublicKey(wallet.account),
    nonce,
    source: sourceDomain,
    burnToken,
    feeAccount,
    recipient: addressOf(mintRecipient),
  }
  const instruction = buildMint(accounts, parts, encodeMintCall(mint.bytes, mint.attestation))
  if (deposit.units !== amountUnits)
    return refuse("cctp.bytes_differ", "The message burns another amount than the order")
  const [price, funds] = await Promise.all([
    urgentPrice(wallet, node, [instruction]),
    readFunds(wallet, node),
  ])
  const tokens = feeExecutedUnits - amountUnits
  let first: Refusal | null = null
  for (const unitLimit of MINT_UNIT_LIMITS) {
    const maxFeeUnits = feeOf(unitLimit, price) + rentUnits
    const draft = { instructions: [instruction], price, asset, unitLimit, table }
    const bounds = { atLeast: null, atMost: maxFeeUnits, tokens }
    const failure =
      findMissingFunds(0n, maxFeeUnits, wallet, funds) ??
      (await simulate(draft, bounds, wallet, node))
    if (failure === null)
      return finish(
        { action: "redeem", resources: [], spends: [], maxFeeUnits },
        draft,
        wallet,
        node,
      )
    first ??= failure
  }
  return first ?? refuse("solana.simulation", "the mint has no limit of compute units")
}

/** The associated token account of the program's fee recipient. */
async function fetchFeeAccount(
  node: SolanaNode,
  { accounts }: BurnPermissions,
): Promise<PublicKey | null> {
  const account = await node.fetchAccount(accounts.messengerState.toBase58())
  const state = decodeMessenger(account, accounts.messenger)
  return state && deriveTokenAccount(state.feeRecipient, accounts.mint)
}

/** `null` where no table is configured or there, or it lacks an account of every mint. */
export async function fetchLookupTable(
  node: SolanaNode,
  { accounts, lookupTable: address }: BurnPermissions,
): Promise<AddressLookupTableAccount | null> {
  const account = address === null ? null : await node.fetchAccount(address)
  if (address === null || account?.owner !== LOOKUP_TABLE_PROGRAM) return null
  const state = AddressLookupTableAccount.deserialize(account.data)
  const isWhole = listSharedAccounts(accounts).every((shared) =>
    state.addresses.some((held) => held.equals(shared)),
  )
  return isWhole ? new AddressLookupTableAccount({ key: new PublicKey(address), state }) : null
}

const LOOKUP_TABLE_PROGRAM = "AddressLookupTab1e1111111111111111111111111"

/** A mint has twenty accounts beside a message, which no transaction holds as they are. */
export function describeMissing(table: string | null) {
  return {
    code: "solana.lookup_table_missing",
    message:
      "A mint is too long for one transaction without a table of the programs' addresses; make " +
      "one with solana address-lookup-table, and name it in lookup_tables",
    table: table ?? "none",
  }
}
