import { base58 } from "@scure/base"
import { PublicKey, VersionedTransaction } from "@solana/web3.js"
import type { VerifiedDeposit } from "#domain/deposit.ts"
import type { Reason } from "#domain/reason.ts"
import { mustExist } from "#lib/assert.ts"
import { ignoreUnhandled } from "#lib/retry.ts"
import type { RelayedDeposits } from "#ports/chain/capabilities.ts"
import type { GaslessSignature } from "#ports/chain/transactions.ts"
import { contextOf, type KeyHolder, type SigningContext } from "#ports/key-holder.ts"
import { tokenOf } from "../check-tokens.ts"
import { isComputeBudget, readTransaction } from "../legs/read-transaction.ts"
import { type Endpoints, readAgreed } from "../nodes/endpoints.ts"
import type { PlanningNode } from "../nodes/planning-node.ts"
import { requireGasless } from "../signer.ts"
import { findMissingTokens, findTokenRefusal } from "../spend/build.ts"
import { readBalances, simulateTransaction } from "../spend/draft.ts"
import { INITIATE_AT } from "../spl-htlc.ts"
import type { Wallet } from "../wallet.ts"

/**
 * Gasless deposits: the relay pays for a transaction that we sign too. Nothing of ours can be lost
 * in it but the amount (`checkGasless`), and our signature dies with its blockhash.
 */
export function createRelayedDeposits(parts: Parts) {
  return {
    relayed: { findObstacles: (deposit) => findObstacles(deposit, parts) },
    signTypedData: async (deposit, context) => sign(deposit, context, parts),
  } satisfies {
    readonly relayed: RelayedDeposits
    readonly signTypedData: (
      deposit: VerifiedDeposit,
      context?: SigningContext,
    ) => Promise<GaslessSignature>
  }
}

type Parts = {
  readonly wallet: Wallet
  readonly planning: PlanningNode
  readonly endpoints: Endpoints
  readonly holder: KeyHolder
}

/**
 * The dry run shows that our token account loses exactly the amount. Our own account is read-only,
 * so it loses nothing.
 */
async function findObstacles(
  deposit: VerifiedDeposit,
  { wallet, planning, endpoints }: Parts,
): ReturnType<RelayedDeposits["findObstacles"]> {
  const { message, instructions, signatures } = requireGasless(deposit, wallet)
  const asset = mustExist(
    wallet.assets.find(({ id }) => id === deposit.asset),
    "the checked asset",
  )
  const token = mustExist(tokenOf(asset), "the checked token")
  const call = instructions.find((instruction) => !isComputeBudget(instruction))
  const swapAccount = call?.accounts[INITIATE_AT.swapData]?.address ?? ""
  const initiator = new PublicKey(wallet.account)
  const target = { token, initiator, program: new PublicKey(deposit.htlc) }
  // They begin together, so they are one request.
  const reads = {
    swap: ignoreUnhandled(planning.fetchAccount(swapAccount)),
    refusal: ignoreUnhandled(findTokenRefusal(target, planning)),
    before: ignoreUnhandled(readBalances(token, wallet, planning)),
  }
  const isFresh = await readAgreed(
    endpoints,
    "confirmed",
    async (node) => (await node.fetchBlockhashState(message.recentBlockhash)).isValid,
  )
  if (!isFresh) return { reasons: [STALE], isLasting: true }
  if ((await reads.swap)?.owner === deposit.htlc)
    return { reasons: [{ ...OPEN, swapAccount }], isLasting: false }
  const transaction = Buffer.from(
    new VersionedTransaction(message, [...signatures]).serialize(),
  ).toString("base64")
  const dryRun = { transaction, asset, isReadOnly: true }
  const before = await reads.before
  const bounds = { atLeast: 0n, atMost: 0n, tokens: deposit.units, before }
  const refusal =
    (await reads.refusal) ??
    findMissingTokens(target, deposit.units, before.tokens) ??
    (await simulateTransaction(dryRun, bounds, wallet, planning))
  return { reasons: refusal?.refused ?? [], isLasting: false }
}

const STALE: Reason = {
  code: "solana.gasless_stale",
  message: "The blockhash of the relay's transaction has expired, so no signature can deposit",
}
const OPEN: Reason = {
  code: "solana.already_initiated",
  message: "the swap account already exists; observe the order instead",
}

/**
 * The life is read after the blockhash was found valid, so that of a newer one is never shorter.
 */
async function sign(
  deposit: VerifiedDeposit,
  context: SigningContext | undefined,
  { wallet, planning, holder }: Parts,
): Promise<GaslessSignature> {
  const { message } = requireGasless(deposit, wallet)
  const { fromHeight, lastValidBlockHeight } = await planning.fetchLife("initiate")
  const signed = await holder.signTypedData(deposit, context ?? contextOf(deposit.secretHash))
  const own = readTransaction.fromBase64(signed.signature)?.signatures[OWN_SIGNATURE_AT]
  return {
    ...signed,
    mark: base58.encode(mustExist(own, "our signature")),
    life: {
      blockhash: message.recentBlockhash,
      fromHeight,
      expiresAtHeight: lastValidBlockHeight,
    },
  }
}

/** `checkGasless` accepts the relay as the first signer and us as the second only. */
const OWN_SIGNATURE_AT = 1
