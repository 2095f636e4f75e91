import { expect, test } from "vitest"
import { columnsOf, rowsOf } from "./terminal-size.ts"

test("a terminal without a size counts as one of 80 columns and 24 lines", () => {
  expect(columnsOf({ isTTY: true, columns: 0 })).toBe(80)
  expect(columnsOf({ isTTY: true })).toBe(80)
  expect(columnsOf({ isTTY: true, columns: 132 })).toBe(132)
  expect(columnsOf({ isTTY: false, columns: 132 })).toBeNull()
  expect([rowsOf({ rows: 0 }), rowsOf({}), rowsOf({ rows: 50 })]).toEqual([24, 24, 50])
})
