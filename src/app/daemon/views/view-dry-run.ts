import type { ChainConfig } from "#chains/chain-config.ts"
import { familyOf } from "#chains/families.ts"
import { FIAT_DECIMALS, formatUnits } from "#domain/amount.ts"
import { type AssetId, chainOf } from "#domain/asset.ts"
import type { DecodedDeposit, VerifiedDeposit } from "#domain/deposit.ts"
import type { Reason } from "#domain/reason.ts"
import { kindOf } from "#domain/route/route-kind.ts"
import type { TransactionPlan } from "#domain/transaction.ts"
import type { EngineContext } from "#engine/context.ts"
import type { SwapRequest } from "#engine/rules/admission.ts"
import { type DryRun, dryRunSwap } from "#engine/rules/dry-run.ts"
import { quoteCostBps } from "#guards/price.ts"
import { abilitiesOf, partsOf } from "#order/kinds/registry.ts"
import { isFinal } from "#order/states.ts"
import type { AnswerOf } from "#schema/answers/answers.ts"
import { describeIssuerSilence, showFee, showRedeemFee } from "./view-quote.ts"

export type DryRunAnswer = AnswerOf<"DryRun">
export type SignatureView = DryRunAnswer["signatures"][number]
export type WorstCase = NonNullable<DryRunAnswer["worstCase"]>

/** Dry-runs the swap and describes it. Signs nothing and writes nothing. */
export async function readDryRun(
  context: EngineContext,
  chains: readonly ChainConfig[],
  request: SwapRequest,
): Promise<DryRunAnswer> {
  const run = await dryRunSwap(context, request)
  const { from, to, sourceUnits } = request
  const chain = chains.find((candidate) => candidate.chain === chainOf(from)) ?? null
  const findings = listFindings(run, chain)
  return {
    ok: run.verified && run.refused.length === 0 && findings.length === 0,
    from,
    to,
    amount: show(context, from, sourceUnits),
    mode: context.settings.mode,
    ...viewProgress(run),
    refused: run.refused,
    findings,
    needsApproval: run.needsApproval,
    quote: viewQuote(context, run),
    deposit: run.decoded === null ? null : viewDeposit(run.decoded),
    signatures: chain === null ? [] : await viewSignatures(run, chain),
    worstCase: chain === null ? null : await viewWorstCase(context, run, { chain, chains }),
  }
}

function listFindings(run: DryRun, chain: ChainConfig | null): readonly Reason[] {
  const reasons = [
    ...(run.verified ? [] : (run.order?.data.reasons ?? [])),
    ...findObstacles(run, chain),
  ]
  return reasons.filter(
    ({ code, message }) =>
      !run.refused.some((each) => each.code === code && each.message === message),
  )
}

function viewProgress({
  order,
  verified,
}: DryRun): Pick<DryRunAnswer, "serviceOrderId" | "intent" | "unfinished"> {
  const data = order?.data ?? null
  return {
    serviceOrderId:
      data !== null && abilitiesOf(data).isReported ? (data.created?.orderId ?? null) : null,
    intent: data?.intent?.hash ?? null,
    unfinished: !verified && order !== null && !isFinal(order.state),
  }
}

/**
 * A deposit that waits for its approval cannot be simulated. Any other obstacle stays after the
 * approval.
 */
function findObstacles({ depositReasons }: DryRun, chain: ChainConfig | null): readonly Reason[] {
  const passing = chain === null ? [] : familyOf(chain).traits.refusalsOfLaggingNodes
  return depositReasons.filter(({ code }) => !passing.includes(code))
}

/** The findings are shown once, among the reasons. */
function viewDeposit({ findings: _, ...fields }: DecodedDeposit): DryRunAnswer["deposit"] {
  return fields
}

function show({ settings }: EngineContext, asset: AssetId, units: bigint): string | null {
  const decimals = settings.assets.get(asset)?.decimals
  return decimals === undefined ? null : formatUnits(units, decimals)
}

function viewQuote(context: EngineContext, { order }: DryRun): DryRunAnswer["quote"] {
  const quote = order?.data.quote ?? null
  if (quote === null) return null
  const fiat = (value: bigint | null): string | null =>
    value === null ? null : formatUnits(value, FIAT_DECIMALS)
  const costBps = quoteCostBps(quote)
  return {
    service: order?.data.service ?? null,
    solver: quote.solverId,
    sends: show(context, quote.from, quote.sourceUnits),
    receives: show(context, quote.to, quote.destinationUnits),
    sendsFiat: fiat(quote.sourceFiat),
    receivesFiat: fiat(quote.destinationFiat),
    costBps: costBps === null ? null : Number(costBps),
    estimatedSeconds: quote.estimatedSeconds,
  }
}

