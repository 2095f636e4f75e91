import { execFileSync } from "node:child_process"
import { generateKeyPairSync, type KeyObject } from "node:crypto"
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { homedir, tmpdir } from "node:os"
import { join } from "node:path"

/** A real token of SoftHSM in a folder of its own. */
export type TestToken = {
  readonly dir: string
  readonly modulePath: string
  /** Holds the PIN. */
  readonly pinFile: string
  /** Imports a new private key, and returns it for comparison. `id` is two hexadecimal digits. */
  importKey(kind: "secp256k1" | "P-256" | "ed25519", label: string, id: string): KeyObject
  importGiven(key: KeyObject, label: string, id: string): void
  uriOf(key: string, pin?: string): string
}

const PIN = "864213"

/**
 * Makes a token labelled `Ballast`. It sets `SOFTHSM2_CONF`, which the library reads in this
 * process and in each child that gets it. SoftHSM comes from the system, or once from Debian into
 * the cache (`$XDG_CACHE_HOME` or `~/.cache`, folder `ballast/`).
 */
export function createTestToken(): TestToken {
  const { util, modulePath } = findSoftHsm()
  const dir = mkdtempSync(join(tmpdir(), "token-"))
  const conf = join(dir, "softhsm2.conf")
  mkdirSync(join(dir, "tokens"))
  writeFileSync(
    conf,
    `directories.tokendir = ${join(dir, "tokens")}\nobjectstore.backend = file\nlog.level = ` +
      "ERROR\n",
  )
  process.env["SOFTHSM2_CONF"] = conf
  const run = (...args: string[]): string =>
    execFileSync(util, ["--module", modulePath, ...args], { encoding: "utf8" })
  run("--init-token", "--free", "--label", "Ballast", "--so-pin", "12345678", "--pin", PIN)
  const pinFile = join(dir, "pin")
  writeFileSync(pinFile, `${PIN}\n`, { mode: 0o600 })
  const importGiven = (key: KeyObject, label: string, id: string): void => {
    const pem = join(dir, `${id}.pem`)
    writeFileSync(pem, key.export({ type: "pkcs8", format: "pem" }))
    run("--import", pem, "--token", "Ballast", "--label", label, "--id", id, "--pin", PIN)
    rmSync(pem)
  }
  return {
    dir,
    modulePath,
    pinFile,
    importGiven,
    importKey: (kind, label, id) => {
      const { privateKey } =
        kind === "ed25519"
          ? generateKeyPairSync("ed25519")
          : generateKeyPairSync("ec", { namedCurve: kind })
      importGiven(privateKey, label, id)
      return privateKey
    },
    uriOf: (key, pin = `file:${pinFile}`) =>
      `pkcs11:token=Ballast;${key}?module-path=${modulePath}&pin-source=${encodeURIComponent(pin)}`,
  }
}

function findSoftHsm(): { readonly util: string; readonly modulePath: string } {
  const installed = {
    util: "/usr/bin/softhsm2-util",
    modulePath: "/usr/lib/softhsm/libsofthsm2.so",
  }
  if (existsSync(installed.util) && existsSync(installed.modulePath)) return installed
  const cache = process.env["XDG_CACHE_HOME"] || join(process.env["HOME"] || homedir(), ".cache")
  const prefix = join(cache, "ballast", "softhsm")
  const fetched = {
    util: join(prefix, "softhsm2-util"),
    modulePath: join(prefix, "libsofthsm2.so"),
  }
  if (!existsSync(fetched.util)) {
    execFileSync("bash", [join(import.meta.dirname, "fetch-softhsm.sh"), prefix], {
      stdio: ["ignore", "ignore", "inherit"],
    })
  }
  return fetched
}
