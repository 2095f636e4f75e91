import type { Reason } from "#domain/reason.ts"
import { decodeJson, encodeJson } from "#lib/json.ts"
import type { FlagStore } from "#ports/journal/flags.ts"
import type { NoticeStore } from "#ports/journal/notices.ts"
import type { Clocked, HasJournal, HasPrices, Logged } from "../context.ts"
import type { Watch } from "./watch.ts"

/**
 * Compares the members of each configured peg every minute, and raises an alarm when one does not
 * hold.
 */
export function createPegWatch(
  context: HasJournal<FlagStore & NoticeStore> & HasPrices & Clocked & Logged,
): Watch {
  return {
    name: "pegs",
    urgency: "background",
    everyMs: 60_000,
    run: async () => {
      if (context.prices.checkPegs === undefined) return
      const reasons = await context.prices.checkPegs()
      for (const reason of reasons.filter(({ code }) => code !== BROKEN)) {
        context.log.warn({ reason }, "A peg cannot be watched now")
      }
      alert(
        context,
        reasons.filter(({ code }) => code === BROKEN),
      )
    },
  }
}

const BROKEN = "prices.peg_broken"
const FLAG = "pegs/alarmed"

/**
 * The journal remembers the pairs that have their alarm, so that each is raised once until its peg
 * holds again.
 */
function alert(
  { journal, clock, log }: HasJournal<FlagStore & NoticeStore> & Clocked & Logged,
  broken: readonly Reason[],
): void {
  const stored = journal.readFlag(FLAG)
  // CAST: written below.
  const alarmed = stored === null ? [] : (decodeJson(stored) as readonly string[])
  for (const reason of broken.filter((one) => !alarmed.includes(nameOf(one)))) {
    log.error({ reason }, "A peg does not hold: its assets have no price now")
    journal.raiseAlert(clock.now(), reason)
  }
  const names = broken.map(nameOf).toSorted()
  if (names.length === 0 && alarmed.length > 0) log.info({}, "All pegs hold again")
  const next = names.length === 0 ? null : encodeJson(names)
  if (next !== stored) journal.writeFlag(FLAG, next)
}

/** The two assets that are too far apart, without their prices, which change all the time. */
function nameOf({ lowest, highest }: Reason): string {
  return [lowest, highest]
    .map((member) => String(member).split(" ")[0])
    .toSorted()
    .join(" ")
}