async function viewSignatures(run: DryRun, chain: ChainConfig): Promise<readonly SignatureView[]> {
  if (!run.verified) return []
  const { approval, deposit, decoded, way } = run
  const views = approval === null ? [] : [await viewTransaction("approve", approval, chain)]
  if (way === "gasless") {
    const content = decoded?.extras["typedData"] ?? null
    return [
      ...views,
      { purpose: "gasless", what: "typed data", digest: null, maxFee: null, content, reasons: [] },
    ]
  }
  if (deposit !== null) return [...views, await viewTransaction("deposit", deposit, chain)]
  // The node refuses to simulate a deposit whose allowance is not on chain yet. The call itself is
  // known.
  const content = decoded === null ? null : viewCall(decoded)
  const later = { purpose: "deposit", what: "transaction", digest: null, maxFee: null } as const
  const message =
    "The node can simulate the deposit once the approval is in a block. Nonce, gas and fee " +
    "are known then; the call itself does not change"
  const reasons = [{ code: "deposit.after_approval", message }, ...findObstacles(run, chain)]
  return [...views, { ...later, content, reasons }]
}

/**
 * The decoded call without its empty fields, and without the typed data that only a gasless deposit
 * signs.
 */
function viewCall({ extras }: DecodedDeposit): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(extras).filter(([name, value]) => name !== "typedData" && value !== null),
  )
}

async function viewTransaction(
  purpose: SignatureView["purpose"],
  plan: TransactionPlan,
  chain: ChainConfig,
): Promise<SignatureView> {
  const family = familyOf(chain)
  const content = (await family.describePlan?.(plan, chain)) ?? JSON.parse(plan.unsigned)
  const maxFee = showFee(plan.maxFeeUnits, chain)
  return { purpose, what: "transaction", digest: plan.digest, maxFee, content, reasons: [] }
}

async function viewWorstCase(
  context: EngineContext,
  run: DryRun,
  { chain, chains }: { readonly chain: ChainConfig; readonly chains: readonly ChainConfig[] },
): Promise<WorstCase | null> {
  const data = run.order?.data
  if (!data?.deposit || data.quote === null) return null
  if (abilitiesOf(data).refund) return describeWorstCase(context, run, data.deposit, chain)
  const locked = formatLocked(context, data.deposit)
  const parts = partsOf(kindOf(data.quote))
  const fees: readonly (readonly [string, string | null])[] = [
    [parts.deposit, run.fees === null ? null : showFee(run.fees.depositUnits, chain)],
    [parts.payout, showRedeemFee(chains, data.quote)],
  ]
  return {
    locked,
    timelock: "0",
    lockedForSeconds: 0,
    refundedBy: "nobody",
    fees: null,
    refund: null,
    sentences: [
      describeIssuerSilence(locked),
      ...fees.flatMap(([part, fee]) =>
        fee === null ? [] : [`The network fee of the ${part} is at most ${fee}.`],
      ),
    ],
  }
}

async function describeWorstCase(
  context: EngineContext,
  { order, fees, way, approval }: DryRun,
  deposit: VerifiedDeposit,
  chain: ChainConfig,
): Promise<WorstCase> {
  const family = familyOf(chain)
  const refund = await family.describeRefund(
    deposit,
    chain,
    order?.data.serviceOrder?.source.swapId,
  )
  const locked = formatLocked(context, deposit)
  const secondsPerUnit = order?.data.policy.timelocks.source.secondsPerUnit ?? 0
  const lockedForSeconds = Math.round(Number(deposit.timelock) * secondsPerUnit)
  const sender = deposit.isRefundableByUs ? "Ballast" : "only the service"
  return {
    locked,
    timelock: deposit.timelock.toString(),
    lockedForSeconds,
    refundedBy: sender,
    fees:
      fees === null
        ? null
        : { deposit: showFee(fees.depositUnits, chain), refund: showFee(fees.refundUnits, chain) },
    refund,
    sentences: [
      `No solver fills the order: ${locked} stay locked for about ` +
        `${formatDuration(lockedForSeconds)}, then ${sender} can send the refund.`,
      "Service and solver act together: the service holds the secret, so together they can " +
        "take the deposit without a payout. The whole amount is lost then.",
      ...(deposit.isRefundableByUs
        ? []
        : [
            "The service is gone: no other party can send the refund, and the whole amount is " +
              "lost.",
          ]),
      ...(approval === null
        ? []
        : [
            "The contract may take exactly this amount once. Ballast revokes an allowance " +
              "that stays unused.",
          ]),
      ...(way === "gasless"
        ? [
            "The relay can use the signature until the allowance is spent or revoked; the " +
              "contract accepts it once.",
          ]
        : []),
    ],
  }
}

function formatLocked(context: EngineContext, { asset, units }: VerifiedDeposit): string {
  return asset === null ? `${units} units` : `${show(context, asset, units)} ${asset}`
}

function formatDuration(seconds: number): string {
  if (seconds < 120) return `${seconds} s`
  if (seconds < 7_200) return `${Math.round(seconds / 60)} minutes`
  return `${(seconds / 3_600).toFixed(1)} hours`
}
