import { expect, test } from "vitest"
import { systemClock } from "#lib/clock.ts"
import { createClusterWatch } from "./cluster-watch.ts"

test("an error of PostgreSQL comes with its next step, and an answer ends both", () => {
  const watch = createClusterWatch(systemClock)
  watch.failed(new Error("PostgreSQL did not carry out a statement: permission denied (42501)"))
  expect(watch.read()).toMatchObject({ advice: "grant the user the rights on the schema" })
  watch.heard({})
  expect(watch.read()).toMatchObject({ error: null })
  expect(watch.read()).not.toHaveProperty("advice")
})
