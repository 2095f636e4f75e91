import type { ChainConfig } from "#chains/chain-config.ts"
import { familyOf } from "#chains/families.ts"
import type { Config } from "#config/config.ts"
import type { PlacedFinding } from "#config/judge/finding.ts"
import { FINDING_KINDS } from "#config/judge/finding-kinds.ts"
import { findTrustGap } from "#config/judge/trust-gap.ts"
import { findClockAlarm } from "#engine/rules/limit-clock.ts"
import { AppError } from "#lib/app-error.ts"
import type { ChainPort } from "#ports/chain.ts"
import type { Journal } from "#ports/journal.ts"
import { openJournalForReading } from "../open/open-journal.ts"
import { broken, type Diagnosis, doubtful, healthy } from "./diagnosis.ts"

/**
 * Warns where one endpoint alone is believed, unless a finding of the file says so already, with
 * the line to change.
 */
export function checkTrust(
  config: ChainConfig,
  findings: readonly Pick<PlacedFinding, "code" | "subjects">[],
): Diagnosis[] {
  const trust = familyOf(config).describeTrust(config)
  const check = `${config.chain} trust`
  const gap = findTrustGap(trust)
  if (gap !== null) {
    const { code, sentence, step } = FINDING_KINDS[gap]
    if (findings.some((one) => one.code === code && one.subjects.includes(config.chain))) return []
    return [doubtful(check, `${config.chain}: ${sentence} (${code})`, step)]
  }
  return [healthy(check, `${trust.agree} of ${trust.endpoints} endpoints must agree`)]
}

/** Asks how many endpoints agree now. */
export async function checkAgreement(
  port: Pick<ChainPort, "chain" | "fetchAgreement">,
): Promise<Diagnosis> {
  const check = `${port.chain} agreement`
  const todo =
    "Check the endpoints; until enough agree, new deposits and endings on this chain wait."
  try {
    const { endpoints, needed, agreeing, reasons } = await port.fetchAgreement()
    const found = [
      `${agreeing} of ${endpoints} endpoints agree now, ${needed} must`,
      ...reasons.map(formatReason),
    ]
    return agreeing < needed || reasons.length > 0
      ? doubtful(check, found.join("; "), todo)
      : healthy(check, found.join("; "))
  } catch (error) {
    return doubtful(
      check,
      `no answer: ${error instanceof Error ? error.message : String(error)}`,
      todo,
    )
  }
}

/**
 * The daemon's last comparison of this machine's clock with the chains; a journal that does not
 * open is a finding too.
 */
export function checkConfirmedClock(config: Config, nowMs: number): Diagnosis[] {
  let journal: Journal | null
  try {
    journal = openJournalForReading(config)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return [
      broken(
        "journal",
        `${error.message} (${error.code})`,
        "Repair the disk, or restore a backup.",
      ),
    ]
  }
  if (journal === null) return []
  try {
    const jump = findClockAlarm(journal, nowMs)
    const todo = "Set the clock right (NTP), or confirm it with `ballast resume --clock`."
    return jump === null ? [] : [doubtful("clock and chains", jump.message, todo)]
  } finally {
    journal.close()
  }
}

function formatReason({ code, message, ...numbers }: { code: string; message: string }): string {
  const shown = Object.entries(numbers).map(([name, value]) => `${name} ${value}`)
  return [`${code}: ${message}`, ...shown].join(", ")
}
