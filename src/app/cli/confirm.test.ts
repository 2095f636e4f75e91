import { expect, test } from "vitest"
import { confirmChange } from "./confirm.ts"

async function confirm(
  typed: string,
  change: { interactive?: boolean; json?: boolean; yes?: boolean } = {},
) {
  const asked: string[] = []
  const ask = async (question: string): Promise<string> => {
    asked.push(question)
    return typed
  }
  const { interactive = true, json = false, yes = false } = change
  const error = await confirmChange({ interactive, json, ask }, "Reject order 5f3a?", yes).then(
    () => null,
    (caught: unknown) => caught,
  )
  return { asked, error }
}

test("a person on a terminal types y", async () => {
  expect(await confirm("y")).toEqual({ asked: ["Reject order 5f3a? [y/N] "], error: null })
  expect((await confirm(" Yes ")).error).toBeNull()
})

test.each(["", "n", "yy", "approve"])("any other answer changes nothing: %s", async (typed) => {
  expect((await confirm(typed)).error).toMatchObject({
    code: "cli.not_confirmed",
    disposition: "refused",
  })
})

test.each([{ interactive: false }, { json: true }, { yes: true }])(
  "nobody is asked with %j",
  async (change) => {
    expect(await confirm("", change)).toEqual({ asked: [], error: null })
  },
)
