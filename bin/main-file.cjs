"use strict"
// The program's first file: the compiled program in `dist/`, or the sources of a checkout. An installed package has no sources.
const { existsSync, readFileSync, statSync } = require("node:fs")
const { join } = require("node:path")

const ROOT = join(__dirname, "..")

/**
 * The file for a command with these arguments. Sources run where `dist/` is missing or older than they are, where `BALLAST_RUN_SOURCES` is set,
 * and for help, which takes less time than the comparison.
 */
function mainFile(args = ["run"]) {
  const sources = join(ROOT, "src", "app", "cli", "main.ts")
  const isHelp =
    args.length === 0 || args.some((arg) => ["help", "--help", "-h", "--version"].includes(arg))
  const runsSources = isHelp || process.env.BALLAST_RUN_SOURCES !== undefined || !isBuilt()
  return runsSources && existsSync(sources) ? sources : join(ROOT, "dist", "app", "cli", "main.js")
}

let known = null

/** Whether `dist/` was made from the files that are here now: `npm run build` notes size and time of each. Compared once in a process. */
function isBuilt() {
  known = known === null ? compareFiles() : known
  return known
}

function compareFiles() {
  try {
    const files = JSON.parse(readFileSync(join(ROOT, "dist", "built-from.json"), "utf8"))
    return Object.entries(files).every(([path, mark]) => markOf(path) === mark)
  } catch {
    // There is no `dist/`, or a source is gone.
    return false
  }
}

function markOf(path) {
  const { size, mtimeMs } = statSync(join(ROOT, path))
  return `${size} ${mtimeMs}`
}

module.exports = { mainFile, isBuilt, markOf }
