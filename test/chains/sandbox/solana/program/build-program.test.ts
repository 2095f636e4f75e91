import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import {
  buildProgram,
  PROGRAM_NAMES,
} from "../../../../../src/lab/sandbox/solana/program/build-program.ts"
import { linkSbpf } from "../../../../../src/lab/sandbox/solana/program/link-sbpf.ts"

const hasCompiler = spawnSync("clang-16", ["--version"]).status === 0
const read = (name: string): Buffer =>
  readFileSync(join(import.meta.dirname, "../../../../../src/lab/sandbox/solana/program", name))

describe.each(PROGRAM_NAMES)("the committed program %s", (program) => {
  it("matches its recorded hash, and so does its source", () => {
    const recorded = read(`${program}.sha256`).toString("utf8")
    const actual = [`${program}.c`, `${program}.so`].map(
      (name) => `${createHash("sha256").update(read(name)).digest("hex")}  ${name}\n`,
    )
    expect(recorded).toBe(actual.join(""))
  })

  it.skipIf(!hasCompiler)(
    "is reproduced from its source byte for byte (only if clang-16 is installed)",
    () => {
      expect(buildProgram(program).equals(read(`${program}.so`))).toBe(true)
    },
  )
})

describe("linkSbpf", () => {
  it("refuses a file that is not a relocatable object", () => {
    expect(() => linkSbpf(Buffer.from("no elf"))).toThrow("not a relocatable")
    expect(() => linkSbpf(read("htlc.so"))).toThrow("not a relocatable")
  })
})
