import { globSync } from "node:fs"
import { generateMutants, type Mutant } from "./generate-mutants.ts"

/** A room whose files get generated mutants, and the least share that its tests must notice. */
export type MutatedRoom = {
  readonly room: string
  readonly files: readonly string[]
  /** The figure of docs/RELIABILITY.md is of these rooms. */
  readonly isCounted: boolean
}

/**
 * The tests that count: all that start no process and no chain. The others fail in the worker, and
 * do not count.
 */
export const QUICK_TESTS: readonly string[] = [
  "src/**/*.test.ts",
  "test/unit/**/*.test.ts",
  "test/proof/engine/**/*.test.ts",
  "test/proof/property/**/*.test.ts",
]

export const LEAST_PERCENT = 90

/** What a family decodes before it signs: deposits, typed data, transactions and calls. */
const DECODERS: Readonly<Record<string, readonly string[]>> = {
  bitcoin: ["decode", "deposit-request", "htlc", "address", "extras"],
  evm: ["decode", "decode-revert", "deposit-request", "htlc", "typed-data", "extras"],
  solana: [
    "decode",
    "deposit-request",
    "htlc",
    "spl-htlc",
    "legs/read-transaction",
    "legs/read-swap-calls",
    "program",
    "tokens",
    "extras",
  ],
  starknet: ["decode", "deposit-request", "htlc", "felt", "typed-data", "extras"],
}

export const MUTATED: readonly MutatedRoom[] = [
  ...["guards", "order", "policy", "books"].map((room) => ({
    room,
    files: [`src/core/${room}/**/*.ts`],
    isCounted: true,
  })),
  {
    room: "engine",
    files: ["*.ts", "orders/**/*.ts", "rules/**/*.ts", "watches/**/*.ts", "restore/**/*.ts"].map(
      (pattern) => `src/engine/${pattern}`,
    ),
    isCounted: true,
  },
  {
    room: "decoders",
    files: Object.entries(DECODERS).flatMap(([family, names]) =>
      names.map((name) => `src/edges/chains/${family}/${name}.ts`),
    ),
    isCounted: true,
  },
  { room: "journal", files: ["src/edges/journal/**/*.ts"], isCounted: false },
  { room: "chains", files: ["src/edges/chains/**/*.ts"], isCounted: false },
]

/** Files that only write tables and documents for people. No decision about money reads them. */
const SHOWS_ONLY = /\/(describe-\w+|doctor|view|format-\w+|swap-row)\.ts$/

export function filesOf({ files }: MutatedRoom): readonly string[] {
  const found = files.flatMap((pattern) => globSync(pattern))
  return [...new Set(found)]
    .filter((file) => !file.endsWith(".test.ts") && !file.includes("/migrations/"))
    .filter((file) => !SHOWS_ONLY.test(file))
    .sort()
}

/** The pure rooms and the families, each by its folder. */
export const SUBJECTS: readonly string[] = [
  ...["guards", "order", "policy", "books"].map((room) => `src/core/${room}`),
  "src/engine",
  ...Object.keys(DECODERS).map((family) => `src/edges/chains/${family}`),
]

export function listQuickTests(): readonly string[] {
  const found = QUICK_TESTS.flatMap((pattern) => globSync(pattern))
  return found.sort()
}

export function listMutants(room: MutatedRoom): readonly Mutant[] {
  return filesOf(room).flatMap((file) => generateMutants(file))
}
