#!/usr/bin/env node
"use strict"
const { spawn } = require("node:child_process")
const { realpathSync } = require("node:fs")
const { enableCompileCache } = require("node:module")
const { pathToFileURL } = require("node:url")
const { compileCacheFolder } = require("./compile-cache.cjs")
const { mainFile } = require("./main-file.cjs")
const { FLOOR, pickNode } = require("./pick-node.cjs")

const main = mainFile(process.argv.slice(2))
const node = pickNode()
if (!node) {
  console.error(
    `Ballast needs Node ${FLOOR.join(".")} or newer, and this is ${process.versions.node}. Run \`npm ci\` (on Linux it installs its own Node), or install a newer Node.`,
  )
  process.exit(78)
}
const cache = compileCacheFolder()
if (node.path === realpathSync(process.execPath)) {
  if (cache !== null) {
    enableCompileCache(cache)
    // For the processes that this one starts, such as the signer.
    process.env.NODE_COMPILE_CACHE = cache
  }
  import(pathToFileURL(main).href)
} else {
  // The pipe on descriptor 3 closes when this process dies, even by SIGKILL. The child then exits at once (src/app/cli/follow-parent.ts).
  // A daemon waits most of the time; the space for new objects would grow to 48 MiB while it loads.
  const heap = process.argv[2] === "run" ? ["--max-semi-space-size=4"] : []
  const child = spawn(node.path, [...heap, main, ...process.argv.slice(2)], {
    stdio: ["inherit", "inherit", "inherit", "pipe"],
    env: {
      ...process.env,
      ...(cache === null ? {} : { NODE_COMPILE_CACHE: cache }),
      BALLAST_PARENT_FD: "3",
    },
  })
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "SIGUSR2"])
    process.on(signal, () => child.kill(signal))
  child.on("exit", (code, signal) => {
    if (signal === null) process.exit(code)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}
