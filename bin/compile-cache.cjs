"use strict"
// Node keeps the compiled form of each loaded file in a folder, by its content, so that a command starts in half the time. A user with
// write access there can run code in this program: the folder must belong to this user alone, or nothing is kept.
const { lstatSync, mkdirSync } = require("node:fs")
const { isAbsolute, join } = require("node:path")

/** The folder, made if it is missing; `null` where there is no safe one, or where the environment already decides. */
function compileCacheFolder(env = process.env) {
  if (env.NODE_COMPILE_CACHE !== undefined || env.NODE_DISABLE_COMPILE_CACHE !== undefined)
    return null
  const home = env.XDG_CACHE_HOME || (env.HOME ? join(env.HOME, ".cache") : "")
  if (!isAbsolute(home)) return null
  const own = join(home, "ballast")
  const folder = join(own, "compiled")
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    return [own, folder].every(isPrivate) ? folder : null
  } catch {
    return null
  }
}

/** A folder that only this user can write to, and no link to another place. */
function isPrivate(path) {
  const found = lstatSync(path)
  return found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o022) === 0
}

module.exports = { compileCacheFolder }
