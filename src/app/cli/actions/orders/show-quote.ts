import { refuseForeign } from "#chains/foreign-families.ts"
import type { Config } from "#config/config.ts"
import { EXIT } from "#daemon/start/exit-code.ts"
import { createHumaniser } from "#daemon/views/human-units.ts"
import type { QuoteAnswer } from "#daemon/views/view-quote.ts"
import { AppError } from "#lib/app-error.ts"
import { plainJson } from "#lib/json.ts"
import { silentLogger } from "#lib/log.ts"
import { bodyOf, callDaemon, type DaemonAnswer } from "../../call-daemon.ts"
import type { CommandContext } from "../../define-command.ts"
import type { AskedSwap } from "../../exact-out-options.ts"
import { formatQuote } from "../../format/format-quote.ts"
import { printRefusal } from "../../format/print-refusal.ts"
import { openConfigForReading } from "../../open/open-config.ts"
import { openJournalForReading } from "../../open/open-journal.ts"
import { openWithKeys } from "../../signer/open-with-keys.ts"
import type { PasswordChoice } from "../../signer/provide-password.ts"

/** Shows the best quote of this moment and whether the guards would accept it. */
export async function showQuote(
  context: CommandContext,
  request: AskedSwap,
  choice: PasswordChoice,
): Promise<number> {
  // The daemon needs no key from this process.
  const config = openConfigForReading(context)
  const foreign = refuseForeign([request.from, request.to], [])
  if (foreign.length > 0) return printRefusal(context, { reasons: foreign })
  const humanise = createHumaniser(config)
  const answer = await askForQuote(config, request)
  if (answer !== null && answer.status !== 200)
    return printRefusal(context, answer.body, humanise, request.from)
  const quote =
    answer === null ? await quoteHere(context, choice, request) : bodyOf<"Quote">(answer)
  context.print(context.json ? plainJson(quote, 2) : formatQuote(quote, humanise))
  return quote.refused.length === 0 ? EXIT.ok : EXIT.refused
}

/** `null` without a daemon. */
async function askForQuote(
  config: Pick<Config, "dataDir">,
  request: AskedSwap,
): Promise<DaemonAnswer | null> {
  const query = new URLSearchParams(request).toString()
  try {
    return await callDaemon(config, "GET", `/api/v1/quote?${query}`)
  } catch (error) {
    if (error instanceof AppError && error.code === "daemon.unreachable") return null
    throw error
  }
}

/** Without a journal file it uses one in memory: a quote must not create the file. */
async function quoteHere(
  context: CommandContext,
  choice: PasswordChoice,
  request: AskedSwap,
): Promise<QuoteAnswer> {
  const { clock } = context
  const { config } = await openWithKeys({ ...context, tell: () => undefined }, choice)
  const [{ compose }, { parseSubmit }, { readQuote }, { openJournal }] = await Promise.all([
    import("#daemon/compose.ts"),
    import("#daemon/serve/answer-request.ts"),
    import("#daemon/views/view-quote.ts"),
    import("#journal/sqlite-journal.ts"),
  ])
  const journal = openJournalForReading(config) ?? openJournal(":memory:")
  try {
    const { context: engine } = await compose(config, { clock, log: silentLogger, journal })
    const asked = { ...parseSubmit(engine, request), rule: "manual", occurrence: null }
    return await readQuote(engine, config.chains, asked)
  } finally {
    journal.close()
  }
}
