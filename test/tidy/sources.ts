import { globSync, readFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { sourceOf } from "../support/source-of.ts"

export const ROOT = join(import.meta.dirname, "..", "..")

/**
 * All TypeScript files below these folders, as paths from the repository's root with forward
 * slashes.
 */
export function listFiles(...folders: readonly string[]): string[] {
  return folders
    .flatMap((folder) => globSync(`${folder}/**/*.{ts,tsx}`, { cwd: ROOT }))
    .filter((file) => !file.includes("node_modules/"))
    .sort()
}

export function isTest(file: string): boolean {
  return file.endsWith(".test.ts")
}

export function readText(file: string): string {
  return readFileSync(join(ROOT, file), "utf8")
}

/** The text without comments. Strings stay, because imports are strings. */
export function withoutComments(text: string): string {
  return text
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/^\s*\/\/.*$/gm, "")
    .replace(/\s\/\/ .*$/gm, "")
}

/** The files of this repository that `file` imports, static and dynamic, types included. */
export function importedFiles(file: string, text: string = readText(file)): string[] {
  const specifiers = [
    ...withoutComments(text).matchAll(/(?:from|import)\s*\(?\s*"([^"]+\.tsx?)"/g),
  ].map((match) => match[1] ?? "")
  return specifiers.map((specifier) =>
    specifier.startsWith("#")
      ? sourceOf(specifier)
      : relative(ROOT, join(ROOT, dirname(file), specifier)).replaceAll("\\", "/"),
  )
}

/** The files that can be reached from `entries` through imports, the entries included. */
export function reachableFrom(
  entries: readonly string[],
  imports: ReadonlyMap<string, readonly string[]>,
): Set<string> {
  const reached = new Set<string>()
  const open = [...entries]
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (reached.has(file)) continue
    reached.add(file)
    open.push(...(imports.get(file) ?? []))
  }
  return reached
}
