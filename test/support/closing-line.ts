import type { Reporter, TestModule } from "vitest/node"

/** Ends a run with one plain line, `N passed, N failed`, after vitest's own coloured summary. */
export class ClosingLine implements Reporter {
  onTestRunEnd(modules: ReadonlyArray<TestModule>, errors: ReadonlyArray<unknown>): void {
    const count = { passed: 0, failed: errors.length, skipped: 0 }
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const state = test.result().state
        count[state === "passed" || state === "failed" ? state : "skipped"]++
      }
      // A hook that fails belongs to its file or suite, and skips the tests of it.
      for (const owner of [module, ...module.children.allSuites()])
        if (owner.errors().length > 0) count.failed++
    }
    const skipped = count.skipped > 0 ? `${count.skipped} skipped\n` : ""
    process.on("exit", () =>
      process.stdout.write(`${skipped}${count.passed} passed, ${count.failed} failed\n`),
    )
  }
}

// vitest loads a reporter given by path through its default export.
// biome-ignore lint/style/noDefaultExport: see above
export default ClosingLine
