import { existsSync, globSync } from "node:fs"
import { generateMutants } from "./generate-mutants.ts"
import type { MistakesOfRoom } from "./mistake.ts"

type GenericRoom = { readonly room: string; readonly files: readonly string[]; readonly tests: readonly string[][] }

/** The rooms whose files get generic mutants, and their tests in stages, fastest first. */
const MUTATED: readonly GenericRoom[] = [
  {
    room: "guards",
    files: ["src/guards"],
    tests: [["src/guards"], ["test/engine/limits.test.ts", "test/engine/offer.test.ts"]],
  },
  {
    room: "order",
    files: ["src/order"],
    tests: [
      ["test/order", "src/order/states.test.ts"],
      ["test/engine/failed-orders.test.ts"],
      ["test/engine/endings.test.ts", "test/engine/at-most-one-deposit.test.ts", "test/engine/approval.test.ts"],
    ],
  },
  {
    room: "journal",
    files: ["src/journal"],
    tests: [["test/journal"], ["src/journal"]],
  },
  {
    room: "books",
    files: ["src/books"],
    tests: [
      ["src/books", "test/books"],
      ["test/property/books.test.ts", "test/engine/books.test.ts", "test/engine/reconciler.test.ts"],
    ],
  },
]

/** A test beside the changed file runs first. */
export function listGenericMutants(): readonly MistakesOfRoom[] {
  return MUTATED.map(({ room, files, tests }) => ({
    room,
    isGeneric: true,
    tests: tests.at(-1) ?? [],
    mistakes: codeOf(files).flatMap((file) => {
      const beside = [file.replace(/\.ts$/, ".test.ts")].filter((path) => existsSync(path))
      const stages = [beside, ...tests.slice(0, -1)].filter((stage) => stage.length > 0)
      return generateMutants(file).map((mutant) => ({ ...mutant, stages }))
    }),
  }))
}

function codeOf(folders: readonly string[]): readonly string[] {
  return folders
    .flatMap((folder) => globSync(`${folder}/**/*.ts`))
    .filter((file) => !file.endsWith(".test.ts") && !file.includes("/migrations/") && !SHOWS_ONLY.test(file))
    .sort()
}

/** Files that only write tables and documents for people. No decision about money reads their results. */
const SHOWS_ONLY = /\/(describe-machine|view|format-\w+|swap-row)\.ts$/
