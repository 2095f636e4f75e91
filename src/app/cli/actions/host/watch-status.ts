import { EXIT } from "#daemon/start/exit-code.ts"
import { readableAt } from "#health/format-span.ts"
import { plainJson } from "#lib/json.ts"
import { type AskedOverview, askOverview } from "../../ask-overview.ts"
import type { CommandContext } from "../../define-command.ts"
import { formatHealth } from "../../format/format-health.ts"
import { findTreasury } from "../../open/find-treasury.ts"

/** Shows the status again and again, until the person ends it with Ctrl-C. */
export async function watchStatus(
  context: CommandContext,
  everySeconds: number,
  asked: string | null,
): Promise<number> {
  const treasury = findTreasury(context, asked)
  const stopping = new AbortController()
  const stop = (): void => stopping.abort()
  process.once("SIGINT", stop)
  process.once("SIGTERM", stop)
  let shown = ""
  while (!stopping.signal.aborted) {
    const answer = await askOverview(context, treasury)
    shown = show(context, answer, shown)
    await context.clock.sleep(everySeconds * 1_000, stopping.signal)
  }
  return EXIT.ok
}

/**
 * Without a terminal only a changed verdict is news; the time in it changes all the time, so the
 * level and the codes decide.
 */
function show(context: CommandContext, { overview }: AskedOverview, before: string): string {
  const at = readableAt(Date.parse(overview.at))
  const news = [
    overview.level,
    ...overview.problems.map(({ code, order }) => `${code}/${order}`),
  ].join(" ")
  if (context.terminal && !context.json) {
    context.redraw([
      ...formatHealth(overview),
      { text: `${overview.at.slice(11, 19)} UTC, Ctrl-C ends`, tone: "faint" },
    ])
  } else if (news !== before)
    context.print(
      context.json ? plainJson(overview) : `${at}  ${overview.level}  ${overview.verdict}`,
      overview.level,
    )
  return news
}
