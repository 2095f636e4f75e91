"use strict"
// Chooses the Node that runs Ballast among the running Node, the one that the project installs, and those on PATH. Patched releases come
// first, then the newest. The code avoids new syntax, so that an old Node can run it.
const { execFileSync } = require("node:child_process")
const { existsSync, realpathSync } = require("node:fs")
const { delimiter, join } = require("node:path")

const FLOOR = [24, 15, 0]
/** The first releases with a fixed Brotli decoder. */
const PATCHED = { 24: [24, 22, 1], 26: [26, 12, 1] }

function pickNode() {
  const seen = new Set()
  const fit = []
  for (const path of candidates()) {
    if (!path || !existsSync(path)) continue
    const real = realpathSync(path)
    if (seen.has(real)) continue
    seen.add(real)
    const version = versionOf(real)
    if (version && compare(version, FLOOR) >= 0) fit.push({ path: real, version, patched: isPatched(version) })
  }
  fit.sort((a, b) => Number(b.patched) - Number(a.patched) || compare(b.version, a.version))
  return fit[0]
}

function candidates() {
  const carried = [`node-linux-${process.arch}`].map((name) =>
    join(__dirname, "..", "node_modules", name, "bin", "node"),
  )
  const onPath = (process.env.PATH || "").split(delimiter).map((folder) => join(folder, "node"))
  return [process.execPath, ...carried, join(__dirname, "..", "node_modules", ".bin", "node"), ...onPath]
}

function versionOf(path) {
  if (path === realpathSync(process.execPath)) return parse(process.versions.node)
  try {
    return parse(
      execFileSync(path, ["-p", "process.versions.node"], {
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"],
        timeout: 10000,
      }),
    )
  } catch {
    // This Node does not start here (another architecture, a missing library), so it is not a candidate.
    return undefined
  }
}

function parse(text) {
  return text.trim().split(".").map(Number)
}

function compare(a, b) {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2]
}

function isPatched(version) {
  const fixed = PATCHED[version[0]]
  return version[0] > 26 || (fixed !== undefined && compare(version, fixed) >= 0)
}

module.exports = { pickNode, FLOOR }
