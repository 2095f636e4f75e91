import { describe, expect, test } from "vitest"
import { printable } from "#lib/printable.ts"
import { Secret } from "#lib/secret.ts"
import { parseConfig } from "./load.ts"

describe("journal", () => {
  const urls = new Map([
    ["env:GOOD", "postgres://db.example/ballast"],
    ["env:PAIR", "postgres://a.example,b.example/ballast"],
  ])
  const secrets = (reference: string): Secret =>
    new Secret(urls.get(reference) ?? "https://db.example", reference)
  const parse = (journal: string | null): Secret | null => {
    const text = JSON.stringify({
      service: { url: "https://swap.example" },
      ...(journal === null ? {} : { journal }),
    })
    return parseConfig(text, { file: "x.yaml", secrets }).journal
  }

  test("is one file without a value, and PostgreSQL by URL or by reference", () => {
    expect(parse(null)).toBeNull()
    expect(parse("postgres://db.example/ballast")?.reveal()).toBe("postgres://db.example/ballast")
    expect(parse("env:GOOD")?.reveal()).toBe("postgres://db.example/ballast")
  })

  test.each(["sqlite:journal.db", "https://db.example", "env:BAD"])("%s is refused", (journal) => {
    expect(() => parse(journal)).toThrow(expect.objectContaining({ code: "config.invalid" }))
  })

  test.each([
    "postgres://a.example,b.example/ballast",
    "postgres://ballast:secret@a.example:5432,b.example:5433/ballast",
    "env:PAIR",
  ])("a list of hosts is refused: %s", (journal) => {
    expect(() => parse(journal)).toThrow(
      expect.objectContaining({
        code: "config.invalid",
        message: expect.stringMatching(/one host.*primary/),
      }),
    )
  })

  test.each([
    "postgres://ballast:a,b@db.example:5432/ballast?sslmode=verify-full",
    "postgres:///ballast?host=/run/pg",
  ])("%s is accepted", (journal) => expect(parse(journal)?.reveal()).toBe(journal))

  test("its password appears in no output", () => {
    parse("postgres://ballast:planted-password@db.example/ballast")
    expect(printable("postgres://ballast:planted-password@db.example/ballast")).not.toContain(
      "planted",
    )
  })
})
