import type { EngineContext } from "#engine/context.ts"
import type { Engine } from "#engine/engine.ts"
import type { Recovery } from "#engine/restore/recovered-order.ts"
import { toAppError } from "#lib/app-error.ts"

/**
 * A deposit may need this long to become final, and a service or node may be away. After that,
 * `ballast recover` looks again.
 */
const TRIES = 20
const AGAIN_MS = 30_000

type Parts = { readonly context: EngineContext; readonly engine: Pick<Engine, "recover"> }

/**
 * After a start with an older journal, which is paused: finds the orders that the journal has lost,
 * goes on with those that hold our money, and lists all of them in one alert.
 */
export async function recoverRestored(
  { context, engine }: Parts,
  signal: AbortSignal,
): Promise<void> {
  const { journal, clock, log } = context
  const adopted: Recovery["orders"][number][] = []
  for (let tries = 1; !signal.aborted; tries++) {
    const found = await recoverOnce({ context, engine })
    adopted.push(...(found?.orders ?? []).filter(({ status }) => status === "adopted"))
    const open = found === null ? null : listOpen(found)
    if (!signal.aborted && (open?.length === 0 || tries === TRIES)) {
      const message = describe(adopted, open)
      journal.raiseAlert(clock.now(), {
        code: "journal.recovered",
        message,
        adopted: `${adopted.length}`,
      })
      log.warn({ adopted, open }, "The search for the orders of an older journal has ended")
      return
    }
    await clock.sleep(AGAIN_MS, signal)
  }
}

async function recoverOnce({ context, engine }: Parts): Promise<Recovery | null> {
  try {
    return await engine.recover(true)
  } catch (error) {
    const err = toAppError(error, { code: "recover.failed", disposition: "transient" })
    context.log.warn({ err }, "The search for lost orders is tried again")
    return null
  }
}

/** Everything that a later look may still settle, or that a person must. */
function listOpen({ orders, unread, leftOut }: Recovery): readonly string[] {
  return [
    ...orders
      .filter(({ status }) => status === "unclear")
      .map(
        ({ service, orderId, reasons }) =>
          `order ${orderId} at ${service} (${reasons[0]?.code ?? "unclear"})`,
      ),
    ...unread.map(
      ({ service, chain, reasons }) =>
        `the orders from ${chain} at ${service} (${reasons[0]?.code ?? ""})`,
    ),
    ...(leftOut === 0 ? [] : [`${leftOut} orders that the services call settled`]),
  ]
}

function describe(adopted: Recovery["orders"], open: readonly string[] | null): string {
  const list = adopted.map(
    ({ id, orderId, from, to }) => `${id ?? ""} (${orderId} at the service, ${from} to ${to})`,
  )
  const found =
    list.length === 0 ? "no lost order with a deposit was found" : `recovered ${list.join(", ")}`
  const rest =
    open === null
      ? "the last search failed"
      : open.length === 0
        ? "nothing is unclear"
        : `unclear: ${open.join(", ")}`
  return (
    `The journal was an older one: ${found}; ${rest}. Compare with \`ballast orders --open\`, ` +
    "then resume"
  )
}
