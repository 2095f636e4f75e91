import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { ALL_MISTAKES } from "./all-mistakes.ts"

const all = ALL_MISTAKES.flatMap(({ mistakes }) => mistakes)

test("each mistake fits its file exactly once, so that none is tried in vain", () => {
  const stale = all.filter(
    ({ file, find, replace }) => readFileSync(file, "utf8").split(find).length !== 2 || find === replace,
  )
  expect(stale.map(({ file, name }) => `${file}: ${name}`)).toEqual([])
})

test("each mistake has a name of its own", () => {
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length)
})
