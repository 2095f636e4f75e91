import { chmodSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { LAUNCHER } from "./sandbox-process.ts"

/**
 * A fenced block of a page. The HTML comment above it has what a test should expect of it:
 * `background`, `exit: 1`, `prints: text`; `skip: reason` says why no test types it.
 */
export type Block = {
  readonly kind: "sh" | "yaml"
  readonly text: string
  readonly skip: string | undefined
  readonly background: boolean
  readonly exit: number
  readonly prints: string
}

export function readBlocks(page: string): readonly Block[] {
  return [...page.matchAll(/^(?:<!-- ([^>]*) -->\n)?```(sh|yaml)\n(.*?)^```/gms)].map(
    ([, comment = "", kind, text = ""]) => ({
      kind: kind === "yaml" ? "yaml" : "sh",
      text,
      skip: /^skip: (.+)$/.exec(comment)?.[1],
      background: comment === "background",
      exit: Number(/^exit: (\d+)$/.exec(comment)?.[1] ?? 0),
      prints: /^prints: (.*)$/.exec(comment)?.[1] ?? "",
    }),
  )
}

/** The commands that a test types, as they stand in the page's shell blocks without comments. */
export function readShellLines(page: string): readonly string[] {
  const typed = readBlocks(page).filter(({ kind, skip }) => kind === "sh" && skip === undefined)
  const lines = typed.flatMap(({ text }) => text.split("\n"))
  return lines.map((line) => line.replace(/(^|\s+)#.*$/, "").trim()).filter((line) => line !== "")
}

/** A `PATH` on which `ballast` is the program of this checkout. */
export function pathWithBallast(folder: string, program = LAUNCHER): string {
  const bin = join(folder, "bin")
  mkdirSync(bin, { recursive: true })
  const launcher = join(bin, "ballast")
  writeFileSync(launcher, `#!/bin/sh\nexec ${process.execPath} ${program} "$@"\n`)
  chmodSync(launcher, 0o755)
  return `${bin}:${process.env["PATH"]}`
}
