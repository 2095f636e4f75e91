import { refuseForeign } from "#chains/foreign-families.ts"
import { parseUnits } from "#domain/amount.ts"
import { parseAssetId } from "#domain/asset.ts"
import type { EngineContext } from "#engine/context.ts"
import { reasonOf } from "#engine/orders/observe/job.ts"
import type { SwapRequest } from "#engine/rules/admission.ts"
import { toAppError } from "#lib/app-error.ts"
import type { Answer, SubmitRequest } from "#ops/operations.ts"
import type { AnswerName } from "#schema/answers/answers.ts"

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
  const asset = context.settings.assets.get(from)
  // Admission refuses an unknown source with a reason, so the amount does not matter then.
  const sourceUnits = asset ? parseUnits(request.amount, asset.decimals) : 1n
  const way = request.deposit ? { way: request.deposit } : {}
  return { from, to, sourceUnits, ...way, destination: request.destination ?? null }
}
