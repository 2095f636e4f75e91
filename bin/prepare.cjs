"use strict"
// Runs after `npm ci`, and before a package is packed: it builds `dist/`, which starts in half the time. Without the development packages, or
// without a fitting Node, a checkout has no `dist/` and runs its sources.
const { spawnSync } = require("node:child_process")
const { join } = require("node:path")
const { isBuilt } = require("./main-file.cjs")
const { pickNode } = require("./pick-node.cjs")

const node = pickNode()
if (node && hasTools() && !isBuilt()) {
  const { status } = spawnSync(node.path, [join(__dirname, "..", "scripts", "build.ts")], {
    stdio: "inherit",
  })
  process.exit(status === null ? 1 : status)
}

function hasTools() {
  try {
    return ["esbuild", "typescript/package.json"].every((name) => require.resolve(name))
  } catch {
    return false
  }
}
