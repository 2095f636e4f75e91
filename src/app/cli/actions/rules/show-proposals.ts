import { EXIT } from "#daemon/start/exit-code.ts"
import { readableAt } from "#health/format-span.ts"
import { AppError } from "#lib/app-error.ts"
import { plainJson } from "#lib/json.ts"
import type { AnswerOf } from "#schema/answers/answers.ts"
import { bodyOf, callDaemon } from "../../call-daemon.ts"
import { callDaemonOnce } from "../../call-once.ts"
import type { CommandContext } from "../../define-command.ts"
import { printRefusal } from "../../format/print-refusal.ts"
import { formatTable } from "../../format/table.ts"
import { findToken, openConfigForReading } from "../../open/open-config.ts"
import { usageError } from "../../usage-error.ts"

type Proposal = AnswerOf<"Proposal">
type Choices = { readonly dismiss: boolean; readonly token: string | null }

/** The proposals of agents; only `--dismiss` changes something, and that no setting. */
export async function showProposals(
  context: CommandContext,
  id: string | null,
  { dismiss, token: reference }: Choices,
): Promise<number> {
  const config = openConfigForReading(context)
  if (dismiss) {
    if (id === null) throw usageError("name the proposal to dismiss")
    const token = reference === null ? null : findToken(context, reference)
    const path = `/api/v1/proposals/${encodeURIComponent(id)}/dismiss`
    const options = { repeat: "harmless", token } as const
    const answer = await callDaemonOnce(config, context.clock, path, {}, options)
    if (answer.status !== 200) return printRefusal(context, answer.body)
    context.print(context.json ? plainJson(answer.body, 2) : `${id} is dismissed`)
    return EXIT.ok
  }
  const answer = await callDaemon(config, "GET", "/api/v1/proposals")
  if (answer.status !== 200) return printRefusal(context, answer.body)
  const { proposals } = bodyOf<"Proposals">(answer)
  const shown = id === null ? proposals : proposals.filter((one) => one.id === id)
  if (id !== null && shown.length === 0) throw unknownProposal(id)
  if (context.json) context.print(plainJson({ proposals: shown }, 2))
  else context.print(id === null ? formatList(shown) : shown.map(formatOne).join("\n"))
  return EXIT.ok
}

function unknownProposal(id: string): AppError {
  const message = `There is no proposal ${id}; \`ballast proposals\` lists them`
  return new AppError({ code: "proposal.unknown", disposition: "refused", message })
}

function formatList(proposals: readonly Proposal[]): string {
  if (proposals.length === 0) return "No agent has proposed a change."
  const rows = proposals.map(({ id, at, agent, rule, changes, state }) => [
    id,
    readableAt(Date.parse(at)),
    agent,
    rule,
    changes.map(({ key, to }) => `${key}: ${to}`).join(", "),
    state,
  ])
  return formatTable(["id", "at", "agent", "rule", "change", ""], rows)
}

function formatOne(proposal: Proposal): string {
  const { id, agent, rule, state, dismissedBy, expires, changes, simulation } = proposal
  const { days, runs, now, changed } = simulation
  const row = (name: string, of: (figures: typeof now) => string | number | null): string[] => [
    name,
    String(of(now) ?? "-"),
    String(of(changed) ?? "-"),
  ]
  const end = state === "open" ? ` until ${readableAt(Date.parse(expires))}` : ""
  const by = dismissedBy === null ? "" : ` by ${dismissedBy}`
  return [
    `${agent} proposes for the rule ${rule} (${state}${end}${by}):`,
    ...changes.map(({ key, from, to }) => `  ${key}: ${from ?? "(its default)"} -> ${to}`),
    "",
    `The medians of ${runs} backtests of ${days} days:`,
    formatTable(
      ["", "in force", "changed"],
      [
        row("swaps", ({ moves }) => moves),
        row("volume (usd)", ({ volumeFiat }) => volumeFiat),
        row("fees (usd)", ({ feesFiat }) => feesFiat),
        row("time outside the bounds (bps)", ({ outsideBps }) => outsideBps),
      ],
    ),
    ...(state === "open"
      ? [
          "",
          "To apply it, write these texts into the file, then `ballast reload`; " +
            `otherwise \`ballast proposals ${id} --dismiss\`.`,
        ]
      : []),
  ].join("\n")
}
