import type { Asset } from "#domain/asset.ts"
import { AppError } from "#lib/app-error.ts"
import { mustExist } from "#lib/assert.ts"
import { buildRule, type ConfiguredRule } from "#policy/rules/registry.ts"
import { formatPath, type Report } from "#schema/problem.ts"
import { isMap, itemsAt } from "#schema/read-path.ts"
import { applyPresets } from "../build/apply-presets.ts"
import { checkForm } from "./check-form.ts"
import { checkReferences } from "./check-references.ts"

/**
 * The rule of a sound file with other texts at some of its keys, after the checks of a file. Only
 * the rule is judged, so no secret is needed.
 *
 * Throws `config.invalid` (refused) with every problem of the rule.
 */
export function changeRule(
  written: unknown,
  id: string,
  changes: Readonly<Record<string, string>>,
  assets: readonly Asset[],
): ConfiguredRule {
  const rules = itemsAt(written, ["rules"])
  const index = rules.findIndex((rule) => isMap(rule) && rule["id"] === id)
  if (!isMap(written) || index === -1) throw refused([`The file has no rule ${id}`])
  if ("id" in changes) throw refused(["id: the changed rule keeps its id"])
  const changed = rules.map((rule, at) =>
    at === index && isMap(rule) ? { ...rule, ...changes } : rule,
  )
  const problems: string[] = []
  const report: Report = ([list, at, ...path], message) => {
    if (list === "rules" && at === index) problems.push(`${formatPath(path)}: ${message}`)
  }
  const { filled, sound } = applyPresets({ ...written, rules: changed }, report)
  const file = checkForm(sound, report)
  checkReferences(filled, report, (reference) => reference)
  const rule = file?.rules[index]
  if (problems.length > 0 || rule === undefined) throw refused([...new Set(problems)])
  return buildRule(
    rule,
    (asset) =>
      mustExist(
        assets.find((one) => one.id === asset),
        `the asset ${asset}`,
      ).decimals,
  )
}

function refused(problems: readonly string[]): AppError {
  return new AppError({
    code: "config.invalid",
    disposition: "refused",
    message: problems.join("; "),
  })
}
