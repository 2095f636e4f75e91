import type { TestResult } from "./run-tests.ts"

/** One result for people: a line, and for a failure what was expected and the story of the run. */
export function formatResult({
  ok,
  kind,
  name,
  file,
  line,
  worlds,
  failures,
  story,
}: TestResult): string {
  const tried = worlds === null ? "" : ` (${worlds} ${worlds === 1 ? "world" : "worlds"})`
  if (ok) return `pass  ${name}${tried}`
  return [
    `FAIL  ${name}  ${file}:${line}`,
    ...failures.map((failure) => `      ${failure}`),
    kind === "scenario" ? "      The run:" : `      The simplest run found${tried}:`,
    ...story.map((told) => `        ${told}`),
  ].join("\n")
}

export function formatCount(results: readonly TestResult[]): string {
  const failed = results.filter(({ ok }) => !ok).length
  return `${results.length - failed} passed, ${failed} failed`
}

/** The results as JUnit XML, which build servers read. */
export function formatJunit(results: readonly TestResult[]): string {
  const files = [...new Set(results.map(({ file }) => file))]
  const failed = results.filter(({ ok }) => !ok).length
  const suites = files.flatMap((file) => {
    const own = results.filter((result) => result.file === file)
    const failures = own.filter(({ ok }) => !ok).length
    return [
      `  <testsuite name="${escapeXml(file)}" tests="${own.length}" failures="${failures}" ` +
        `errors="0" skipped="0">`,
      ...own.map(formatCase),
      "  </testsuite>",
    ]
  })
  const head = `<testsuites name="ballast test" tests="${results.length}" failures="${failed}">`
  return ['<?xml version="1.0" encoding="UTF-8"?>', head, ...suites, "</testsuites>", ""].join("\n")
}

function formatCase({ ok, kind, name, file, line, failures, story }: TestResult): string {
  const head =
    `    <testcase name="${escapeXml(name)}" classname="${kind}" file="${escapeXml(file)}" ` +
    `line="${line}"`
  if (ok) return `${head}/>`
  const body = escapeXml([...failures, ...story].join("\n"))
  return (
    `${head}>\n      <failure message="${escapeXml(failures.join("; "))}">${body}</failure>\n  ` +
    "  </testcase>"
  )
}

const XML: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
}

function escapeXml(text: string): string {
  return [...text]
    .filter((one) => one === "\n" || one === "\t" || one >= " ")
    .map((one) => XML[one] ?? one)
    .join("")
}
