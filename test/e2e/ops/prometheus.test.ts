import { mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { beforeAll, expect, test } from "vitest"
import { parse } from "yaml"
import { z } from "zod"
import { METRIC_FAMILIES, type MetricName } from "#ops/metric-families.ts"
import { renderMetrics } from "#ops/metrics.ts"
import { findPromtool, runPromtool } from "../../support/promtool.ts"

const ROOT = join(import.meta.dirname, "../../..")
const RULES = join(ROOT, "config", "prometheus", "alerts.yml")
const DASHBOARD = join(ROOT, "config", "grafana", "ballast.json")

/** Each family has one sample. */
const samples = Object.fromEntries(
  Object.entries(METRIC_FAMILIES).map(([name, { labels }]) => [
    name,
    [{ labels: Object.fromEntries(labels.map((label) => [label, "x"])), value: 1 }],
  ]),
)

beforeAll(() => void findPromtool(), 180_000)

/** The names of all metrics that a daemon shows. */
async function listNames(): Promise<ReadonlySet<string>> {
  const text = await renderMetrics(() => samples)()
  return new Set([...text.matchAll(/^([a-z_]\w*)/gim)].map((match) => match[1] ?? ""))
}

test("promtool finds no fault in the text of the metrics", async () => {
  const text = await renderMetrics(() => samples)()
  expect(runPromtool(["check", "metrics"], text)).toEqual({ code: 0, output: "" })
  const wrong = text.replaceAll("ballast_start_timestamp_seconds", "ballast_startMs_total")
  expect(runPromtool(["check", "metrics"], wrong).code).not.toBe(0)
})

test("a family without samples shows none, and no zero of the scrape before", async () => {
  let given = samples
  const render = renderMetrics(() => given)
  const shown = async (): Promise<string[]> =>
    (await render())
      .split("\n")
      .filter((line) => /^ballast_(balance|journal_size_bytes)\b/.test(line))
  expect(await shown()).toEqual(['ballast_balance{asset="x"} 1', "ballast_journal_size_bytes 1"])
  given = {}
  expect(await shown()).toEqual([])
})

test("a counter shows the journal's number at each scrape", async () => {
  const render = renderMetrics(() => samples)
  await render()
  expect(await render()).toContain('ballast_orders_ended_total{outcome="x"} 1\n')
})

test("the alert rules are valid, and fire on each fault and never on a healthy daemon", () => {
  expect(runPromtool(["check", "rules", RULES])).toMatchObject({ code: 0 })
  const tested = runPromtool([
    "test",
    "rules",
    join(ROOT, "config", "prometheus", "alerts.test.yml"),
  ])
  expect(tested, tested.output).toMatchObject({ code: 0 })
})

test("a rule with another threshold is found by the rules' own test", () => {
  const dir = mkdtempSync(join(tmpdir(), "ballast-rules-"))
  const rules = readFileSync(RULES, "utf8").replace('"in flight"} >= 0.8', '"in flight"} > 0.8')
  writeFileSync(join(dir, "alerts.yml"), rules)
  const tests = join(dir, "alerts.test.yml")
  writeFileSync(tests, readFileSync(join(ROOT, "config", "prometheus", "alerts.test.yml")))
  const { code, output } = runPromtool(["test", "rules", tests])
  expect(code).not.toBe(0)
  expect(output).toContain("BallastLimitNearlyUsed")
})

const target = z.object({
  refId: z.string(),
  expr: z.string(),
  legendFormat: z.string(),
  datasource: z.object({ uid: z.string() }),
})
const panel = z.object({
  id: z.int().positive(),
  type: z.enum(["row", "stat", "timeseries"]),
  title: z.string().min(1),
  gridPos: z.object({
    x: z.int().min(0),
    y: z.int().min(0),
    w: z.int().min(1).max(24),
    h: z.int().min(1),
  }),
  targets: z.array(target).optional(),
})
const dashboard = z.object({
  uid: z.string().max(40),
  title: z.literal("Ballast"),
  schemaVersion: z.int().min(36),
  panels: z.array(panel).min(20),
  templating: z.object({ list: z.array(z.object({ name: z.string(), type: z.string() })) }),
})

function listExpressions(): readonly string[] {
  const { panels } = dashboard.parse(JSON.parse(readFileSync(DASHBOARD, "utf8")))
  return panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
}

test("the Grafana dashboard has panels that do not overlap, and queries that promtool reads", () => {
  const { panels, templating } = dashboard.parse(JSON.parse(readFileSync(DASHBOARD, "utf8")))
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, index) => `${x + (index % w)},${y + Math.floor(index / w)}`),
  )
  expect(new Set(cells).size).toBe(cells.length)
  expect(panels.every(({ gridPos: { x, w } }) => x + w <= 24)).toBe(true)
  const variables = templating.list.map(({ name }) => name)
  const used = new Set(listExpressions().flatMap((expr) => expr.match(/(?<=\$)\w+/g) ?? []))
  expect([...used].filter((name) => !variables.includes(name))).toEqual([])
  const rules = listExpressions().map((expr, index) => ({
    record: `panel:query_${index}:now`,
    expr,
  }))
  expect(rules.length).toBeGreaterThan(25)
  const file = join(mkdtempSync(join(tmpdir(), "ballast-grafana-")), "queries.yml")
  const check = (list: typeof rules): number | null => {
    writeFileSync(file, JSON.stringify({ groups: [{ name: "dashboard", rules: list }] }))
    return runPromtool(["check", "rules", file]).code
  }
  expect(check(rules)).toBe(0)
  expect(check([{ record: "panel:wrong:now", expr: "sum(by ballast_orders" }])).not.toBe(0)
})

test(
  "rules and dashboard name only metrics that the daemon shows, and every new family is " +
    "described",
  async () => {
    const names = await listNames()
    const groups = z.object({
      groups: z.array(z.object({ rules: z.array(z.object({ expr: z.string() })) })),
    })
    const { groups: all } = groups.parse(parse(readFileSync(RULES, "utf8")))
    const expressions = [
      ...listExpressions(),
      ...all.flatMap(({ rules }) => rules.map(({ expr }) => expr)),
    ]
    const used = expressions.flatMap(
      (expr) => expr.replaceAll(/"[^"]*"/g, "").match(/\b(ballast|nodejs|process)_\w+/g) ?? [],
    )
    expect(used.length).toBeGreaterThan(50)
    expect([...new Set(used)].filter((name) => !names.has(name))).toEqual([])
    const docs = readFileSync(join(ROOT, "docs", "OBSERVE.md"), "utf8")
    // CAST: the keys of the record are its names.
    const families = Object.keys(METRIC_FAMILIES) as MetricName[]
    expect(families.filter((name) => !docs.includes(`\`${name}`))).toEqual([])
  },
)
