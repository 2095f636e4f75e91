import { expect, test } from "vitest"
import { readBlocks, readShellLines } from "../support/typed-page.ts"
import { readText } from "./sources.ts"

/** The tests that type the commands of a page. That of GO-LIVE.md runs whole blocks. */
const TYPED_BY: Readonly<Record<string, readonly string[]>> = {
  "README.md": ["test/e2e/release/checkout.test.ts"],
  "docs/TUTORIAL.md": ["test/e2e/tutorial.test.ts"],
  "docs/INSTALL.md": ["test/e2e/release/artefacts.test.ts", "test/e2e/release/checkout.test.ts"],
}

test("a test types each command of the first pages, or the page says why none can", () => {
  const untyped = Object.entries(TYPED_BY).flatMap(([page, tests]) => {
    const typed = tests.map(readText).join("\n")
    const lines = readShellLines(readText(page))
    expect(lines.length, page).toBeGreaterThan(0)
    return lines
      .filter((line) => !typed.includes(JSON.stringify(line)))
      .map((line) => `${page}: ${line}`)
  })
  expect(untyped).toEqual([])
})

test("a block that no test types has a reason of some words", () => {
  const reasons = [...Object.keys(TYPED_BY), "docs/GO-LIVE.md"]
    .flatMap((page) => readBlocks(readText(page)))
    .flatMap(({ skip }) => (skip === undefined ? [] : [skip]))
  expect(reasons.length).toBeGreaterThan(3)
  expect(reasons.filter((reason) => reason.split(" ").length < 4)).toEqual([])
})
