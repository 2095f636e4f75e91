import { expect, test } from "vitest"
import { readDotEnv } from "./read-dot-env.ts"

test("a # without a space before it belongs to the value", () => {
  const text = "PASSWORD=tr0ub4dor#3x&horse battery\nexport KEY = a#b#c  # mine\n"
  expect(readDotEnv(text).values).toEqual({ PASSWORD: "tr0ub4dor#3x&horse battery", KEY: "a#b#c" })
})

test("a # after a space begins a comment, and the variable counts as cut", () => {
  expect(readDotEnv("PASSWORD=horse #battery\nPLAIN=one\n")).toEqual({
    values: { PASSWORD: "horse", PLAIN: "one" },
    cut: ["PASSWORD"],
  })
})

test("quoted values, values of several lines, comments and empty values stay as dotenv reads them", () => {
  const text = [`A="x#y # z"`, "B='one", "A=x#y", "two'", "# C=d#e", "D=#nothing", "E="].join("\n")
  expect(readDotEnv(text)).toEqual({
    values: { A: "x#y # z", B: "one\nA=x#y\ntwo", D: "", E: "" },
    cut: [],
  })
})
