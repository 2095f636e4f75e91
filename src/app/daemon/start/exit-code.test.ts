import { expect, test } from "vitest"
import { AppError } from "#lib/app-error.ts"
import { exitCodeOf } from "./exit-code.ts"

const of = (disposition: AppError["disposition"]): AppError =>
  new AppError({ code: "test.any", disposition, message: "any" })

test("a command that may have acted ends with 76, and a supervisor restarts a service all the same", () => {
  expect(exitCodeOf(of("uncertain"))).toBe(76)
  expect(exitCodeOf(of("uncertain"), true)).toBe(75)
  expect(exitCodeOf(of("transient"))).toBe(75)
})
