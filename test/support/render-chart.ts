import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect } from "vitest"
import { parse, parseAllDocuments, stringify } from "yaml"

const CHART = join(import.meta.dirname, "../../packaging/helm/ballast")
const TEMPLATES = join(CHART, "templates")
type ChartValues = Readonly<Record<string, unknown>>
export const CHART_VALUES: ChartValues = parse(readFileSync(join(CHART, "values.yaml"), "utf8"))

/** The resources of the chart with these values, for a release named `treasury`. */
export function renderChart(given: ChartValues): readonly unknown[] {
  return readdirSync(TEMPLATES).flatMap((name) => {
    const text = render(readFileSync(join(TEMPLATES, name), "utf8"), given)
    expect(text, name).not.toContain("{{")
    return parseAllDocuments(text).map((document) => {
      expect(document.errors, name).toEqual([])
      return document.toJS()
    })
  })
}

export function valueAt(root: unknown, path: string): unknown {
  return path.split(".").reduce<unknown>((value, key) => {
    // CAST: a value of the chart is a map until its last key.
    const map = value as Record<string, unknown> | undefined
    if (map === undefined || !Object.hasOwn(map, key)) throw new Error(`no value ${path}`)
    return map[key]
  }, root)
}

/** The actions that the chart uses, and no others: an unknown one stays and fails the parse. */
function render(text: string, given: ChartValues): string {
  const indent = (block: string, by: string): string =>
    block.trimEnd().replace(/^/gm, " ".repeat(Number(by)))
  return text
    .replace(
      /\{\{- with \.Values\.([\w.]+) \}\}([\s\S]*?)\{\{- end \}\}/g,
      (_all, path: string, body: string) => {
        const value = valueAt(given, path)
        return value === "" ? "" : body.replaceAll("{{ . }}", String(value))
      },
    )
    .replace(/\{\{ toYaml \.Values\.([\w.]+) \| indent (\d+) \}\}/g, (_all, path, by) =>
      indent(stringify(valueAt(given, path)), by),
    )
    .replace(/\{\{ \.Values\.([\w.]+) \| indent (\d+) \}\}/g, (_all, path, by) =>
      indent(String(valueAt(given, path)), by),
    )
    .replace(/\{\{ \.Values\.([\w.]+) \}\}/g, (_all, path) => String(valueAt(given, path)))
    .replaceAll("{{ .Release.Name }}", "treasury")
}
