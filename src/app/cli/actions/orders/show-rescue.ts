import { existsSync, readdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { KEYSTORE_LOCKED } from "#config/secrets/secrets.ts"
import { EXIT } from "#daemon/start/exit-code.ts"
import { mustExist } from "#lib/assert.ts"
import { plainJson } from "#lib/json.ts"
import { decodeOrder } from "#order/step.ts"
import type { CommandContext } from "../../define-command.ts"
import { findOrderId } from "../../open/find-order-id.ts"
import { type OpenedTreasury, openTreasury } from "../../open/find-treasury.ts"
import { openConfigForReading } from "../../open/open-config.ts"
import { openExistingJournal } from "../../open/open-journal.ts"
import { describeRescue, type Known } from "../../rescue/describe-rescue.ts"
import { findSecret } from "../../rescue/find-secret.ts"
import { formatRescue } from "../../rescue/format-rescue.ts"
import {
  isWholeRescue,
  openRescue,
  type SealedRescue,
  sealRescue,
} from "../../rescue/sealed-rescue.ts"
import { signRedemptions } from "../../rescue/sign-redemptions.ts"
import { describeWatch } from "../../rescue/watch-data.ts"
import { type PasswordChoice, providePassword } from "../../signer/provide-password.ts"

/**
 * Shows the data that a person needs to recover one order's money without Ballast: the place of the
 * money, the terms of both HTLCs, the signed transactions, the exact refund, and the redemption
 * with our own secret once it is told. It reads only the journal; it needs neither the daemon, nor
 * a node, nor the service, nor a wallet's key. `encrypt` names a file that gets the same data,
 * sealed with a password.
 */
export async function showRescue(
  context: CommandContext,
  id: string,
  { asked, encrypt, passwordStdin }: RescueChoice & { readonly encrypt: string | null },
): Promise<number> {
  if (passwordStdin) await providePassword(context, { passwordStdin })
  const treasury = await openTreasury(context, asked)
  const read = await readRescue(treasury, id)
  if (encrypt === null) return printRescue(context, read)
  await sealRescue(context, encrypt, await addRedemptions(context, read, treasury.config, asked))
  const { order } = read.rescue
  context.print(
    context.json ? plainJson({ file: encrypt }) : `${encrypt}: order ${order}, encrypted`,
  )
  return EXIT.ok
}

/** `asked`: the data directory, in place of the configuration's. */
type RescueChoice = PasswordChoice & { readonly asked: string | null }

/**
 * Writes a sealed file for each open order with a verified deposit, and another one once its secret
 * is told. It leaves complete files of open orders alone, so it may run again and again, and
 * removes those of orders whose money is back.
 */
export async function sealAllRescues(
  context: CommandContext,
  folder: string,
  { asked, passwordStdin }: RescueChoice,
): Promise<number> {
  if (passwordStdin) await providePassword(context, { passwordStdin })
  const treasury = await openTreasury(context, asked)
  const files: string[] = []
  for (const id of listOpenIds(treasury)) {
    const read = await readRescue(treasury, id)
    const file = join(folder, `${id}${read.watch?.secret == null ? "" : "-told"}.rescue`)
    if (read.rescue.source["htlc"] === null) continue
    if (existsSync(file)) {
      if (isWholeRescue(file)) continue
      rmSync(file)
    }
    await sealRescue(context, file, await addRedemptions(context, read, treasury.config, asked))
    files.push(file)
  }
  const removed = removeEnded(treasury, folder)
  const lines = [...files, ...removed.map((file) => `${file}: removed, the order has ended`)]
  context.print(
    context.json
      ? plainJson({ files, removed })
      : lines.length === 0
        ? "No new file"
        : lines.join("\n"),
  )
  return EXIT.ok
}

/**
 * An abandoned order keeps its files: its money may still be in an HTLC. So does an order that this
 * journal does not know.
 */
function removeEnded({ dataDir }: OpenedTreasury, folder: string): readonly string[] {
  const named = readdirSync(folder).flatMap((name) => {
    const id = /^(.+?)(?:-told)?\.rescue$/.exec(name)?.[1]
    return id === undefined ? [] : [{ id, file: join(folder, name) }]
  })
  const journal = openExistingJournal({ dataDir })
  try {
    const ended = named.filter(({ id }) =>
      ["completed", "refunded"].includes(journal.findOrder(id)?.state ?? ""),
    )
    for (const { file } of ended) rmSync(file)
    return ended.map(({ file }) => file)
  } finally {
    journal.close()
  }
}

function listOpenIds({ dataDir }: OpenedTreasury): readonly string[] {
  const journal = openExistingJournal({ dataDir })
  try {
    return journal.listOrders({ open: true }).map(({ id }) => id)
  } finally {
    journal.close()
  }
}

/** A file without them still serves a person, and every other chain's watchtower. */
async function addRedemptions(
  context: CommandContext,
  read: SealedRescue,
  config: OpenedTreasury["config"],
  asked: string | null,
): Promise<SealedRescue> {
  const { warn, clock } = context
  const { watch } = read
  if (watch === null || config === null) return read
  const { data } = decodeOrder(watch.order)
  let signed = await signRedemptions(config, data, watch.secret, clock)
  if (signed.missing?.code === KEYSTORE_LOCKED && asked === null) {
    // Few orders need the key, so a terminal is asked for its password only now.
    await providePassword(context, { passwordStdin: false })
    const opened = openConfigForReading({ ...context, tell: () => undefined })
    signed = await signRedemptions(opened, data, watch.secret, clock)
  }
  const { redemptions, missing } = signed
  if (missing !== null)
    warn(
      "The file has no signed redemptions, so no watchtower can redeem this payout: " +
        `${missing.message} [${missing.code}]`,
    )
  return { ...read, watch: { ...watch, redemptions } }
}

/**
 * Shows the same data from a sealed file, on a machine that needs neither journal nor
 * configuration. Throws `rescue.*` (refused).
 */
export async function showSealedRescue(context: CommandContext, file: string): Promise<number> {
  return printRescue(context, await openRescue(context, file))
}

function printRescue(context: CommandContext, { rescue }: SealedRescue): number {
  context.print(context.json ? plainJson(rescue, 2) : formatRescue(rescue))
  return EXIT.ok
}

async function readRescue(
  { dataDir, config }: OpenedTreasury,
  typed: string,
): Promise<SealedRescue> {
  const journal = openExistingJournal({ dataDir })
  try {
    const id = findOrderId(journal, typed)
    const order = decodeOrder(mustExist(journal.findOrder(id), "the order of a found id").snapshot)
    const secret = findSecret(order.data, journal.listSecretDecisions(id), config)
    const known = config ?? NO_CONFIG
    return {
      rescue: await describeRescue(order, known, secret),
      watch: describeWatch(order, known, secret.secret),
    }
  } finally {
    journal.close()
  }
}

/** Without a configuration the journal alone tells the terms, in smallest units. */
const NO_CONFIG: Known = { chains: [], assets: [], routes: [], services: [] }
