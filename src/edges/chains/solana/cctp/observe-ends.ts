import type { PublicKey } from "@solana/web3.js"
import { AppError } from "#lib/app-error.ts"
import type { LegObservation, LegQuery } from "#ports/chain/htlc-reader.ts"
import { isMessageOf, type KeptBurn } from "#routes/cctp/kept-burn.ts"
import { encodeBurnMessage, type Hex } from "#routes/cctp/message.ts"
import type { LegReading } from "../legs/read-leg.ts"
import type { Endpoint } from "../nodes/endpoints.ts"
import { type LegOptions, observeReadings } from "../observe-leg.ts"
import { type CctpAccounts, deriveDenylist, deriveUsedNonce } from "./accounts.ts"
import { eventKeyOf } from "./burn-permissions.ts"
import { addressOf } from "./presets.ts"
import { type MintEvent, readBurns, readMints } from "./read-events.ts"
import { assertAbsent, assertUnknown, findInHistory } from "./read-history.ts"

const NOTHING: LegReading = { initiated: null, redeemed: null, refunded: null }

/** The account of the burn's message, which the burn opens and names. */
function eventAccountOf({ depositor }: KeptBurn, dealKey: string): PublicKey {
  return eventKeyOf(dealKey, depositor).publicKey
}

/** The burn in a block, by the history of the account that it opens, or that each burn names. */
export function observeBurn(
  accounts: CctpAccounts,
  burn: KeptBurn,
  query: LegQuery,
  options: LegOptions,
): Promise<LegObservation> {
  return observeReadings(query, options, async (endpoint, minSlot) => {
    const found = await findBurn(endpoint, accounts, burn, { query, minSlot })
    return found === null ? NOTHING : { ...NOTHING, initiated: found }
  })
}

/** Does this endpoint show that the burn landed? */
export async function findBurn(
  endpoint: Endpoint,
  accounts: CctpAccounts,
  burn: KeptBurn,
  { query, minSlot }: Place,
): Promise<LegReading["initiated"]> {
  const { txid } = burn
  // The account of a burn that was found on chain follows from an order that none knows any more.
  const address =
    txid === undefined
      ? eventAccountOf(burn, query.secretHash)
      : deriveDenylist(accounts, addressOf(burn.depositor))
  const history = { address, since: query.fromHeight, minSlot, txid }
  const found = await findInHistory(endpoint, history, (one) =>
    readBurns(one, accounts).find((message) => isMessageOf(burn, message)),
  )
  if (found === null) {
    if (txid === undefined) await assertAbsent(endpoint, address, accounts.transmitter, minSlot)
    else await assertUnknown(endpoint, address, txid, minSlot)
    return null
  }
  const { value: message, ...landing } = found
  const evidence = { message: encodeBurnMessage(message) }
  return { ...landing, units: message.amountUnits, refundableAt: null, evidence }
}

type Place = {
  readonly query: Pick<LegQuery, "secretHash" | "fromHeight">
  readonly minSlot: bigint
}

/**
 * The mint in a block, whichever account sent it. With its nonce it is in the history of the mark
 * of the nonce, and without in that of the token account that it pays.
 */
export function observeMint(
  accounts: CctpAccounts,
  burn: KeptBurn,
  query: LegQuery,
  options: LegOptions,
): Promise<LegObservation> {
  const nonce = query.route?.voucher?.nonce ?? null
  const known = nonce === null ? null : deriveUsedNonce(accounts, requireWord(nonce))
  const address = known ?? addressOf(burn.call.mintRecipient)
  return observeReadings(query, options, async (endpoint, minSlot) => {
    const found = await findInHistory(
      endpoint,
      { address, since: query.fromHeight, minSlot },
      (one) =>
        readMints(one, accounts).find(
          (mint) => (nonce === null || mint.nonce === nonce) && isMintOf(accounts, burn, mint),
        ),
    )
    if (found === null) {
      if (known !== null) await assertAbsent(endpoint, known, accounts.transmitter, minSlot)
      return NOTHING
    }
    const { value: mint, ...landing } = found
    return { ...NOTHING, redeemed: { ...landing, paidUnits: mint.amountUnits, secret: null } }
  })
}

function isMintOf({ mint: token }: CctpAccounts, burn: KeptBurn, mint: MintEvent): boolean {
  const { source, sourceMessenger, call } = burn
  const { destinationDomain, destinationCaller, minFinalityThreshold, mintRecipient } = call
  const header = {
    sourceDomain: source,
    destinationDomain,
    sender: sourceMessenger,
    destinationCaller,
    minFinalityThreshold,
  }
  return (
    mint.sourceDomain === source &&
    mint.sender === sourceMessenger &&
    mint.mintRecipient === mintRecipient &&
    addressOf(mint.mintToken).equals(token) &&
    isMessageOf(burn, { ...mint.body, ...header })
  )
}

function requireWord(nonce: string): Hex {
  if (/^0x[0-9a-f]{64}$/.test(nonce)) return `0x${nonce.slice(2)}`
  throw new AppError({
    code: "cctp.deposit",
    disposition: "hold",
    message: "The order's nonce is not 32 bytes of hex; inspect the order",
    details: { nonce: nonce.slice(0, 80) },
  })
}
