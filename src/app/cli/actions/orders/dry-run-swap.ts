import { refuseForeign } from "#chains/foreign-families.ts"
import { compose } from "#daemon/compose.ts"
import { parseSubmit } from "#daemon/serve/answer-request.ts"
import { EXIT } from "#daemon/start/exit-code.ts"
import {
  type DryRunAnswer,
  readDryRun,
  type SignatureView,
  type WorstCase,
} from "#daemon/views/view-dry-run.ts"
import type { Reason } from "#domain/reason.ts"
import { openJournal } from "#journal/sqlite-journal.ts"
import { plainJson } from "#lib/json.ts"
import { silentLogger } from "#lib/log.ts"
import type { CommandContext } from "../../define-command.ts"
import type { AskedSwap } from "../../exact-out-options.ts"
import { printRefusal } from "../../format/print-refusal.ts"
import { openJournalForReading } from "../../open/open-journal.ts"
import { openWithKeys } from "../../signer/open-with-keys.ts"
import type { PasswordChoice } from "../../signer/provide-password.ts"

type Choices = PasswordChoice & {
  readonly deposit: "auto" | "gasless" | "onchain" | null
  readonly destination: string | null
}

/**
 * Shows one swap up to its first signature. It reads the journal, also while the daemon runs, and
 * writes nothing.
 */
export async function showDryRun(
  context: CommandContext,
  request: AskedSwap,
  { deposit, destination, passwordStdin }: Choices,
): Promise<number> {
  const { config } = await openWithKeys(context, { passwordStdin })
  // Without a journal file it uses one in memory: a dry run must not create the file.
  const journal = openJournalForReading(config) ?? openJournal(":memory:")
  try {
    const { context: engine } = await compose(config, {
      clock: context.clock,
      log: silentLogger,
      journal,
    })
    const choices = { ...(deposit ? { deposit } : {}), ...(destination ? { destination } : {}) }
    const foreign = refuseForeign([request.from, request.to], destination ? [destination] : [])
    if (foreign.length > 0) return printRefusal(context, { reasons: foreign })
    const asked = parseSubmit(engine, { ...request, ...choices })
    const answer = await readDryRun(engine, config.chains, {
      ...asked,
      rule: "manual",
      occurrence: null,
    })
    context.print(context.json ? plainJson(answer, 2) : formatDryRun(answer))
    if (answer.ok) return EXIT.ok
    return answer.unfinished ? EXIT.tryLater : EXIT.refused
  } finally {
    journal.close()
  }
}

export function formatDryRun(answer: DryRunAnswer): string {
  const { from, to, amount, serviceOrderId, needsApproval } = answer
  return [
    `Dry run: ${amount ?? "?"} ${from} to ${to}. Nothing was signed, and no order was opened here.`,
    ...(serviceOrderId === null
      ? []
      : [
          `The service created the order ${serviceOrderId}. It is unfunded and lapses; never ` +
            "pay it by hand.",
        ]),
    ...formatQuote(answer),
    ...formatDeposit(answer),
    ...(answer.intent === null ? [] : [`  ${"intent".padEnd(WIDTH)} ${answer.intent}`]),
    "",
    ...formatReasons("Refused by the guards", answer.refused),
    ...formatReasons("Findings", answer.findings),
    ...(needsApproval ? ["The order would wait for `ballast approve`."] : []),
    ...(answer.signatures.length === 0
      ? ["The swap would sign nothing."]
      : answer.signatures.flatMap(formatSignature)),
    ...(answer.worstCase === null ? [] : formatWorstCase(answer.worstCase)),
    "",
    conclude(answer),
  ].join("\n")
}

function conclude({ ok, mode, unfinished }: DryRunAnswer): string {
  if (!ok) {
    const nextStep = unfinished
      ? "A node or the service asks to wait: try again later."
      : "docs/ERRORS.md explains each code in brackets, and what to do."
    return `The swap would not be made. ${nextStep}`
  }
  return mode === "live"
    ? "The swap would be made."
    : "The swap would be made in live mode. In observe mode Ballast refuses it."
}

const WIDTH = 20

function formatQuote({ quote, from, to }: DryRunAnswer): string[] {
  if (quote === null) return []
  const { service, solver, sends, receives, sendsFiat, receivesFiat, costBps, estimatedSeconds } =
    quote
  const worth = (fiat: string | null): string => (fiat === null ? "" : ` (${fiat} usd)`)
  const fields = {
    service,
    solver,
    sends: `${sends ?? "?"} ${from}${worth(sendsFiat)}`,
    receives: `${receives ?? "?"} ${to}${worth(receivesFiat)}`,
    cost: costBps === null ? null : `${(costBps / 100).toFixed(2)} %`,
    "expected time": estimatedSeconds === null ? null : `${estimatedSeconds} s`,
  }
  return ["", "Quote", ...listFields(fields)]
}

/** The fields as the chain will hold them, so the amount is also there in the smallest unit. */
function formatDeposit({ deposit, amount, from }: DryRunAnswer): string[] {
  if (deposit === null) return []
  const { units, ...rest } = deposit
  const shown = {
    ...rest,
    amount: `${amount ?? "?"} ${from}, ${formatValue(units)} in its smallest unit`,
  }
  const hasService = deposit["kind"] === undefined
  const source = hasService ? "the service's answer" : "the call that would be signed"
  return ["", `Deposit, decoded from ${source}`, ...listFields(shown)]
}

function listFields(fields: object): string[] {
  return Object.entries(fields).map(
    ([name, value]) => `  ${name.padEnd(WIDTH)} ${formatValue(value)}`,
  )
}

function formatValue(value: unknown): string {
  if (value === null || value === undefined) return "-"
  return typeof value === "object" ? plainJson(value) : String(value)
}

function formatReasons(title: string, reasons: readonly Reason[]): string[] {
  if (reasons.length === 0) return []
  const lines = reasons.map(({ code, message, expected, found }) => {
    const values = expected === undefined ? "" : `: expected ${expected}, found ${found}`
    return `  ${message}${values} [${code}]`
  })
  return [title, ...lines, ""]
}

function formatSignature(
  { purpose, what, digest, maxFee, content, reasons }: SignatureView,
  index: number,
): string[] {
  const fee = maxFee === null ? "" : `, network fee at most ${maxFee}`
  return [
    `Signature ${index + 1}: the ${what} of the ${NAMES[purpose]}${fee}`,
    ...(digest === null ? [] : [`  ${"digest".padEnd(WIDTH)} ${digest}`]),
    ...(typeof content === "object" && content !== null
      ? listFields(content)
      : [`  ${formatValue(content)}`]),
    ...reasons.map(({ code, message }) => `  not final: ${message} [${code}]`),
    "",
  ]
}

const NAMES = { approve: "approval", deposit: "deposit", gasless: "gasless deposit" } as const

function formatWorstCase({ sentences, refund, fees, timelock }: WorstCase): string[] {
  return [
    "Worst case",
    ...sentences.map((sentence) => `  ${sentence}`),
    ...(fees === null
      ? []
      : [
          `  Network fees: at most ${fees.deposit} for the deposit and ${fees.refund} for ` +
            "the refund.",
        ]),
    ...(refund === null
      ? []
      : [`  ${"timelock".padEnd(WIDTH)} ${timelock}`, ...listFields(refund)]),
  ]
}
