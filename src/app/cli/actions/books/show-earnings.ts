import { EXIT } from "#daemon/start/exit-code.ts"
import { readEarnings } from "#daemon/study/read-earnings.ts"
import { readAffiliateReport } from "#daemon/study/read-report.ts"
import { plainJson } from "#lib/json.ts"
import type { AnswerOf } from "#schema/answers/answers.ts"
import type { CommandContext } from "../../define-command.ts"
import { formatTable } from "../../format/table.ts"
import { openConfigForReading } from "../../open/open-config.ts"
import { openExistingJournal } from "../../open/open-journal.ts"

type Earnings = AnswerOf<"Earnings">
const EVER = { fromMs: 0, untilMs: Number.POSITIVE_INFINITY }

/** Asks the services itself, so it needs no daemon. */
export async function showEarnings(context: CommandContext): Promise<number> {
  const config = openConfigForReading(context)
  const journal = openExistingJournal(config)
  const own = readAffiliateReport({ journal, config }, EVER)
  journal.close()
  const earnings = await readEarnings(config, own, context.clock)
  context.print(context.json ? plainJson(earnings, 2) : format(earnings))
  const isEqual = earnings.assets.every(({ verdict }) => verdict === "same")
  return isEqual && earnings.services.every(({ error }) => error === null) ? EXIT.ok : EXIT.refused
}

function format({ assets, services }: Earnings): string {
  const rows = assets.map(({ asset, own, ownUnits, stated, statedUnits, verdict }) => [
    asset,
    own ?? `${ownUnits} smallest units`,
    stated ?? `${statedUnits} smallest units`,
    SENTENCES[verdict],
  ])
  const owed = services.flatMap(({ service, owed: listed }) =>
    listed.map(({ asset, owed: sum, owedUnits, paidUnits, contract }) => [
      service,
      asset,
      sum ?? `${owedUnits} smallest units`,
      paidUnits ?? "not stated",
      contract ?? "not stated",
    ]),
  )
  return [
    ...(rows.length === 0
      ? ["No order has earned an affiliate fee."]
      : [formatTable(["asset", "our orders", "services", ""], rows)]),
    ...(owed.length === 0
      ? []
      : ["", formatTable(["service", "asset", "owed", "paid units", "contract"], owed)]),
    ...services.flatMap(({ service, error }) =>
      error === null ? [] : [`${service} gives no list: ${error.message} [${error.code}]`],
    ),
  ].join("\n")
}

const SENTENCES: Readonly<Record<Earnings["assets"][number]["verdict"], string>> = {
  same: "the same",
  service_less: "the service states less than our orders earned: ask it",
  service_more: "the service states more: orders of another journal with this app id",
  paid_unknown: "less is left to claim: earlier claims, which it does not state, may explain it",
  incomplete: "not compared: a list or an amount is missing",
}
