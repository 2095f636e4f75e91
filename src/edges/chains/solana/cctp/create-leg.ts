import { PublicKey } from "@solana/web3.js"
import type { Asset } from "#domain/asset.ts"
import type { Reason } from "#domain/reason.ts"
import type { RouteVoucher } from "#domain/route/route-voucher.ts"
import { mustExist } from "#lib/assert.ts"
import type { LegQuery } from "#ports/chain/htlc-reader.ts"
import type { RouteRules } from "#ports/key-holder.ts"
import type { RouteLeg, RoutePayout } from "#ports/route.ts"
import { checkAttestation } from "#routes/cctp/attestation.ts"
import { findUpgrades } from "#routes/cctp/find-upgrades.ts"
import { burnOf, type KeptBurn, readOwnMint } from "#routes/cctp/kept-burn.ts"
import { CCTP } from "#routes/cctp/quote-burns.ts"
import { findTokenFaults, tokenOf } from "../check-tokens.ts"
import { fetchContractIdentity } from "../identify-contract.ts"
import { proveUnfundedBy } from "../legs/prove-unfunded.ts"
import type { SolanaNode } from "../node.ts"
import { readAgreed } from "../nodes/endpoints.ts"
import type { LegParts } from "../routes/leg-parts.ts"
import type { RoutePlace } from "../routes/route-key.ts"
import { feeOf, SIGNATURE_LAMPORTS } from "../spend/assemble.ts"
import { isSolanaAddress } from "../wallet.ts"
import { deriveUsedNonce } from "./accounts.ts"
import { decodeBurnDeposit } from "./burn-deposit.ts"
import type { BurnPermissions } from "./burn-permissions.ts"
import { createBurnHistory } from "./find-burns.ts"
import { findBurnFaults, findMintFaults } from "./judge-state.ts"
import { BURN_UNIT_LIMIT, EVENT_BYTES, MINT_UNIT_LIMIT, NONCE_BYTES } from "./limits.ts"
import { findBurn, observeBurn, observeMint } from "./observe-ends.ts"
import { describeMissing, fetchLookupTable, planBurn, planMint } from "./plan-ends.ts"
import { wordOf } from "./presets.ts"
import { readBurnPermissions } from "./read-rules.ts"
import { decodeTransmitter } from "./states.ts"

/** Burns and mints of USDC on Solana. */
export function openBurnLeg(
  parts: LegParts,
  rules: RouteRules,
  place: RoutePlace,
): RouteLeg | null {
  const burns = readBurnPermissions(rules, place)
  const asset = parts.wallet.assets.find(({ id }) => id === burns?.asset)
  return burns === null || asset === undefined ? null : createBurnLeg({ ...parts, burns, asset })
}

type Leg = LegParts & { readonly burns: BurnPermissions; readonly asset: Asset }

function createBurnLeg(leg: Leg): RouteLeg {
  const { wallet, burns, endpoints, planning, finality, commitment } = leg
  const { accounts } = burns
  const ask = <T>(question: (at: SolanaNode) => Promise<T>) =>
    readAgreed(endpoints, commitment, question)
  return {
    kind: CCTP,
    decodeDeposit: (request, asset) => decodeBurnDeposit(wallet, burns, request, asset),
    checkDeposit: async (deposit) => {
      const { call } = burnOf(deposit)
      const destinationMessenger = burns.messengers.get(call.destinationDomain) ?? null
      const parties = { owner: new PublicKey(wallet.account), destinationMessenger }
      const faults = await ask((at) => findBurnFaults(at, accounts, call, parties))
      return [...faults, ...(await findUpgradesHere(leg))]
    },
    checkPayout: async (payout, voucher) => {
      const faults = await ask((at) => checkMintNow(leg, at, payout, voucher))
      // After the burn an upgrade keeps no mint back: nothing else brings the money.
      return voucher === null ? [...faults, ...(await findUpgradesHere(leg))] : faults
    },
    checkVoucher: (deposit, voucher) =>
      ask((at) => judgeVoucher(leg, at, burnOf(deposit), voucher)),
    isOver: (deposit, voucher) =>
      readAgreed(endpoints, "finalized", (at) => isOver(leg, at, burnOf(deposit), voucher)),
    observeLeg: (query) => {
      const observe = query.side === "source" ? observeBurn : observeMint
      return observe(accounts, burnOfQuery(query), query, { endpoints, wallet, finality })
    },
    proveUnfunded: (query) =>
      proveUnfundedBy(query, endpoints, async (endpoint, place) => {
        const found = await findBurn(endpoint, accounts, burnOfQuery(query), {
          query: { ...query, fromHeight: place.fromHeight },
          minSlot: place.slot,
        })
        return found !== null
      }),
    history: createBurnHistory(leg),
    estimateDepositFee: () =>
      ask(async (at) => {
        const rentUnits = await at.fetchRent(EVENT_BYTES)
        const feeUnits = feeOf(BURN_UNIT_LIMIT, wallet.maxPriorityFeeMicroLamports)
        return feeUnits + SIGNATURE_LAMPORTS + rentUnits
      }),
    estimateRedeemFee: () =>
      ask(async (at) => {
        const rentUnits = await at.fetchRent(NONCE_BYTES)
        return feeOf(MINT_UNIT_LIMIT, wallet.maxPriorityFeeMicroLamports) + rentUnits
      }),
    planDeposit: ({ deposit }, reserved) => planBurn(leg, deposit, reserved, planning),
    planRedemption: (payout, voucher) => planMint(leg, payout, voucher, planning),
  }
}

