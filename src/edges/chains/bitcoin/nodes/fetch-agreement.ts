import type { Reason } from "#domain/reason.ts"
import { AppError } from "#lib/app-error.ts"
import type { AgreementReport } from "#ports/chain/balances.ts"
import type { Esplora } from "../esplora.ts"
import { UNSETTLED_BLOCKS } from "./compare-readings.ts"
import { askAt, judgeHeads, type Reference, readHeads } from "./reference.ts"

/**
 * Reports how many endpoints answer and have the same block a little below the agreed height. Never
 * throws for endpoints that are silent: they are among the reasons.
 */
export async function fetchAgreement(esplora: Esplora): Promise<AgreementReport> {
  const { endpoints, needed } = esplora
  const heads = await readHeads(esplora)
  const { height, ceiling, outliers } = judgeHeads(heads, needed)
  const report = { endpoints: endpoints.length, needed }
  if (height === null)
    return { ...report, agreeing: 0, reasons: heads.map((head) => silent(head.endpoint, head)) }
  const { agreeing, reasons } = await compareBlocks(esplora, { height, ceiling, heads, outliers })
  return { ...report, agreeing, reasons: [...outliers, ...reasons] }
}

async function compareBlocks(
  esplora: Esplora,
  reference: Reference,
): Promise<{ agreeing: number; reasons: readonly Reason[] }> {
  const settled = reference.height > UNSETTLED_BLOCKS ? reference.height - UNSETTLED_BLOCKS : 0n
  // An endpoint that is a block or two behind still has the settled block.
  const answers = await askAt(esplora, { ...reference, height: settled }, (endpoint) =>
    endpoint.findBlockHash(settled),
  )
  const given = answers.flatMap((answer) => (answer.ok && answer.value !== null ? [answer] : []))
  const groups = [...Map.groupBy(given, ({ value }) => value).values()]
  const missing = answers.filter((answer) =>
    answer.ok ? answer.value === null : !isOutlier(answer.error),
  )
  return {
    agreeing: Math.max(0, ...groups.map((group) => group.length)),
    reasons: [
      ...missing.map((answer) => silent(answer.endpoint, answer)),
      ...(groups.length > 1 ? [forked(settled, given)] : []),
    ],
  }
}

/** An outlier has a reason of its own. */
function isOutlier(error: unknown): boolean {
  return error instanceof AppError && error.code === "bitcoin.esplora_outlier"
}

function silent(
  endpoint: string,
  answer: { readonly ok: boolean; readonly error?: unknown },
): Reason {
  const { error } = answer
  const said =
    error instanceof AppError
      ? `${error.code}: ${error.message}`
      : "it does not have the agreed block"
  return {
    code: "chain.agreement_short",
    message: "an endpoint gives no answer that counts",
    endpoint,
    answer: said,
  }
}

function forked(
  height: bigint,
  given: readonly { readonly endpoint: string; readonly value: string | null }[],
): Reason {
  return {
    code: "chain.disagreement",
    message:
      "the endpoints have different blocks at the same height; find out which of them is wrong",
    height: height.toString(),
    answers: given.map(({ endpoint, value }) => `${endpoint}: ${value}`).join(" | "),
  }
}
