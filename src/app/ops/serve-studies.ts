import { type App, answer, type Ctx, parseForm, refuse } from "./answers.ts"
import { affiliateQuery, exportQuery, reportQuery, simulateQuery } from "./api/requests.ts"
import type { InTurn } from "./ask-turns.ts"
import type { Operations } from "./operations.ts"

/** Answers from the whole journal, and backtests. */
export function serveStudies(app: App, operations: Operations, inTurn: InTurn): void {
  type Study = () => ReturnType<
    Operations["report" | "affiliateReport" | "earnings" | "simulate" | "advise"]
  >
  const study = (c: Ctx, ask: Study): Promise<Response> =>
    inTurn(c, async () => answer(c, 200, await ask()))
  app.get("/api/v1/rules/:id/why", (c) =>
    inTurn(c, async () => {
      const why = await operations.why(c.req.param("id"))
      return why === null
        ? refuse(c, 404, "rule.not_found", "The configuration has no such rule")
        : answer(c, 200, why)
    }),
  )
  app.get("/api/v1/report", (c) => {
    const read = parseForm(c, reportQuery, c.req.query())
    return read.ok ? study(c, () => operations.report(read.body)) : read.refusal
  })
  app.get("/api/v1/report/affiliate", (c) => {
    const read = parseForm(c, affiliateQuery, c.req.query())
    return read.ok ? study(c, () => operations.affiliateReport(read.body)) : read.refusal
  })
  app.get("/api/v1/earnings", (c) => study(c, () => operations.earnings()))
  app.get("/api/v1/simulate", (c) => {
    const read = parseForm(c, simulateQuery, c.req.query())
    return read.ok ? study(c, () => operations.simulate(read.body)) : read.refusal
  })
  app.get("/api/v1/advise", (c) => study(c, () => operations.advise()))
  app.get("/api/v1/export", async (c) => {
    const read = parseForm(c, exportQuery, c.req.query())
    if (!read.ok) return read.refusal
    return inTurn(c, async () => {
      const exported = await operations.exportBooks(read.body)
      return exported.ok ? c.text(exported.body) : answer(c, 200, exported)
    })
  })
}