function findUpgradesHere({ burns, endpoints, commitment }: Leg): Promise<readonly Reason[]> {
  return findUpgrades(burns.pinned, (program) =>
    fetchContractIdentity(endpoints, commitment, program),
  )
}

function burnOfQuery({ route }: LegQuery): KeptBurn {
  return burnOf(mustExist(route, "the part of the route in its query").deposit)
}

/** The reasons against a mint now. Its token account must exist: no program opens it. */
async function checkMintNow(
  leg: Leg,
  at: SolanaNode,
  { deposit, owner }: RoutePayout,
  voucher: RouteVoucher | null,
): Promise<readonly Reason[]> {
  const { burns, asset } = leg
  const { accounts } = burns
  const burn = burnOf(deposit)
  const token = tokenOf(asset)
  const own = burns.recipients.get(accounts.domain) ?? []
  if (token === null || !isSolanaAddress(owner) || !own.includes(burn.call.mintRecipient))
    return [{ code: "cctp.burn_differs", message: "The burn does not pay this account", owner }]
  const { call, source, sourceMessenger } = burn
  const [faults, tokens, table] = await Promise.all([
    findMintFaults(at, accounts, { ...call, source, sourceMessenger }),
    findTokenFaults(token, owner, at),
    fetchLookupTable(at, burns),
  ])
  const reasons = [
    ...faults,
    ...tokens,
    ...(table === null ? [describeMissing(burns.lookupTable)] : []),
  ]
  if (voucher === null || reasons.length > 0) return reasons
  const foreign = await judgeVoucher(leg, at, burn, voucher)
  if (foreign.length > 0) return foreign
  return judgeTime(leg, at, burn, voucher)
}

/** Why the message, which is our own, cannot be minted now. */
async function judgeTime(
  { burns: { accounts } }: Leg,
  at: SolanaNode,
  burn: KeptBurn,
  voucher: RouteVoucher,
): Promise<readonly Reason[]> {
  const mint = readOwnMint(burn, wordOf(accounts.messenger), voucher)
  if (mint === null) return []
  const { nonce, expirationBlock } = mint.message
  const used = await at.fetchAccount(deriveUsedNonce(accounts, nonce).toBase58())
  if (used?.owner === accounts.transmitter.toBase58())
    return [{ code: "cctp.nonce_used", message: "The message is minted already", nonce }]
  const slot = await at.fetchSlot()
  if (expirationBlock === 0n || expirationBlock > slot) return []
  const message = "The message has expired, so it is not sent; it can be attested again"
  return [{ code: "cctp.expired", message, slot: `${slot}`, last: `${expirationBlock}` }]
}

async function isOver(
  leg: Leg,
  at: SolanaNode,
  burn: KeptBurn,
  voucher: RouteVoucher,
): Promise<boolean> {
  const foreign = await judgeVoucher(leg, at, burn, voucher)
  if (foreign.length > 0) return false
  return (await judgeTime(leg, at, burn, voucher)).some(({ code }) => code === "cctp.expired")
}

/** Other bytes, or signatures of others, show that the voucher is not our burn's. */
async function judgeVoucher(
  { burns: { accounts } }: Leg,
  at: SolanaNode,
  burn: KeptBurn,
  voucher: RouteVoucher,
): Promise<readonly Reason[]> {
  const mint = readOwnMint(burn, wordOf(accounts.messenger), voucher)
  if (mint === null)
    return [{ code: "cctp.bytes_differ", message: "The attested message is not that of our burn" }]
  const account = await at.fetchAccount(accounts.transmitterState.toBase58())
  const state = decodeTransmitter(account, accounts.transmitter)
  return checkAttestation(mint.bytes, mint.attestation, {
    threshold: state?.threshold ?? 0,
    isEnabled: (attester) => state?.attesters.includes(attester) === true,
  })
}
