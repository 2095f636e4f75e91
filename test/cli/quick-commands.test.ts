import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { acceptOrder } from "#engine/stepper.ts"
import { openJournal } from "#journal/sqlite-journal.ts"
import { createWorld } from "../support/fake-world.ts"
import { SAMPLE } from "../support/order-sample.ts"

/** Each command that asks no node answers in 300 ms. */
const PROMISED_MS = 300
/** A test machine may be this much slower than the one of the promise, and it compares processor time, which other work also slows. */
const SLOWER = 2

const MAIN = join(import.meta.dirname, "..", "..", "src", "cli", "main.ts")
const KEY = `0x${"4c".repeat(32)}`
const ID = `${"ab".repeat(15)}ff`
const dir = mkdtempSync(join(tmpdir(), "ballast-quick-"))
const file = join(dir, "ballast.yaml")
mkdirSync(join(dir, "data"), { mode: 0o700 })
writeFileSync(
  file,
  `service: { url: "http://127.0.0.1:1" }
data_dir: ${join(dir, "data")}
ops: { listen: "127.0.0.1:0", token: "env:OPS_TOKEN" }
chains:
  base_sepolia: { family: evm, chain_id: 84532, rpc: ["http://127.0.0.1:1"], key: "env:EVM_KEY" }
  ethereum_sepolia: { family: evm, chain_id: 11155111, rpc: ["http://127.0.0.1:1"], key: "env:EVM_KEY" }
assets:
  base_sepolia:eth: { decimals: 18, htlc: ["0x00000000000000000000000000000000000000aa"] }
  ethereum_sepolia:eth: { decimals: 18, htlc: ["0x00000000000000000000000000000000000000aa"] }
rules:
  - { id: weekly, kind: recurring, schedule: "0 9 * * MON", from: base_sepolia:eth, to: ethereum_sepolia:eth, amount: "1" }
guards: { max_order: "2", windows: [{ per: 24h, max: "9" }] }
`,
  { mode: 0o600 },
)

const world = createWorld()
const journal = openJournal(join(dir, "data", "journal.db"))
const { context } = world.start()
acceptOrder({ ...context, journal }, { ...SAMPLE.input, id: ID, createdAt: Date.now() }, null, [])
journal.close()
world.close()
afterAll(() => rmSync(dir, { recursive: true }))

/** `check` misses the promise: it loads the libraries of each chain family. This bound keeps it from getting slower. */
const CHECK_MS = 500

/** Commands of the journal and the configuration. Their exit code is their finding. */
const COMMANDS: readonly {
  readonly argv: readonly string[]
  readonly codes: readonly number[]
  readonly mostMs?: number
}[] = [
  { argv: ["help"], codes: [0] },
  { argv: ["completion", "bash"], codes: [0] },
  { argv: ["check"], codes: [0, 1], mostMs: CHECK_MS },
  { argv: ["status"], codes: [2] },
  { argv: ["orders"], codes: [0] },
  { argv: ["order", ID], codes: [0] },
  { argv: ["rules"], codes: [0] },
  { argv: ["why", "weekly"], codes: [0, 1] },
  { argv: ["alerts"], codes: [0, 1] },
  { argv: ["report"], codes: [0] },
  { argv: ["export"], codes: [0] },
  { argv: ["rescue", ID], codes: [0, 1] },
  { argv: ["pause"], codes: [0] },
  { argv: ["resume"], codes: [0] },
]

test.each(COMMANDS)(
  "$argv needs at most its promised processor time, times the factor of a test machine",
  ({ argv, codes, mostMs = PROMISED_MS }) => {
    const runs = [0, 1, 2, 3].map(() => measure(argv))
    for (const { status, output } of runs) expect(codes, output).toContain(status)
    // The first run fills the compile cache.
    const median = runs.slice(1).toSorted((a, b) => a.ms - b.ms)[1]?.ms
    expect(median).toBeLessThan(mostMs * SLOWER)
  },
)

function measure(argv: readonly string[]): { ms: number; status: number | null; output: string } {
  const hook =
    'process.on("exit",()=>{const{user,system}=process.cpuUsage();process.stderr.write("CPU "+(user+system)/1000+"\\n")})'
  const options = ["--import", `data:text/javascript,${encodeURIComponent(hook)}`, MAIN, ...argv, "--config", file]
  const cache = join(tmpdir(), `ballast-compile-cache-${process.getuid?.() ?? 0}`)
  const { stdout, stderr, status } = spawnSync(process.execPath, options, {
    encoding: "utf8",
    env: { ...process.env, NODE_COMPILE_CACHE: cache, EVM_KEY: KEY, OPS_TOKEN: "token-of-24-letters-long" },
  })
  return { ms: Number(/CPU ([\d.]+)/.exec(stderr)?.[1]), status, output: stdout + stderr }
}
