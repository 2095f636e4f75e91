import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { parseAllDocuments } from "yaml"
import { CHART_VALUES, renderChart } from "../../support/render-chart.ts"

/*
 * The chart by Go's templates with sprig, which Helm is made of, compared with the small renderer
 * of the other tests. On Debian: golang-go, golang-github-masterminds-sprig-dev and
 * golang-github-ghodss-yaml-dev.
 */

const GO_PATH = "/usr/share/gocode"
const hasGo = ["/usr/bin/go", `${GO_PATH}/src/github.com/Masterminds/sprig`].every(existsSync)
const FOLDER = mkdtempSync(join(tmpdir(), "ballast-chart-"))
const CHART = join(import.meta.dirname, "../../../packaging/helm/ballast")
afterAll(() => rmSync(FOLDER, { recursive: true }))

function renderByGo(values: Readonly<Record<string, unknown>>): readonly unknown[] {
  const file = join(FOLDER, "values.json")
  writeFileSync(file, JSON.stringify(values))
  const cache = join(FOLDER, "cache")
  mkdirSync(cache, { recursive: true })
  const program = join(import.meta.dirname, "../../support/render-chart.go")
  const text = execFileSync("/usr/bin/go", ["run", program, CHART, file], {
    encoding: "utf8",
    env: { PATH: "/usr/bin:/bin", GOPATH: GO_PATH, GO111MODULE: "off", GOCACHE: cache },
  })
  return parseAllDocuments(text).map((document) => {
    expect(document.errors).toEqual([])
    return document.toJS()
  })
}

test.skipIf(!hasGo)("the engine of Helm gives the same resources", { timeout: 300_000 }, () => {
  for (const className of ["", "fast"]) {
    const config = "mode: observe\ndata_dir: /data/data\n"
    const storage = { size: "2Gi", className }
    const values = { ...CHART_VALUES, config, storage }
    const rendered = renderByGo(values)
    expect(rendered).toEqual(renderChart(values))
    expect(JSON.stringify(rendered).includes("storageClassName")).toBe(className !== "")
  }
})
