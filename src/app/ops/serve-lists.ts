import { systemClock } from "#lib/clock.ts"
import {
  alertsQuery,
  auditQuery,
  bookingsQuery,
  decisionsQuery,
  ordersQuery,
} from "#schema/requests.ts"
import { type App, type Ctx, createGet, json, jsonText, refuse, sendJson } from "./answers.ts"
import type { Operations } from "./operations.ts"

/** The lists, page by page. */
export function serveLists(app: App, operations: Operations): void {
  const get = createGet(app)
  get("/api/v1/orders", ordersQuery, (query, c) =>
    answerInTurns(c, "orders", query, operations.orders),
  )
  get("/api/v1/decisions", decisionsQuery, (query, c) =>
    answerInTurns(c, "decisions", query, operations.decisions),
  )
  get("/api/v1/bookings", bookingsQuery, (query, c) =>
    answerInTurns(c, "bookings", query, operations.bookings),
  )
  get("/api/v1/audit", auditQuery, (query, c) => answerInTurns(c, "calls", query, operations.audit))
  app.get("/api/v1/proposals", (c) => json(c, 200, { proposals: operations.proposals() }))
  get("/api/v1/alerts", alertsQuery, (query, c) => {
    const page = operations.alerts(query)
    return page === null ? refuseCursor(c) : json(c, 200, { ...page, ...operations.deliveries() })
  })
}

function refuseCursor(c: Ctx): Response {
  return refuse(c, 400, "request.cursor", "No page has given this cursor; begin without one")
}

/** A list under its own name, and the cursor behind it. */
type Page<Name extends string> = { readonly next: string | null } & {
  readonly [name in Name]: readonly unknown[]
}
type PageQuery = { readonly limit: number; readonly cursor?: string | undefined }

/** A page of a thousand takes a third of a second, and nothing may hold the engine for so long. */
const AT_ONCE = 50

/** Reads and writes a page in parts, each in a turn of its own. */
async function answerInTurns<Query extends PageQuery, Name extends string>(
  c: Ctx,
  name: Name,
  query: Query,
  read: (query: Query) => Page<Name> | null,
): Promise<Response> {
  const parts: string[] = []
  let next: string | null = query.cursor ?? null
  let left = query.limit
  do {
    const from = next === null ? {} : { cursor: next }
    const page = read({ ...query, ...from, limit: Math.min(left, AT_ONCE) })
    if (page === null) return refuseCursor(c)
    parts.push(jsonText(page[name]).slice(1, -1))
    left -= AT_ONCE
    next = page.next
    await systemClock.turn?.()
  } while (next !== null && left > 0)
  const items = parts.filter((part) => part !== "").join()
  return sendJson(c, `{"${name}":[${items}],"next":${jsonText(next)}}`)
}
