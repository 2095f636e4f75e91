import {
  alertsQuery,
  auditQuery,
  bookingsQuery,
  decisionsQuery,
  ordersQuery,
} from "#schema/requests.ts"
import { type App, type Ctx, createGet, json, refuse } from "./answers.ts"
import type { Operations } from "./operations.ts"

/** The lists, page by page. */
export function serveLists(app: App, operations: Operations): void {
  const get = createGet(app)
  get("/api/v1/orders", ordersQuery, (query, c) => answerPage(c, operations.orders(query)))
  get("/api/v1/decisions", decisionsQuery, (query, c) => answerPage(c, operations.decisions(query)))
  get("/api/v1/bookings", bookingsQuery, (query, c) => answerPage(c, operations.bookings(query)))
  get("/api/v1/audit", auditQuery, (query, c) => answerPage(c, operations.audit(query)))
  app.get("/api/v1/proposals", (c) => json(c, 200, { proposals: operations.proposals() }))
  get("/api/v1/alerts", alertsQuery, (query, c) => {
    const page = operations.alerts(query)
    return answerPage(c, page === null ? null : { ...page, ...operations.deliveries() })
  })
}

function answerPage(c: Ctx, page: object | null): Response {
  return page === null
    ? refuse(c, 400, "request.cursor", "No page has given this cursor; begin without one")
    : json(c, 200, page)
}
