import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { refreshDeskChecklist } from "../../scripts/desk-docs.ts"
import { DESK_CHECKLIST } from "../support/desk-checklist.ts"

const ROOT = join(import.meta.dirname, "../..")
const docs = readFileSync(join(ROOT, "docs/DESK.md"), "utf8")

test("docs/DESK.md has the checklist; scripts/generate.ts writes it", () => {
  expect(docs).toBe(refreshDeskChecklist(docs))
})

test("each line of the checklist names a test that exists and runs", () => {
  const missing = Object.values(DESK_CHECKLIST)
    .flat()
    .filter(({ file, test: title }) => {
      const text = readFileSync(join(ROOT, file), "utf8")
      const lines = text.split("\n").filter((line) => line.includes(title))
      return title === "" || lines.every((line) => /\.(skip|todo)\b/.test(line))
    })
  expect(missing).toEqual([])
})
