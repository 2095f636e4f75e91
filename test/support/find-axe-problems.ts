import axe from "axe-core"
import type { Page } from "playwright-core"

/** The serious and critical findings of axe-core on the page, as short texts. */
export async function findAxeProblems(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  // CAST: the result of the line, as axe-core describes it.
  const { violations } = (await page.evaluate(
    "axe.run(document, { resultTypes: ['violations'] })",
  )) as axe.AxeResults
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(
      ({ id, nodes }) =>
        `${id}: ${nodes
          .slice(0, 3)
          .map(({ html }) => html.slice(0, 160))
          .join(" | ")}`,
    )
}
