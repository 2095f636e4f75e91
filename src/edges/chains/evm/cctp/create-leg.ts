import { encodeEventTopics, type Hex, type Log } from "viem"
import type { Reason } from "#domain/reason.ts"
import type { RouteVoucher } from "#domain/route/route-voucher.ts"
import { AppError } from "#lib/app-error.ts"
import { mustExist } from "#lib/assert.ts"
import { plainJson } from "#lib/json.ts"
import type { LegObservation, LegQuery } from "#ports/chain/htlc-reader.ts"
import type { RouteRules } from "#ports/key-holder.ts"
import type { RouteLeg, RoutePayout } from "#ports/route.ts"
import { findUpgrades } from "#routes/cctp/find-upgrades.ts"
import { burnOf, isMessageOf, type KeptBurn, readMintBytes } from "#routes/cctp/kept-burn.ts"
import { CCTP } from "#routes/cctp/quote-burns.ts"
import { type Depths, finalHeight, isDeep } from "../finality.ts"
import { fetchContractIdentity } from "../identify-contract.ts"
import { findRawLogs } from "../legs/find-logs.ts"
import { proveEvmUnfunded } from "../legs/prove-unfunded.ts"
import { countConfirmations, findReceipt, hashOf } from "../legs/read-transaction.ts"
import { conclude, readAgreed } from "../nodes/agree.ts"
import type { At } from "../rpc.ts"
import { type Draft, NO_NEEDS, planDrafts } from "../spend/build.ts"
import { estimateFee, readFeePerGas } from "../spend/estimate-fee.ts"
import { requireAddress, type Wallet } from "../wallet.ts"
import { messengerAbi, transmitterAbi } from "./abi.ts"
import { decodeBurnDeposit } from "./burn-deposit.ts"
import type { BurnPermissions } from "./burn-permissions.ts"
import { encodeMint } from "./calls.ts"
import { createBurnHistory } from "./find-burns.ts"
import { judgeDestination, judgeSource } from "./judge-burn-state.ts"
import { judgeOwnVoucher, judgeVoucher } from "./judge-voucher.ts"
import { wordOf } from "./presets.ts"
import { readDestinationState, readSourceState } from "./read-burn-state.ts"
import { type BurnLog, isBodyOf, type MintLog, readBurns, readMints } from "./read-logs.ts"
import { readBurnPermissions } from "./read-rules.ts"

/** Burns and mints of USDC on one EVM chain. */
export function openBurnLeg(wallet: Wallet, rules: RouteRules): RouteLeg | null {
  const burns = readBurnPermissions(rules, wallet)
  return burns === null ? null : createBurnLeg(wallet, burns)
}

function createBurnLeg(wallet: Wallet, burns: BurnPermissions): RouteLeg {
  const own = { ...wallet, burns }
  return {
    kind: CCTP,
    decodeDeposit: (request, asset) => decodeBurnDeposit(own, request, asset),
    checkDeposit: (deposit) => checkBurnNow(own, burnOf(deposit)),
    checkPayout: (payout, voucher) => checkMintNow(own, payout, voucher),
    checkVoucher: (deposit, voucher) =>
      readAgreed(wallet.rpc, (at) =>
        judgeOwnVoucher(at, burns.contracts, burnOf(deposit), voucher),
      ),
    isOver: (deposit, voucher) => isExpiredFinally(own, burnOf(deposit), voucher),
    observeLeg: (query) => (query.side === "source" ? observeBurn : observeMint)(own, query),
    proveUnfunded: (query) => proveEvmUnfunded(wallet, query),
    history: createBurnHistory(own, readTransactionLogs),
    estimateDepositFee: () =>
      estimateFee(wallet, readFeePerGas(wallet), { gas: BURN_GAS, bytes: BURN_BYTES }),
    estimateRedeemFee: () =>
      estimateFee(wallet, readFeePerGas(wallet), { gas: MINT_GAS, bytes: MINT_BYTES }),
    planDeposit: (intent, reserved, options) => {
      const drafts = [draftBurn(own, burnOf(intent.deposit))]
      return planDrafts(wallet, { intent, drafts, reserved }, options)
    },
    planRedemption: async (_payout, voucher, reserved, options) => {
      const draft = draftMint(own, voucher)
      return "refused" in draft
        ? draft
        : planDrafts(wallet, { intent: { action: "redeem" }, drafts: [draft], reserved }, options)
    },
  }
}

type BurningWallet = Wallet & { readonly burns: BurnPermissions }

/** Cautious, as for an HTLC: an approval of about 180 bytes and a burn of about 340. */
const BURN_GAS = 280_000n
const BURN_BYTES = 520
/** Half as much again as a live mint of 170 000. */
const MINT_GAS = 260_000n
/** A message without a hook and two signatures, in a transaction. */
const MINT_BYTES = 800

