"use strict"
// The program's first file: the sources of a checkout, or the JavaScript of an installed package, because Node strips no types below
// node_modules. An installed package has no sources.
const { existsSync } = require("node:fs")
const { join } = require("node:path")

const ROOT = join(__dirname, "..")

function mainFile() {
  const sources = join(ROOT, "src", "cli", "main.ts")
  return existsSync(sources) ? sources : join(ROOT, "dist", "cli", "main.js")
}

module.exports = { mainFile }
