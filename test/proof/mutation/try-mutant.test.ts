import { mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import { createCollector } from "./collect-tests.ts"
import { createCoverage } from "./cover-tests.ts"
import { generateMutants, idOf } from "./generate-mutants.ts"
import { createTrial } from "./try-mutant.ts"

/** A mutant of `read` leaves 3 behind, so that the test then fails without the mutant too. */
const CODE = [
  "let kept = 2",
  "export function read(): number {",
  "  kept = kept + 0",
  "  return kept",
  "}",
].join("\n")
const TEST = [
  'import { expect, test } from "vitest"',
  'import { read } from "./kept.ts"',
  'test("reads two", () => expect(read()).toBe(2))',
].join("\n")

test("a mutant that leaves its harm behind in the module is noticed, and ends", async () => {
  const root = mkdtempSync(join(tmpdir(), "ballast-trial-"))
  writeFileSync(join(root, "package.json"), "{}")
  writeFileSync(join(root, "kept.ts"), CODE)
  writeFileSync(join(root, "kept.test.ts"), TEST)
  const collector = createCollector({ expect })
  const read = (file: string): string => readFileSync(join(root, file), "utf8")
  const mutants = generateMutants("kept.ts", CODE).map((one) => ({ ...one, id: idOf(one) }))
  const shared = {
    root,
    cache: join(root, "cache"),
    read,
    collector,
    alive: () => {},
  }
  const isProbed = (file: string): boolean => file === "kept.ts"
  const covered = [await createCoverage({ ...shared, isProbed }).cover("kept.test.ts")]
  const trial = await createTrial({ ...shared, mutants, covered })

  const off = mutants.find(({ name }) => name.endsWith("[0 -> 1]"))
  expect(await trial.tryOut(off?.id ?? "")).toBe("kept.test.ts > reads two")
})
