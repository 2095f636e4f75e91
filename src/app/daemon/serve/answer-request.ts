import { refuseForeign } from "#chains/foreign-families.ts"
import { parseUnits } from "#domain/amount.ts"
import { type AssetId, parseAssetId } from "#domain/asset.ts"
import type { EngineContext } from "#engine/context.ts"
import { reasonOf } from "#engine/orders/observe/job.ts"
import type { SwapRequest } from "#engine/rules/admission.ts"
import { AppError, toAppError } from "#lib/app-error.ts"
import type { Answer, AnswerName } from "#schema/answers/answers.ts"
import type { SubmitRequest } from "#schema/requests.ts"

/** Parses the request for `act`, and answers a refusal of it with its reasons. */
export async function answerRequest<Name extends AnswerName>(
  context: EngineContext,
  request: SubmitRequest,
  act: (asked: ReturnType<typeof parseSubmit>) => Promise<Answer<Name>>,
): Promise<Answer<Name>> {
  try {
    const foreign = refuseForeign(
      [request.from, request.to],
      request.destination ? [request.destination] : [],
    )
    if (foreign.length > 0) return { ok: false, reasons: foreign }
    return await act(parseSubmit(context, request))
  } catch (error) {
    const known = toAppError(error, { code: "ops.internal", disposition: "bug" })
    if (known.disposition === "bug") throw known
    return { ok: false, reasons: [reasonOf(known)] }
  }
}

/** Throws `domain.*` (refused) for an asset id or an amount of another form. */
export function parseSubmit(
  context: EngineContext,
  request: SubmitRequest,
): Omit<SwapRequest, "rule" | "occurrence"> {
  const from = parseAssetId(request.from)
  const to = parseAssetId(request.to)
  const way = request.deposit ? { way: request.deposit } : {}
  const destination = request.destination ?? null
  return { from, to, ...parseAmount(context, request, { from, to }), ...way, destination }
}

/** An exact payout needs a quote at once: only the quote says how much is sold. */
function parseAmount(
  { settings: { assets } }: EngineContext,
  { amount, toAmount, maxAmount }: SubmitRequest,
  { from, to }: { readonly from: AssetId; readonly to: AssetId },
): Pick<SwapRequest, "sourceUnits" | "exactOut" | "needsQuote"> {
  const source = assets.get(from)
  const destination = assets.get(to)
  if ((amount === undefined) === (toAmount === undefined) || (maxAmount && amount))
    throw new AppError({ code: "request.malformed", disposition: "refused", message: AMOUNTS })
  // Admission refuses an unknown asset with a reason, so the amount does not matter then.
  if (!source || (toAmount && !destination)) return { sourceUnits: 1n }
  if (amount !== undefined) return { sourceUnits: parseUnits(amount, source.decimals) }
  const units = parseUnits(toAmount ?? "", destination?.decimals ?? 0)
  const mostUnits = maxAmount === undefined ? null : parseUnits(maxAmount, source.decimals)
  return { sourceUnits: 0n, exactOut: { units, mostUnits }, needsQuote: true }
}

const AMOUNTS = "Expected either amount, or toAmount with or without maxAmount"
