import type { z } from "zod"
import { type App, type Ctx, json, parseForm, refuse } from "./answers.ts"
import {
  alertsQuery,
  auditQuery,
  bookingsQuery,
  decisionsQuery,
  ordersQuery,
} from "./api/requests.ts"
import type { Operations } from "./operations.ts"

/** The lists, page by page. */
export function serveLists(app: App, operations: Operations): void {
  app.get("/api/v1/orders", (c) =>
    answerPage(c, ordersQuery, ({ external_id, ...query }) =>
      operations.orders({
        ...query,
        ...(external_id === undefined ? {} : { externalId: external_id }),
      }),
    ),
  )
  app.get("/api/v1/decisions", (c) => answerPage(c, decisionsQuery, operations.decisions))
  app.get("/api/v1/bookings", (c) => answerPage(c, bookingsQuery, operations.bookings))
  app.get("/api/v1/audit", (c) => answerPage(c, auditQuery, operations.audit))
  app.get("/api/v1/proposals", (c) => json(c, 200, { proposals: operations.proposals() }))
  app.get("/api/v1/alerts", (c) =>
    answerPage(c, alertsQuery, (query) => {
      const page = operations.alerts(query)
      return page === null ? null : { ...page, ...operations.deliveries() }
    }),
  )
}

function answerPage<Schema extends z.ZodType>(
  c: Ctx,
  schema: Schema,
  read: (query: z.output<Schema>) => object | null,
): Response {
  const query = parseForm(c, schema, c.req.query())
  if (!query.ok) return query.refusal
  const page = read(query.body)
  return page === null
    ? refuse(c, 400, "request.cursor", "No page has given this cursor; begin without one")
    : json(c, 200, page)
}
