import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { buildProgram } from "./build-program.ts"
import { linkSbpf } from "./link-sbpf.ts"

const hasCompiler = spawnSync("clang-16", ["--version"]).status === 0
const read = (name: string): Buffer => readFileSync(join(import.meta.dirname, name))

describe("the committed HTLC program", () => {
  it("matches its recorded hash, and so does its source", () => {
    const recorded = read("htlc.sha256").toString("utf8")
    const actual = ["htlc.c", "htlc.so"].map(
      (name) => `${createHash("sha256").update(read(name)).digest("hex")}  ${name}\n`,
    )
    expect(recorded).toBe(actual.join(""))
  })

  it.skipIf(!hasCompiler)("is reproduced from its source byte for byte (only if clang-16 is installed)", () => {
    expect(buildProgram().equals(read("htlc.so"))).toBe(true)
  })
})

describe("linkSbpf", () => {
  it("refuses a file that is not a relocatable object", () => {
    expect(() => linkSbpf(Buffer.from("no elf"))).toThrow("not a relocatable")
    expect(() => linkSbpf(read("htlc.so"))).toThrow("not a relocatable")
  })
})
