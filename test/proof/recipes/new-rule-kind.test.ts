import { execFile } from "node:child_process"
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { IS_SAMPLED } from "../../support/ci-sample.ts"

/**
 * Follows the recipe "A new rule kind" in a copy of the sources. The test takes the file that
 * the recipe names, every edit and the configuration from its code blocks, so the recipe cannot
 * drift from the code.
 */
const ROOT = join(import.meta.dirname, "../../..")
const RECIPE = findRecipe("A new rule kind")
const SCRIPT = "try-rule-kind.ts"
const TIMEOUT_MS = 180_000
const run = promisify(execFile)
let copy = ""

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), "new-rule-kind-"))
  for (const name of ["src", "package.json", "tsconfig.json"]) {
    cpSync(join(ROOT, name), join(copy, name), {
      recursive: true,
      filter: (path) => !path.endsWith(".test.ts"),
    })
  }
  symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"))
})

afterAll(() => rmSync(copy, { recursive: true, force: true }))

// CI tries the recipe of a family alone.
describe.skipIf(IS_SAMPLED)("the recipe for a new rule kind", () => {
  test("adds one folder, changes only the registry, and type-checks", {
    timeout: TIMEOUT_MS,
  }, async () => {
    const [named = ""] = /src\/core\/policy\/rules\/\w+\/\w+\.ts/.exec(RECIPE) ?? []
    mkdirSync(dirname(join(copy, named)), { recursive: true })
    cpSync(join(import.meta.dirname, "floor.ts"), join(copy, named))
    const edited = blocks("diff").map(applyEdit)
    expect(dirname(named)).toBe("src/core/policy/rules/floor")
    expect(edited).toEqual(["src/core/policy/rules/registry.ts"])
    cpSync(join(import.meta.dirname, SCRIPT), join(copy, "test", SCRIPT))
    await expect(inCopy("tsc", "-p", ".")).resolves.toBe("")
  })

  test("gives rules that load, propose a swap, explain themselves and run in a backtest", {
    timeout: TIMEOUT_MS,
  }, async () => {
    const [rules = ""] = blocks("yaml")
    writeFileSync(join(copy, "config.yaml"), `${CHAINS_AND_ASSETS}${rules}`)
    const found: unknown = JSON.parse(await inCopy("node", `test/${SCRIPT}`))
    expect(found).toMatchObject({
      problem: expect.stringContaining(
        "config.yaml:10:65: rules[0].from: expected another asset than the rule's own",
      ),
      kinds: ["floor"],
      proposals: [
        {
          rules: ["reserve"],
          from: "bitcoin_testnet:btc",
          to: "base_sepolia:wbtc",
          receiveUnits: "20000000",
        },
      ],
      satisfied: ["policy.floor_kept"],
      hints: ["base_sepolia:wbtc goes below 0.5"],
      measured: [{ rule: "reserve", kind: "floor" }],
      schema: expect.stringContaining("Keeps at least a minimum balance. Required."),
    })
  })
})

/** The section of docs/ with this title, up to the next heading. */
function findRecipe(title: string): string {
  const texts = globSync("docs/*.md", { cwd: ROOT }).map((file) =>
    readFileSync(join(ROOT, file), "utf8"),
  )
  const [section = ""] = texts.flatMap((text) =>
    text.split(/^#+ /m).filter((part) => part.startsWith(`${title}\n`)),
  )
  expect(section, `the recipe "${title}"`).not.toBe("")
  return section
}

/** The code blocks of one language, without the indentation of their list item. */
function blocks(language: string): string[] {
  const found = [
    ...RECIPE.matchAll(new RegExp(`^( *)\`\`\`${language}\\n([\\s\\S]*?)^\\1\`\`\`$`, "gm")),
  ]
  return found.map(([, indent = "", text = ""]) =>
    text.replaceAll(new RegExp(`^${indent}`, "gm"), ""),
  )
}

/**
 * The first line names the file. Each run of `-` lines is replaced by the run of `+` lines after
 * it.
 */
function applyEdit(block: string): string {
  const [file = "", ...lines] = block.trimEnd().split("\n")
  const path = join(copy, file)
  let text = readFileSync(path, "utf8")
  for (const [edit] of `${lines.join("\n")}\n`.matchAll(/(^-.*\n)+(^\+.*\n)+/gm)) {
    const side = (sign: string): string =>
      edit
        .split("\n")
        .filter((line) => line.startsWith(sign))
        .map((line) => line.slice(1))
        .join("\n")
    expect(text).toContain(side("-"))
    text = text.replace(side("-"), side("+"))
  }
  writeFileSync(path, text)
  return file
}

/** Returns the standard output of a tool; a failure shows both outputs. */
async function inCopy(tool: string, ...args: readonly string[]): Promise<string> {
  try {
    return (await run(join(ROOT, "node_modules", ".bin", tool), args, { cwd: copy })).stdout
  } catch (error) {
    const output =
      error instanceof Error && "stdout" in error && "stderr" in error
        ? `${error.stdout}${error.stderr}`
        : ""
    throw new Error(`${tool} failed: ${output}`, { cause: error })
  }
}

const CHAINS_AND_ASSETS = `service: { url: "http://127.0.0.1:4400" }
chains:
  bitcoin_testnet: { family: bitcoin, network: regtest, esplora: ["http://127.0.0.1:4401"],
      key: "env:BITCOIN_WIF" }
  base_sepolia: { family: evm, chain_id: 84532, rpc: ["http://127.0.0.1:4402"], key: "env:EVM_KEY" }
assets:
  bitcoin_testnet:btc: { decimals: 8 }
  base_sepolia:wbtc: { decimals: 8, token: "0x1111111111111111111111111111111111111111" }
`
