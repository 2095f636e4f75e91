"use strict"
// Chooses the Node that runs Ballast among the running Node, the one that the project installs, and those on PATH. Patched releases come
// first, then the newest. The code avoids new syntax, so that an old Node can run it.
//
// No candidate is started to ask for its version: a program that merely lies on PATH may be anything. Its version comes from the header file that
// Node's distributions carry, and only a file that other users cannot replace counts.
const { existsSync, readFileSync, realpathSync, statSync } = require("node:fs")
const { delimiter, dirname, isAbsolute, join } = require("node:path")

const FLOOR = [24, 15, 0]
/** The first releases with a fixed Brotli decoder. */
const PATCHED = { 24: [24, 22, 1], 26: [26, 12, 1] }

function pickNode() {
  const seen = new Set()
  const fit = []
  for (const { path, version } of candidates()) {
    if (version === null || seen.has(path)) continue
    seen.add(path)
    if (compare(version, FLOOR) >= 0) fit.push({ path, version, patched: isPatched(version) })
  }
  fit.sort((a, b) => Number(b.patched) - Number(a.patched) || compare(b.version, a.version))
  return fit[0]
}

function candidates() {
  const running = { path: realpathSync(process.execPath), version: parse(process.versions.node) }
  const onPath = (process.env.PATH || "").split(delimiter).map(findOnPath)
  return [running, findCarried(), ...onPath].filter((candidate) => candidate !== null)
}

/** The Node that npm installed with the project. npm may have put it beside the package, or above it. */
function findCarried() {
  try {
    const description = require.resolve(`node-linux-${process.arch}/package.json`)
    const path = realpathSync(join(dirname(description), "bin", "node"))
    return { path, version: parse(JSON.parse(readFileSync(description, "utf8")).version) }
  } catch {
    // Another system, or an installation without optional packages.
    return null
  }
}

/** A relative folder of PATH depends on the working directory, so whoever fills that directory would choose the program. */
function findOnPath(folder) {
  if (!isAbsolute(folder) || !existsSync(join(folder, "node"))) return null
  try {
    const path = realpathSync(join(folder, "node"))
    return isTrusted(path) && isTrusted(dirname(path)) ? { path, version: readVersion(path) } : null
  } catch {
    // The file went away, or may not be read.
    return null
  }
}

/** Only root and this user can change it. */
function isTrusted(path) {
  const { uid, mode } = statSync(path)
  const us = process.getuid ? process.getuid() : 0
  return (uid === 0 || uid === us) && (mode & 0o022) === 0
}

/** `null` if no header beside this Node names its version. The header must be as trusted as the program. */
function readVersion(path) {
  const header = join(dirname(path), "..", "include", "node", "node_version.h")
  if (!existsSync(header) || !isTrusted(realpathSync(header))) return null
  const text = readFileSync(header, "utf8")
  const parts = ["MAJOR", "MINOR", "PATCH"].map((part) =>
    new RegExp(`#define NODE_${part}_VERSION (\\d+)`).exec(text),
  )
  return parts.every((part) => part !== null) ? parts.map((part) => Number(part[1])) : null
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
