import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { keepInCache } from "./into-cache.ts"

/** A package that carries the interface descriptions which Circle publishes of its programs. */
const PACKAGE = "@across-protocol/contracts@5.0.27"
const SHA512 =
  "zp6BEBTDzRGEp7sNvvdRH4jBF2EuTI4RqFWVvhfkO28630Ow2hbCYeYiyTOjEOzAdqt+dn/sba9D9WirfwabWQ=="
const INSIDE = "package/dist/src/svm/assets/idl"

/**
 * The published interface descriptions of both programs of CCTP v2 on Solana, as texts. Only their
 * package is fetched, once, into the cache; none of its own dependencies.
 */
export function loadCctpIdls(): { readonly messenger: string; readonly transmitter: string } {
  const cache = process.env["XDG_CACHE_HOME"] || join(process.env["HOME"] || homedir(), ".cache")
  const folder = join(cache, "ballast", "published-cctp-idls-5.0.27")
  if (!existsSync(folder)) install(join(cache, "ballast"), folder)
  const read = (name: string): string => readFileSync(join(folder, INSIDE, name), "utf8")
  return {
    messenger: read("token_messenger_minter_v2.json"),
    transmitter: read("message_transmitter_v2.json"),
  }
}

function install(parent: string, folder: string): void {
  mkdirSync(parent, { recursive: true })
  const work = mkdtempSync(`${folder}.part.`)
  try {
    const options = { cwd: work, encoding: "utf8", timeout: 120_000 } as const
    const archive = execFileSync("npm", ["pack", "--silent", PACKAGE], options).trim()
    const bytes = readFileSync(join(work, archive))
    if (createHash("sha512").update(bytes).digest("base64") !== SHA512)
      throw new Error(`${PACKAGE} is not the reviewed one`)
    execFileSync("tar", ["-xzf", archive, INSIDE], options)
    rmSync(join(work, archive))
    keepInCache(work, folder)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}
