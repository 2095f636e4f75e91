import { affiliateQuery, exportQuery, reportQuery, simulateQuery } from "#schema/requests.ts"
import { type App, answer, type Ctx, createGet, refuse } from "./answers.ts"
import type { InTurn } from "./ask-turns.ts"
import type { Operations } from "./operations.ts"

/** Answers from the whole journal, and backtests. */
export function serveStudies(app: App, operations: Operations, inTurn: InTurn): void {
  type Study = () => ReturnType<
    Operations["report" | "affiliateReport" | "earnings" | "simulate" | "advise"]
  >
  const study = (c: Ctx, ask: Study): Promise<Response> =>
    inTurn(c, async () => answer(c, 200, await ask()))
  const get = createGet(app)
  app.get("/api/v1/rules/:id/why", (c) =>
    inTurn(c, async () => {
      const why = await operations.why(c.req.param("id"))
      return why === null
        ? refuse(c, 404, "rule.not_found", "The configuration has no such rule")
        : answer(c, 200, why)
    }),
  )
  get("/api/v1/report", reportQuery, (asked, c) => study(c, () => operations.report(asked)))
  get("/api/v1/report/affiliate", affiliateQuery, (asked, c) =>
    study(c, () => operations.affiliateReport(asked)),
  )
  app.get("/api/v1/earnings", (c) => study(c, () => operations.earnings()))
  get("/api/v1/simulate", simulateQuery, (asked, c) => study(c, () => operations.simulate(asked)))
  app.get("/api/v1/advise", (c) => study(c, () => operations.advise()))
  get("/api/v1/export", exportQuery, (asked, c) =>
    inTurn(c, async () => {
      const exported = await operations.exportBooks(asked)
      return exported.ok ? c.text(exported.body) : answer(c, 200, exported)
    }),
  )
}
