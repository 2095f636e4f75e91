import { chmodSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { LAUNCHER } from "./sandbox-process.ts"

/** The commands of a page's shell blocks as they stand there, without their comments. */
export function readShellLines(page: string): readonly string[] {
  const blocks = [...page.matchAll(/^```sh\n(.*?)^```$/gms)]
  const lines = blocks.flatMap(([, block = ""]) => block.split("\n"))
  return lines.map((line) => line.replace(/(^|\s+)#.*$/, "").trim()).filter((line) => line !== "")
}

/** A `PATH` on which `ballast` is the program of this checkout. */
export function pathWithBallast(folder: string): string {
  const bin = join(folder, "bin")
  mkdirSync(bin, { recursive: true })
  const launcher = join(bin, "ballast")
  writeFileSync(launcher, `#!/bin/sh\nexec ${process.execPath} ${LAUNCHER} "$@"\n`)
  chmodSync(launcher, 0o755)
  return `${bin}:${process.env["PATH"]}`
}