function findUpgradesHere({ rpc, burns }: BurningWallet): Promise<readonly Reason[]> {
  return findUpgrades(burns.pinned ?? [], (contract) => fetchContractIdentity(rpc, contract))
}

async function checkBurnNow(wallet: BurningWallet, { call }: KeptBurn): Promise<readonly Reason[]> {
  const { rpc, account, burns } = wallet
  const { amountUnits, maxFeeUnits, destinationDomain } = call
  const asked = { account, amountUnits, destination: destinationDomain }
  const state = await readAgreed(rpc, (at) => readSourceState(at, burns.contracts, asked))
  // Without rules of that chain: every EVM chain of a network has it at the same address.
  const destinationMessenger =
    burns.messengers.get(destinationDomain) ?? wordOf(burns.contracts.messenger)
  const burn = { amountUnits, maxFeeUnits, destinationMessenger }
  return [...judgeSource(state, burns.contracts, burn), ...(await findUpgradesHere(wallet))]
}

/** The contract asks for signatures and a free nonce first, so an expired message has both. */
async function isExpiredFinally(
  { rpc, finality, account, burns: { contracts } }: BurningWallet,
  burn: KeptBurn,
  voucher: RouteVoucher,
): Promise<boolean> {
  const { heights } = await rpc.readEach(async () => null, { tags: true })
  const height = finalHeight(finality, heights)
  if (height === null) return false
  const reasons = await readAgreed(rpc, (at) =>
    judgeVoucher({ ...at, height }, { contracts, account }, burn, voucher),
  )
  return reasons.some(({ code }) => code === "cctp.expired")
}

function draftBurn({ burns }: BurningWallet, { call, data }: KeptBurn): Draft {
  const { asset, contracts } = burns
  const units = call.amountUnits
  return {
    ...NO_NEEDS,
    to: contracts.messenger,
    value: 0n,
    data,
    spends: [{ asset, units }],
    needs: { token: contracts.token, asset, units },
  }
}

function draftMint(
  { burns }: BurningWallet,
  voucher: RouteVoucher,
): Draft | { readonly refused: readonly Reason[] } {
  const mint = readMintBytes(voucher)
  if (mint === null)
    return { refused: [{ code: "cctp.bytes_differ", message: "The voucher has no message" }] }
  const data = encodeMint(mint.bytes, mint.attestation)
  return { ...NO_NEEDS, to: burns.contracts.transmitter, value: 0n, data }
}

/**
 * The burn in a block. Only transactions that the order signed count, by their receipts, and the
 * one of a burn that was found on chain.
 */
async function observeBurn(wallet: BurningWallet, query: LegQuery): Promise<LegObservation> {
  const { deposit, signed } = routeOf(query)
  const burn = burnOf(deposit)
  const { contracts } = wallet.burns
  const txids = [...signed.map(hashOf), ...(burn.txid === undefined ? [] : [hexOf(burn.txid)])]
  const reading = await wallet.rpc.readEach(
    async (at) => {
      const found = await Promise.all(txids.map((txid) => readTransactionLogs(at, txid)))
      return (
        readBurns(found.flat(), contracts).find(({ message }) => isMessageOf(burn, message)) ?? null
      )
    },
    { tags: true },
  )
  const seen = conclude<BurnLog | null>(wallet.rpc, reading, plainJson)
  const log = seen.value ?? seen.given.find((each) => each !== null) ?? null
  return {
    ...headOf(reading.heights, seen),
    initiated: log && {
      ...locate(wallet, reading.heights, seen.status, log),
      units: log.message.amountUnits,
      evidence: { message: log.bytes },
    },
  }
}

/** The logs of a transaction that succeeded, in the chain that the read is about. */
async function readTransactionLogs(at: At, txid: Hex): Promise<readonly Log[]> {
  at.foresee(txid)
  const receipt = await findReceipt(at.client, txid)
  if (receipt === null || receipt.status !== "success" || receipt.blockNumber > at.height) return []
  at.requireCanonical({ txid, height: receipt.blockNumber, blockHash: receipt.blockHash })
  return receipt.logs
}

async function checkMintNow(
  wallet: BurningWallet,
  { deposit, owner }: RoutePayout,
  voucher: RouteVoucher | null,
): Promise<readonly Reason[]> {
  const { rpc, account, burns } = wallet
  const burn = burnOf(deposit)
  if (burn.call.mintRecipient !== wordOf(requireAddress(owner)))
    return [{ code: "cctp.burn_differs", message: "The burn does not pay this account", owner }]
  const { contracts } = burns
  const asked = {
    recipient: requireAddress(owner),
    source: burn.source,
    burnToken: burn.call.burnToken,
  }
  const state = await readAgreed(rpc, (at) => readDestinationState(at, contracts, asked))
  const { amountUnits } = burn.call
  const { sourceMessenger } = burn
  const reasons = judgeDestination(state, contracts, { amountUnits, sourceMessenger })
  // After the burn an upgrade keeps no mint back: nothing else brings the money.
  if (voucher === null) return [...reasons, ...(await findUpgradesHere(wallet))]
  if (reasons.length > 0) return reasons
  return readAgreed(rpc, (at) => judgeVoucher(at, { contracts, account }, burn, voucher))
}

