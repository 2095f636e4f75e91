import { execFile } from "node:child_process"
import { createHash } from "node:crypto"
import { readFile } from "node:fs/promises"
import { promisify } from "node:util"
import { expect, test } from "vitest"
import { encodeShortString, formatFelt } from "../../../../src/lab/sandbox/starknet/felt.ts"
import { deriveOrderId } from "../../../../src/lab/sandbox/starknet/htlc.ts"
import {
  HTLC_VARIANTS,
  splitHash,
  toWords,
} from "../../../../src/lab/sandbox/starknet/htlc-variant.ts"
import { hashDomain, hashMessage } from "../../../../src/lab/sandbox/starknet/typed-data.ts"
import { IS_SAMPLED } from "../../../support/ci-sample.ts"

const COMPILER = findCompiler()
const CHAIN_ID = encodeShortString("SN_SEPOLIA")
const INITIATOR = 0x00609190b1348bcc06da44d58c79709495c11a5a6f0b9e154e1209f2a17dd933n
/** The address that the vectors name as the contract. */
const HTLC = 0x06579d255314109429a4477d89629bc2b94f529ae01979c2f8014f9246482603n
const REDEEMER = 0x078f8ae98fe78b5df9d3755b5910864c028d5249b4af685eb45687b1b76a4205n

// `wasm-cairo`, a Cairo compiler and VM, needs 900 MB of memory for ten seconds. Without it (npm
// install --omit=dev) the test is skipped, and in CI, where it takes a core for two minutes.
test.skipIf(COMPILER === null || IS_SAMPLED)(
  "the Cairo contract derives the same ids and hashes, and has the same refusals",
  { timeout: 300_000 },
  async () => {
    const source = await Promise.all([
      readFile(
        new URL("../../../../src/lab/sandbox/starknet/contracts/htlc.cairo", import.meta.url),
        "utf8",
      ),
      readFile(
        new URL("../../../../src/lab/sandbox/starknet/contracts/htlc-tests.cairo", import.meta.url),
        "utf8",
      ),
    ])
    const run = promisify(execFile)(
      process.execPath,
      ["--input-type=module", "--eval", RUN, COMPILER ?? ""],
      {
        maxBuffer: 2 ** 24,
      },
    )
    run.child.stdin?.end(`${source.join("\n")}\n${deriveConstants()}`)
    const { stdout } = await run
    expect(stdout).toContain("6 passed; 0 failed")
  },
)

/**
 * The program of a child process, because the compiler does not free its memory and blocks its
 * thread.
 */
const RUN = `
import { readFileSync } from "node:fs"
const path = process.argv[1]
const cairo = await import(path)
await cairo.default({ module_or_path: readFileSync(new URL("wasm-cairo_bg.wasm", path)) })
console.log(cairo.runTests(readFileSync(0, "utf8"), true, "", false, false, true, "", false, false))
`

function findCompiler(): string | null {
  try {
    return import.meta.resolve("wasm-cairo")
  } catch {
    // Without the package the test is skipped.
    return null
  }
}

function deriveConstants(): string {
  const secret = "8cb8a02d5592b0b1556978e1d778b7eff2c23519b8aa65970fa6ac3daa33fb40"
  const secretHash = createHash("sha256").update(Buffer.from(secret, "hex")).digest("hex")
  const variant = HTLC_VARIANTS.v3
  const message = { redeemer: REDEEMER, timelock: 2_880n, units: 50_000n, secretHash }
  const list = (felts: readonly bigint[]): string => felts.map(formatFelt).join(", ")
  const place = { chainId: CHAIN_ID, htlc: HTLC }
  const orderId = deriveOrderId(variant, { ...place, initiator: INITIATOR }, message)
  return `
    const ORDER_ID: felt252 = ${formatFelt(orderId)};
    const DOMAIN_HASH: felt252 = ${formatFelt(hashDomain(variant, CHAIN_ID))};
    const MESSAGE_HASH: felt252 = ${formatFelt(hashMessage(message, { variant, ...place }))};
    const HTLC: felt252 = ${formatFelt(HTLC)};
    const HASH: [u128; 2] = [${list(splitHash(variant, secretHash))}];
    fn secret() -> [u32; 8] { [${list(toWords(secret))}] }
  `
}
