import { spawnSync } from "node:child_process"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"

const SOURCES = new URL("../../../src/", import.meta.url).href
const MAIN = join(import.meta.dirname, "../../../src/app/cli/main.ts")

/** Writes the URL of each module that Node resolves to standard error. */
const RECORDER = `
  import { registerHooks } from "node:module"
  registerHooks({
    resolve(specifier, context, next) {
      const resolved = next(specifier, context)
      process.stderr.write(resolved.url + "\\n")
      return resolved
    },
  })`

test.each([
  { argv: ["--help"], shows: "Usage: ballast COMMAND" },
  { argv: ["swap", "--help"], shows: "Usage: ballast swap FROM TO AMOUNT" },
  { argv: ["completion", "bash"], shows: "complete -F _ballast ballast" },
])("$argv loads no third-party package and no action, so it is quick", ({ argv, shows }) => {
  const hook = `data:text/javascript,${encodeURIComponent(RECORDER)}`
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ["--import", hook, MAIN, ...argv],
    {
      encoding: "utf8",
    },
  )
  expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringContaining(shows) })
  const loaded = stderr.split("\n").filter((url) => url !== "")
  expect(loaded).toContain(`${SOURCES}app/cli/commands/orders/swap.ts`)
  expect(loaded.filter((url) => !url.startsWith(SOURCES) && !url.startsWith("node:"))).toEqual([])
  expect(loaded.filter((url) => /\/(actions|chains)\//.test(url))).toEqual([])
})

/**
 * Processor time with a filled compile cache, because the time on the wall depends on the other
 * work of the machine. The median of five runs: one run may meet a cold cache of the kernel.
 */
test.each([
  { argv: ["--help"], mostMs: 150 },
  { argv: ["completion", "bash"], mostMs: 150 },
  { argv: ["check", "--sandbox", "--help"], mostMs: 150 },
])(
  "$argv needs less than $mostMs ms of processor time more than Node itself",
  ({ argv, mostMs }) => {
    const cache = join(tmpdir(), `ballast-compile-cache-${process.getuid?.() ?? 0}`)
    const empty = measureMedian(["-e", "0"], cache)
    expect(measureMedian([MAIN, ...argv], cache) - empty).toBeLessThan(mostMs)
  },
)

function measureMedian(args: readonly string[], cache: string): number {
  const runs = Array.from({ length: 6 }, () => {
    const hook =
      'process.on("exit",()=>{const{user,system}=process.cpuUsage();process.stderr.write("CPU ' +
      '"+(user+system)/1000+"\\n")})'
    const options = ["--import", `data:text/javascript,${encodeURIComponent(hook)}`, ...args]
    const { stderr } = spawnSync(process.execPath, options, {
      encoding: "utf8",
      env: { ...process.env, NODE_COMPILE_CACHE: cache },
    })
    return Number(/CPU ([\d.]+)/.exec(stderr)?.[1])
  })
  return runs.slice(1).toSorted((a, b) => a - b)[2] ?? Number.NaN
}