/** The mint in a block, whichever account sent it: it pays only the recipient of the message. */
async function observeMint(wallet: BurningWallet, query: LegQuery): Promise<LegObservation> {
  const { deposit, voucher } = routeOf(query)
  const { fromHeight } = query
  const burn = burnOf(deposit)
  const reading = await wallet.rpc.readEach(
    (at) => findMint(at, wallet, { burn, nonce: voucher?.nonce ?? null, fromHeight }),
    { tags: true },
  )
  const seen = conclude<MintLog | null>(wallet.rpc, reading, plainJson)
  const log = seen.value
  return {
    ...headOf(reading.heights, seen),
    redeemed: log && {
      ...locate(wallet, reading.heights, seen.status, log),
      paidUnits: log.amountUnits,
      secret: null,
    },
  }
}

type MintSearch = {
  readonly burn: KeptBurn
  readonly nonce: string | null
  readonly fromHeight: bigint
}

async function findMint(
  at: At,
  { burns }: BurningWallet,
  { burn, nonce, fromHeight }: MintSearch,
): Promise<MintLog | null> {
  const { client, height: to } = at
  const { contracts } = burns
  const { messenger, transmitter, token } = contracts
  const topics =
    nonce === null
      ? encodeEventTopics({
          abi: messengerAbi,
          eventName: "MintAndWithdraw",
          args: {
            mintRecipient: requireAddress(`0x${burn.call.mintRecipient.slice(-40)}`),
            mintToken: token,
          },
        })
      : encodeEventTopics({
          abi: transmitterAbi,
          eventName: "MessageReceived",
          args: { nonce: hexOf(nonce) },
        })
  const search = { htlcs: [nonce === null ? messenger : transmitter], from: fromHeight, to }
  const logs = await findRawLogs(client, search, topics)
  const txids = new Set(logs.flatMap(({ transactionHash }) => transactionHash ?? []))
  for (const txid of txids) {
    const mints = readMints(await readTransactionLogs(at, txid), contracts)
    const found = mints.find(
      (mint) =>
        (nonce === null || mint.nonce === nonce) &&
        mint.mintToken === token &&
        mint.sourceDomain === burn.source &&
        mint.sender === burn.sourceMessenger &&
        wordOf(mint.mintRecipient) === burn.call.mintRecipient &&
        isBodyOf(mint, (message) => isMessageOf(burn, { ...message, ...headerOf(burn) })),
    )
    if (found !== undefined) return found
  }
  return null
}

/** The event of a mint shows the body alone; its header is judged by the event's own fields. */
function headerOf({ call, source, sourceMessenger }: KeptBurn) {
  const { destinationDomain, destinationCaller, minFinalityThreshold } = call
  return {
    sourceDomain: source,
    destinationDomain,
    sender: sourceMessenger,
    destinationCaller,
    minFinalityThreshold,
  }
}

function routeOf({ route }: LegQuery): NonNullable<LegQuery["route"]> {
  return mustExist(route, "the part of the route in its query")
}

function hexOf(nonce: string): Hex {
  if (/^0x[0-9a-f]{64}$/.test(nonce)) return `0x${nonce.slice(2)}`
  throw new AppError({
    code: "cctp.deposit",
    disposition: "hold",
    message: "The order's nonce or burn is not 32 bytes of hex; inspect the order",
    details: { nonce: nonce.slice(0, 80) },
  })
}

type Seen = { readonly status: string; readonly doubts: readonly Reason[] }

function headOf(heights: Depths, { status, doubts }: Seen) {
  return {
    height: heights.head,
    agreed: status === "agreed",
    ...(doubts.length === 0 ? {} : { doubts }),
    initiated: null,
    redeemed: null,
    refunded: null,
    refundableAt: null,
  }
}

function locate(
  { finality }: Wallet,
  heights: Depths,
  status: string,
  { txid, height }: { readonly txid: Hex; readonly height: bigint },
) {
  const isAgreed = status === "agreed"
  return {
    txid,
    height,
    confirmations: countConfirmations(heights.head, height),
    seen: status !== "split" && isDeep(finality.seen, height, heights),
    revealable: isAgreed && isDeep(finality.reveal, height, heights),
    final: isAgreed && isDeep(finality.ending, height, heights),
  }
}
