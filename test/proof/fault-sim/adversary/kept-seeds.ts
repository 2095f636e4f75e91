import { appendFileSync, existsSync, mkdirSync, readFileSync, truncateSync } from "node:fs"
import { dirname } from "node:path"
import { decodeJson, encodeJson } from "#lib/json.ts"
import type { SimResult } from "../simulate.ts"
import type { Means } from "./prices.ts"
import type { Spent } from "./purse.ts"

/** What a long run keeps of a seed. */
export type KeptSeed = Pick<
  SimResult,
  "seed" | "orders" | "deposited" | "violations" | "burns" | "bill"
>

/** The seeds of a run that goes on for hours, in parts: one line of a file for each. */
export type KeptSeeds = {
  readonly seeds: ReadonlyMap<number, KeptSeed>
  readonly add: (result: SimResult) => void
}

/** Without a file none is kept. */
export function openKeptSeeds(path: string | null): KeptSeeds {
  const seeds = new Map(path === null ? [] : readSeeds(path).map((kept) => [kept.seed, kept]))
  return {
    seeds,
    add: ({ seed, orders, deposited, violations, burns, bill }) => {
      const kept = { seed, orders, deposited, violations, burns, bill }
      seeds.set(seed, kept)
      if (path !== null) appendFileSync(path, `${toText(kept)}\n`)
    },
  }
}

/** A process that was killed while it wrote leaves half a line, whose seed runs again. */
function readSeeds(path: string): readonly KeptSeed[] {
  mkdirSync(dirname(path), { recursive: true })
  const text = existsSync(path) ? readFileSync(path, "utf8") : ""
  const whole = text.slice(0, text.lastIndexOf("\n") + 1)
  if (whole !== text) truncateSync(path, Buffer.byteLength(whole))
  return whole.split("\n").flatMap((line) => (line === "" ? [] : [readSeed(line)]))
}

type Bill = NonNullable<KeptSeed["bill"]>
type Written = Omit<KeptSeed, "bill"> & {
  readonly bill: (Omit<Bill, "spent"> & { readonly spent: readonly Entry[] }) | null
}
type Entry = readonly [Means, Spent]

function toText({ bill, ...kept }: KeptSeed): string {
  const written: Written = {
    ...kept,
    bill: bill === null ? null : { ...bill, spent: [...bill.spent] },
  }
  return encodeJson(written)
}

function readSeed(line: string): KeptSeed {
  // CAST: `toText` wrote the line.
  const { bill, ...kept } = decodeJson(line) as Written
  return { ...kept, bill: bill === null ? null : { ...bill, spent: new Map(bill.spent) } }
}
