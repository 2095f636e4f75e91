import { AppError } from "#lib/app-error.ts"
import type { Journal } from "#ports/journal.ts"

const SHORTEST = 4
const MOST_SEARCHED = 100_000
const MOST_NAMED = 5

/**
 * The whole id of the order that a person means by its beginning. Throws `order.not_found`
 * (refused) for an unknown one, for a beginning of fewer than four characters, and for one that
 * several orders have; it then names them.
 */
export function findOrderId(
  journal: Pick<Journal, "findOrder" | "listOrders">,
  typed: string,
): string {
  const id = typed.trim().toLowerCase().replace(/…$/, "")
  if (journal.findOrder(typed) !== null) return typed
  if (journal.findOrder(id) !== null) return id
  if (id.length < SHORTEST)
    throw notFound(`${typed} is too short: give at least ${SHORTEST} characters of the order's id`)
  const ids = journal
    .listOrders({ limit: MOST_SEARCHED })
    .flatMap((row) => (row.id.startsWith(id) ? [row.id] : []))
  const [found] = ids
  if (found === undefined)
    throw notFound(`There is no order ${typed}; \`ballast orders\` lists them`)
  if (ids.length === 1) return found
  const named = ids.slice(0, MOST_NAMED).map((one) => one.slice(0, id.length + 4))
  const more = ids.length > MOST_NAMED ? " …" : ""
  throw notFound(`${typed} is the beginning of ${ids.length} orders: ${named.join(", ")}${more}`)
}

function notFound(message: string): AppError {
  return new AppError({ code: "order.not_found", disposition: "refused", message })
}
