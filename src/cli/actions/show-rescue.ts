import { EXIT } from "#daemon/exit-code.ts"
import { present } from "#lib/assert.ts"
import { plainJson } from "#lib/json.ts"
import { decodeOrder } from "#order/step.ts"
import type { CommandContext } from "../define-command.ts"
import { findOrderId } from "../find-order-id.ts"
import { openExistingJournal } from "../open-journal.ts"
import { type OpenedTreasury, openTreasury } from "../open-treasury.ts"
import { describeRescue, type Known, type Rescue } from "../rescue/describe-rescue.ts"
import { findSecret } from "../rescue/find-secret.ts"
import { formatRescue } from "../rescue/format-rescue.ts"
import { sealRescue } from "../rescue/sealed-rescue.ts"

/**
 * Shows the data that a person needs to recover one order's money without Ballast: the place of the money, the terms of both HTLCs, the
 * signed transactions, the exact refund, and the redemption with our own secret once it is told. It reads only the journal; it needs neither the
 * daemon, nor a node, nor the service, nor a wallet's key. `encrypt` names a file that gets the same data, sealed with a password.
 */
export async function showRescue(
  context: CommandContext,
  id: string,
  asked: string | null,
  encrypt: string | null = null,
): Promise<number> {
  const rescue = await readRescue(openTreasury(context, asked), id)
  if (encrypt !== null) {
    await sealRescue(context, encrypt, rescue)
    context.print(context.json ? plainJson({ file: encrypt }) : `${encrypt}: order ${rescue.order}, encrypted`)
    return EXIT.ok
  }
  context.print(context.json ? plainJson(rescue, 2) : formatRescue(rescue))
  return EXIT.ok
}

async function readRescue({ dataDir, config }: OpenedTreasury, typed: string): Promise<Rescue> {
  const journal = openExistingJournal({ dataDir })
  try {
    const id = findOrderId(journal, typed)
    const order = decodeOrder(present(journal.findOrder(id), "the order of a found id").snapshot)
    const secret = findSecret(order.data, journal.listSecretDecisions(id), config)
    return await describeRescue(order, config ?? NO_CONFIG, secret)
  } finally {
    journal.close()
  }
}

/** Without a configuration the journal alone tells the terms, in smallest units. */
const NO_CONFIG: Known = { chains: [], assets: [], services: [] }
