import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { linkSbpf } from "./link-sbpf.ts"

/**
 * Compiles `htlc.c` with Debian's clang-16 and links it.
 *
 * The result is committed, so only a change of the program needs this step: `node src/sandbox/solana/program/build-program.ts` writes
 * `htlc.so` and `htlc.sha256`, which the tests check.
 */
export function buildProgram(): Buffer {
  const folder = mkdtempSync(join(tmpdir(), "htlc-"))
  const object = join(folder, "htlc.o")
  const source = join(import.meta.dirname, "htlc.c")
  try {
    execFileSync("clang-16", [...FLAGS, "-c", source, "-o", object], { stdio: ["ignore", "inherit", "inherit"] })
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

if (import.meta.main) {
  const program = buildProgram()
  writeFileSync(join(import.meta.dirname, "htlc.so"), program)
  const source = readFileSync(join(import.meta.dirname, "htlc.c"))
  writeFileSync(join(import.meta.dirname, "htlc.sha256"), `${sha256(source)}  htlc.c\n${sha256(program)}  htlc.so\n`)
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex")
}
