import { execFileSync } from "node:child_process"
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { dirname, join } from "node:path"
import { gzipSync } from "node:zlib"
import { setTimes } from "./program-tree.ts"

const ROOT = join(import.meta.dirname, "../..")
const SCRIPTS = join(ROOT, "packaging", "debian")

/** The texts that the package installs beside the program. */
export type PackageTexts = {
  readonly manPage: string
  readonly completions: { readonly bash: string; readonly zsh: string; readonly fish: string }
}

/** Writes a Debian package: program, command, unit of systemd, man page and completions. */
export function writeDeb(
  target: { readonly file: string; readonly version: string; readonly work: string },
  tree: string,
  texts: PackageTexts,
  seconds: number,
): void {
  const folder = join(target.work, "deb")
  rmSync(folder, { recursive: true, force: true })
  const write = (path: string, content: string | Uint8Array, mode = 0o644): void => {
    const file = join(folder, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
    chmodSync(file, mode)
  }
  mkdirSync(join(folder, "usr/lib"), { recursive: true })
  mkdirSync(join(folder, "usr/bin"), { recursive: true })
  cpSync(tree, join(folder, "usr/lib/ballast"), { recursive: true, preserveTimestamps: true })
  symlinkSync("../lib/ballast/bin/ballast.cjs", join(folder, "usr/bin/ballast"))
  write("lib/systemd/system/ballast.service", toPackagedUnit())
  write("usr/share/man/man1/ballast.1.gz", gzipSync(texts.manPage, { level: 9 }))
  write("usr/share/bash-completion/completions/ballast", texts.completions.bash)
  write("usr/share/zsh/vendor-completions/_ballast", texts.completions.zsh)
  write("usr/share/fish/vendor_completions.d/ballast.fish", texts.completions.fish)
  write("usr/share/doc/ballast/copyright", readFileSync(join(ROOT, "LICENSE"), "utf8"))
  write("DEBIAN/control", control(target.version))
  for (const name of ["postinst", "prerm", "postrm"])
    write(`DEBIAN/${name}`, readFileSync(join(SCRIPTS, name), "utf8"), 0o755)
  setTimes(folder, seconds)
  execFileSync("dpkg-deb", ["--root-owner-group", "-Zxz", "--build", folder, target.file], {
    env: { ...process.env, SOURCE_DATE_EPOCH: String(seconds) },
    stdio: ["ignore", "ignore", "inherit"],
  })
}

function control(version: string): string {
  const architecture = process.arch === "x64" ? "amd64" : process.arch
  return readFileSync(join(SCRIPTS, "control"), "utf8")
    .replace("@VERSION@", version)
    .replace("@ARCHITECTURE@", architecture)
}

/**
 * The unit of `config/ballast.service` at the places of the package. Its credentials are comments:
 * systemd starts no unit with a credential that is missing. The configuration lies where `init`
 * can write it as the unit's user, with its keystore and `./data` beside it.
 */
function toPackagedUnit(): string {
  return readFileSync(join(ROOT, "config", "ballast.service"), "utf8")
    .replace(/^(#.*\n)+/, "# Secrets: systemctl edit ballast, as docs/SECURE.md shows.\n")
    .replace("WorkingDirectory=/opt/ballast", "WorkingDirectory=/var/lib/ballast")
    .replace("/opt/ballast/bin/ballast.cjs", "/usr/bin/ballast")
    .replace(/^Documentation=.*$/m, "Documentation=man:ballast(1)")
    .replace("[Service]", "ConditionPathExists=/etc/ballast/ballast.yaml\n\n[Service]")
    .replaceAll("/etc/ballast/ballast.yaml", "/var/lib/ballast/ballast.yaml")
    .replaceAll(/^LoadCredential=/gm, "#LoadCredential=")
}
