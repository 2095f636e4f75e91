import { AppError } from "#lib/app-error.ts"
import { describeFound } from "#schema/describe-found.ts"
import { fractionDigits } from "#schema/limit-amount.ts"
import { formatPath, formatProblem, type Path, type Problem, type Report } from "#schema/problem.ts"
import { readPath } from "#schema/read-path.ts"
import {
  type PropertyEntry,
  type ScenarioFile,
  type TestFile,
  testFileSchema,
} from "./file-schema.ts"
import type { Names, Property } from "./property.ts"
import { parseProperty } from "./property-forms.ts"

/** A YAML document as the configuration's reader returns it. */
type TestSource = {
  readonly value: unknown
  readonly problems: readonly Problem[]
  positionOf(path: Path, at: "key" | "value"): { readonly line: number; readonly column: number }
}

export type PolicyTests = {
  readonly file: string
  readonly usual: NonNullable<TestFile["usual"]>
  readonly prices: NonNullable<TestFile["prices"]>
  readonly scenarios: readonly { readonly line: number; readonly scenario: ScenarioFile }[]
  readonly properties: readonly PropertyTest[]
}

export type PropertyTest = {
  readonly line: number
  readonly property: Property
  /** `null`: as the command says. */
  readonly worlds: number | null
}

/**
 * Reads a file of tests. Throws `policy_test.invalid` (fatal) with all problems together, each with
 * its line.
 */
export function readTestFile(source: TestSource, file: string, names: Names): PolicyTests {
  const problems: Problem[] = [...source.problems]
  const report: Report = (path, message, at = "value") => {
    problems.push({ file, ...source.positionOf(path, at), path: formatPath(path), message })
  }
  const root = source.value ?? {}
  const parsed = problems.length === 0 ? testFileSchema.safeParse(root) : null
  for (const issue of parsed?.error?.issues ?? []) reportIssue(issue, root, report)
  if (!parsed?.success) throw testFileError(problems)
  const { usual = {}, prices = {}, scenarios = [], properties = [] } = parsed.data
  checkNames(parsed.data, names, report)
  const lineOf = (path: Path): number => source.positionOf(path, "value").line
  const tests = properties.flatMap((entry, index) =>
    readProperty(entry, index, names, report, lineOf),
  )
  if (problems.length > 0) throw testFileError(problems)
  return {
    file,
    usual,
    prices,
    scenarios: scenarios.map((scenario, index) => ({
      scenario,
      line: lineOf(["scenarios", index]),
    })),
    properties: tests,
  }
}

type Issue = {
  readonly code: string
  readonly message: string
  readonly path: readonly PropertyKey[]
  readonly keys?: readonly string[]
}

/** The message of unknown keys has one line for each of them, in their order. */
function reportIssue(
  { code, message, path, keys: unknown = [] }: Issue,
  root: unknown,
  report: Report,
): void {
  const keys = path.map((key) => (typeof key === "symbol" ? key.toString() : key))
  if (code === "unrecognized_keys") {
    for (const [index, line] of message.split("\n").entries())
      report([...keys, unknown[index] ?? ""], line, "key")
  } else report(keys, `${message}, found ${describeFound(readPath(root, keys))}`)
}

function testFileError(problems: readonly Problem[]): AppError {
  const sorted = [...problems].sort((a, b) => a.line - b.line || a.column - b.column)
  const count = sorted.length === 1 ? "one problem" : `${sorted.length} problems`
  const list = sorted.map(formatProblem).join("\n")
  const message = `the policy tests have ${count}; correct the file\n${list}`
  return new AppError({
    code: "policy_test.invalid",
    disposition: "fatal",
    message,
    details: { problems: sorted.length },
  })
}

function readProperty(
  entry: PropertyEntry,
  index: number,
  names: Names,
  report: Report,
  lineOf: (path: Path) => number,
): PropertyTest[] {
  const path = ["properties", index]
  const line = typeof entry === "string" ? entry : entry.property
  const property = parseProperty(line, names)
  if ("problem" in property) {
    report(typeof entry === "string" ? path : [...path, "property"], property.problem)
    return []
  }
  const { worlds = null, days = property.days } = typeof entry === "string" ? {} : entry
  return [{ line: lineOf(path), property: { ...property, days }, worlds }]
}

/**
 * Every asset id and rule id of the file must be configured, and every amount must fit its asset.
 */
function checkNames(file: TestFile, names: Names, report: Report): void {
  walk(file, [], (path, value, key, parent) => {
    if (
      key === "rule" &&
      typeof value === "string" &&
      !names.rules.some(({ id }) => id === value)
    ) {
      report(path, `expected the id of a rule, found ${value}`)
    }
    if ((key === "from" || key === "to" || key === "asset") && typeof value === "string") {
      if (decimalsOf(value, names) === null)
        report(path, `expected a configured asset, found ${value}`)
    }
    if (key === "scope" && typeof value === "string" && !isScope(value, names)) {
      report(path, `expected all, a chain or the id of a rule, found ${value}`)
    }
    if (AMOUNT_MAPS.has(key) && isMap(value)) checkAmounts(value, path, names, report)
    if (AMOUNT_KEYS.has(key) && typeof value === "string" && isMap(parent)) {
      const asset = parent["from"] ?? parent["asset"]
      if (typeof asset === "string") checkDigits(value, asset, path, names, report)
    }
  })
}

function isScope(scope: string, { rules, assets }: Names): boolean {
  return (
    scope === "all" ||
    rules.some(({ id }) => id === scope) ||
    assets.some(({ chain }) => chain === scope)
  )
}

const AMOUNT_MAPS: ReadonlySet<string> = new Set(["usual", "prices", "balances"])
const AMOUNT_KEYS: ReadonlySet<string> = new Set(["amount", "at_least", "at_most"])

function checkAmounts(
  map: Readonly<Record<string, unknown>>,
  path: Path,
  names: Names,
  report: Report,
): void {
  for (const [id, value] of Object.entries(map)) {
    if (decimalsOf(id, names) === null)
      report([...path, id], `expected a configured asset, found ${id}`, "key")
    else if (typeof value === "string" && path.at(-1) !== "prices")
      checkDigits(value, id, [...path, id], names, report)
    else if (isMap(value)) {
      for (const [key, amount] of Object.entries(value)) {
        if (typeof amount === "string") checkDigits(amount, id, [...path, id, key], names, report)
      }
    }
  }
}

function checkDigits(amount: string, id: string, path: Path, names: Names, report: Report): void {
  const decimals = decimalsOf(id, names)
  const digits = fractionDigits(amount)
  if (decimals !== null && digits > decimals) {
    report(path, `expected at most ${decimals} digits after the point, found ${digits}`)
  }
}

function decimalsOf(id: string, { assets }: Names): number | null {
  return assets.find((asset) => asset.id === id)?.decimals ?? null
}

type Visit = (path: Path, value: unknown, key: string, parent: unknown) => void

function walk(value: unknown, path: Path, visit: Visit): void {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) walk(item, [...path, index], visit)
  } else if (isMap(value)) {
    for (const [key, item] of Object.entries(value)) {
      visit([...path, key], item, key, value)
      walk(item, [...path, key], visit)
    }
  }
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
