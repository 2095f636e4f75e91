import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { linkSbpf } from "./link-sbpf.ts"

/**
 * Compiles one program with Debian's clang-16 and links it.
 *
 * The results are committed, so only a change of a program needs this step:
 * `node src/lab/sandbox/solana/program/build-program.ts` writes each `.so` and its `.sha256`, which
 * the tests check.
 */
export function buildProgram(name: ProgramName): Buffer {
  const folder = mkdtempSync(join(tmpdir(), "htlc-"))
  const object = join(folder, `${name}.o`)
  const source = join(import.meta.dirname, `${name}.c`)
  try {
    execFileSync("clang-16", [...FLAGS, "-c", source, "-o", object], {
      stdio: ["ignore", "inherit", "inherit"],
    })
    return linkSbpf(readFileSync(object))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** No builtins and no jump tables: the VM has neither a C library nor indirect jumps. */
const FLAGS = [
  "--target=bpfel",
  "-mcpu=v1",
  "-O2",
  "-fno-builtin",
  "-ffreestanding",
  "-fno-jump-tables",
  "-Wall",
  "-Werror",
]

/** The HTLC program for native SOL, the one for SPL tokens, and both programs of CCTP. */
export const PROGRAM_NAMES = ["htlc", "spl-htlc", "cctp"] as const
type ProgramName = (typeof PROGRAM_NAMES)[number]

if (import.meta.main) PROGRAM_NAMES.forEach(writeProgram)

function writeProgram(name: ProgramName): void {
  const at = (suffix: string): string => join(import.meta.dirname, `${name}.${suffix}`)
  const program = buildProgram(name)
  writeFileSync(at("so"), program)
  writeFileSync(
    at("sha256"),
    `${sha256(readFileSync(at("c")))}  ${name}.c\n${sha256(program)}  ${name}.so\n`,
  )
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex")
}
