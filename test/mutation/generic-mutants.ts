import { existsSync, globSync } from "node:fs"
import { generateMutants } from "./generate-mutants.ts"
import type { Mistake, MistakesOfRoom } from "./mistake.ts"
import { nearestStages } from "./nearest-tests.ts"

/** `tests` in stages, fastest first; without them, each mutant meets the measured tests of its function. */
type GenericRoom = { readonly room: string; readonly files: readonly string[]; readonly tests?: readonly string[][] }

/** The rooms whose files get generic mutants. */
const MUTATED: readonly GenericRoom[] = [
  {
    room: "guards",
    files: ["src/guards/**"],
    tests: [["src/guards"], ["test/unit/engine/limits.test.ts", "test/unit/engine/offer.test.ts"]],
  },
  {
    room: "order",
    files: ["src/order/**"],
    tests: [
      ["test/unit/order", "src/order/states.test.ts"],
      ["test/proof/engine/failed-orders.test.ts"],
      [
        "test/proof/engine/endings.test.ts",
        "test/unit/engine/at-most-one-deposit.test.ts",
        "test/unit/engine/approval.test.ts",
      ],
    ],
  },
  {
    room: "journal",
    files: ["src/journal/**"],
    tests: [["test/unit/journal"], ["src/journal"]],
  },
  {
    room: "books",
    files: ["src/books/**"],
    tests: [
      ["src/books", "test/unit/books"],
      ["test/proof/property/books.test.ts", "test/unit/engine/books.test.ts", "test/unit/engine/reconciler.test.ts"],
    ],
  },
  { room: "engine", files: ["src/engine/**"] },
  { room: "chains", files: ["src/chains"] },
  ...["bitcoin", "evm", "solana", "starknet"].map((name) => ({
    room: `chains/${name}`,
    files: [`src/chains/${name}/**`],
  })),
]

export function listGenericMutants(): readonly MistakesOfRoom[] {
  return MUTATED.map(({ room, files, tests }) => ({
    room,
    isGeneric: true,
    tests: tests?.at(-1) ?? [],
    mistakes: codeOf(files).flatMap((file) =>
      generateMutants(file).map((mutant) => ({ ...mutant, stages: stagesOf(mutant, tests) })),
    ),
  }))
}

/** A test beside the changed file runs first. */
function stagesOf({ file, within = "" }: Mistake, tests: GenericRoom["tests"]): readonly (readonly string[])[] {
  if (tests === undefined) return nearestStages(file, within)
  const beside = [file.replace(/\.ts$/, ".test.ts")].filter((path) => existsSync(path))
  return [beside, ...tests.slice(0, -1)].filter((stage) => stage.length > 0)
}

/** Of a folder, or of a folder and all folders in it. */
function codeOf(patterns: readonly string[]): readonly string[] {
  return patterns
    .flatMap((pattern) => globSync(`${pattern}/*.ts`))
    .filter((file) => !file.endsWith(".test.ts") && !file.includes("/migrations/") && !SHOWS_ONLY.test(file))
    .sort()
}

/** Files that only write tables and documents for people. No decision about money reads their results. */
const SHOWS_ONLY = /\/(describe-\w+|doctor|view|format-\w+|swap-row)\.ts$/
