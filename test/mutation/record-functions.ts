import { appendFileSync } from "node:fs"
import { Session } from "node:inspector"
import { relative } from "node:path"
import { afterAll, expect } from "vitest"
import { present } from "#lib/assert.ts"

/**
 * Setup file of `npm run mutate -- --measure`: appends a line with the test file, its time, and the production functions that it ran to
 * the file that `BALLAST_FUNCTIONS` names.
 *
 * V8 counts the calls of each function (https://chromedevtools.github.io/devtools-protocol/v8/Profiler/).
 */
const session = new Session()
session.connect()
session.post("Profiler.enable")
session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false })
const startedAt = performance.now()

afterAll(() => {
  const test = relative(process.cwd(), present(expect.getState().testPath, "the path of the test file"))
  const ms = Math.round(performance.now() - startedAt)
  session.post("Profiler.takePreciseCoverage", (error, taken) => {
    if (error !== null) throw error
    const ran = taken.result.flatMap(({ url, functions }) => {
      const file = relative(process.cwd(), url.replace(/^file:\/\//, "").replace(/\?.*$/, ""))
      if (!file.startsWith("src/")) return []
      const names = functions
        .filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0)
        .map(({ functionName }) => functionName)
      return [[file, [...new Set(names)].filter((name) => name !== "")]]
    })
    appendFileSync(process.env["BALLAST_FUNCTIONS"] ?? "/dev/null", `${JSON.stringify({ test, ms, ran })}\n`)
  })
})
