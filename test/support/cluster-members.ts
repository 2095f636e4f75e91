import { readdirSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import type { OrderView } from "../../src/core/order/view.ts"
import { chainOf } from "./e2e-chain.ts"
import { listInitiations } from "./e2e-initiations.ts"
import {
  type DaemonProcess,
  type SandboxProcess,
  startDaemonProcess,
  until,
  writeDaemonConfig,
} from "./sandbox-process.ts"

/** A daemon of a treasury with several machines. Its process ends and starts again. */
export type Member = {
  readonly name: string
  readonly config: { readonly file: string; readonly port: number }
  process: DaemonProcess
}

/** The assets of the orders, on the two chains that the members open. */
export const MEMBER_SWAP = { from: "base_sepolia:wbtc", to: "bitcoin_testnet:btc" }
export const MEMBER_CHAINS: readonly string[] = ["base_sepolia", "bitcoin_testnet"]

/** Starts a daemon with a data directory of its own; `journal` is the URL of PostgreSQL. */
export async function addMember(
  sandbox: SandboxProcess,
  journal: string,
  name: string,
): Promise<Member> {
  const override = { treasury: "main", journal }
  const config = await writeDaemonConfig(sandbox, name, override, {
    deposit: "onchain",
    only: MEMBER_CHAINS,
  })
  return { name, config, process: startDaemonProcess(config) }
}

/** Starts the member again once its process has ended. */
export async function restartMember(member: Member): Promise<void> {
  await member.process.exited
  member.process = startDaemonProcess(member.config)
}

/** Waits until the process answers, as the leader or as a standby. */
export async function untilAnswers({ name, process }: Member): Promise<void> {
  const answers = async (): Promise<boolean> =>
    (await process.call("GET", "/healthz").catch(() => ({ status: 0 }))).status === 200
  await until(`daemon ${name} answers`, answers)
}

/**
 * Differences between the completed orders and all deposits of the source chain: each order has one
 * deposit of its amount, and there is no other.
 */
export async function findDepositFaults(
  sandbox: Pick<SandboxProcess, "chains">,
  orders: readonly OrderView[],
): Promise<string[]> {
  const initiations = await listInitiations(chainOf(sandbox, MEMBER_SWAP.from), MEMBER_SWAP.from)
  const deposited = initiations.map(({ units }) => units).sort()
  const ordered = orders.map(({ amountUnits }) => BigInt(amountUnits)).sort()
  const hashes = new Set(initiations.map(({ secretHash }) => secretHash)).size
  return [
    ...orders
      .filter(({ outcome }) => outcome !== "completed")
      .map(({ id, outcome }) => `${id} is ${outcome}`),
    ...(deposited.join() === ordered.join()
      ? []
      : [`the chain has deposits of ${deposited}, and the orders ${ordered}`]),
    ...(hashes === orders.length ? [] : [`${orders.length} orders have ${hashes} secret hashes`]),
  ]
}

/**
 * Every journal of all machines, also those that were set aside: one signature of an order has one
 * digest, whichever machine signed it.
 */
export function findDoubleSignatures(
  dir: string,
  members: readonly Member[],
): { signatures: number; doubles: string[] } {
  const known = new Map<string, string>()
  const doubles: string[] = []
  for (const { name } of members) {
    const folder = join(dir, name)
    for (const file of readdirSync(folder).filter((each) =>
      /^journal\.db(\.discarded-[^.]*)?$/.test(each),
    )) {
      const db = new DatabaseSync(join(folder, file), { readOnly: true })
      for (const row of db
        .prepare("select order_id, purpose, attempt, digest from signing_record")
        .all()) {
        const key = `${row["order_id"]} ${row["purpose"]} ${row["attempt"]}`
        const digest = String(row["digest"])
        if ((known.get(key) ?? digest) !== digest) doubles.push(`${key} in ${name}/${file}`)
        known.set(key, digest)
      }
      db.close()
    }
  }
  return { signatures: known.size, doubles }
}
