import { FEE_MEMORY_MS, isFeeDue, rankFee } from "#policy/schedule/fee-timing.ts"

export type FeeSample = { readonly atMs: number; readonly fee: number }

/** Mean fees of orders that begin at each sample. */
export type FeeResult = {
  readonly orders: number
  readonly atOnce: number
  readonly paid: number
  readonly clairvoyant: number
  readonly missed: number
}

/** `time,fee` lines with a head; times in UTC. Lines without a fee are left out. */
export function readFees(csv: string): FeeSample[] {
  return csv.split("\n").flatMap((line): FeeSample[] => {
    const [time = "", fee = ""] = line.trim().split(",")
    const atMs = Date.parse(`${time.replace(" ", "T")}Z`)
    return Number.isNaN(atMs) || fee === "" ? [] : [{ atMs, fee: Number(fee) }]
  })
}

/** Orders whose whole wait lies between the times; `deadlineMs` after their begin they must go. */
export function timeFees(
  samples: readonly FeeSample[],
  deadlineMs: number,
  { fromMs, untilMs }: { readonly fromMs: number; readonly untilMs: number },
): FeeResult {
  let orders = 0
  let atOnce = 0
  let paid = 0
  let clairvoyant = 0
  let missed = 0
  for (const [index, { atMs, fee }] of samples.entries()) {
    const endMs = atMs + deadlineMs
    if (atMs < fromMs || endMs >= untilMs) continue
    const choices = samples.slice(index).filter((one) => one.atMs <= endMs)
    const last = choices.at(-1)
    const chosen = choices.find((choice) => choice === last || isDue(samples, choice, endMs))
    orders += 1
    atOnce += fee
    clairvoyant += Math.min(...choices.map((choice) => choice.fee))
    paid += chosen?.fee ?? 0
    if (chosen === undefined || chosen.atMs > endMs) missed += 1
  }
  return {
    orders,
    missed,
    atOnce: atOnce / orders,
    paid: paid / orders,
    clairvoyant: clairvoyant / orders,
  }
}

function isDue(samples: readonly FeeSample[], { atMs, fee }: FeeSample, endMs: number): boolean {
  const lately = samples.filter((one) => one.atMs > atMs - FEE_MEMORY_MS && one.atMs <= atMs)
  return isFeeDue(rankFee({ fee, lately: lately.map((one) => one.fee), leftMs: endMs - atMs }))
}
