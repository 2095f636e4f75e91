import { execFileSync } from "node:child_process"
import { chownSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { writeTar } from "./archives.ts"

/** The libraries of Node, a shell, and the file of well-known ports. Node knows the time zones. */
const PACKAGES = ["base-files", "dash", "libatomic1", "libc6", "libgcc-s1", "libstdc++6", "netbase"]
/** No account of the host has this number. */
const USER = 10001
/**
 * Character sets of other encodings, texts for people, and the tools that install packages, with
 * their libraries: the program uses none of them.
 */
const LEFT_OUT = [
  ...["bin/run-parts", "bin/tar", "bin/tempfile", "sbin/*", "usr/sbin/*"].map((path) => `/${path}`),
  ...["dpkg*", "*awk", "ischroot", "savelog", "update-alternatives", "which*"].map(
    (name) => `/usr/bin/${name}`,
  ),
  ...["acl", "bz2", "lzma", "md", "pcre2", "selinux", "z", "zstd"].flatMap((name) => [
    `/lib/*/lib${name}[.-]*`,
    `/usr/lib/*/lib${name}[.-]*`,
  ]),
  "/usr/share/perl5/*",
  "/usr/bin/debconf*",
  "/usr/share/doc/*",
  "/usr/share/man/*",
  "/usr/share/locale/*",
  "/usr/lib/*/gconv/*",
]

/**
 * Writes an OCI image (image-spec 1.0) as the tar archive of its layout: a Debian root without a
 * tools, and the program above it. It runs as its own user, needs no writable root, and keeps
 * everything in `/data`.
 */
export function writeImage(
  target: { readonly file: string; readonly version: string; readonly work: string },
  tree: string,
  seconds: number,
): void {
  const { file, version, work } = target
  const root = join(work, "root.tar")
  writeDebianRoot(root, seconds)
  const program = join(work, "program.tar")
  writeProgramLayer(join(work, "layer"), tree, program, seconds)

  const layout = join(work, "oci")
  rmSync(layout, { recursive: true, force: true })
  const image = `${layout}:${version}`
  const created = new Date(seconds * 1000).toISOString()
  const umoci = (...args: string[]) =>
    execFileSync("umoci", args, { stdio: ["ignore", "ignore", "inherit"] })
  umoci("init", "--layout", layout)
  umoci("new", "--image", image)
  for (const layer of [root, program])
    umoci("raw", "add-layer", "--image", image, "--history.created", created, layer)
  umoci("config", "--image", image, "--history.created", created, "--created", created, ...CONFIG)
  umoci("gc", "--layout", layout)
  writeTar(layout, file, seconds)
}

const CONFIG = [
  ["--os", "linux"],
  ["--architecture", process.arch === "x64" ? "amd64" : process.arch],
  ["--config.user", `${USER}:${USER}`],
  ["--config.workingdir", "/data"],
  ["--config.volume", "/data"],
  ["--config.env", "PATH=/usr/bin"],
  ["--config.env", "NODE_ENV=production"],
  ["--config.env", "BALLAST_CONFIG=/data/ballast.yaml"],
  ["--config.env", "NODE_DISABLE_COMPILE_CACHE=1"],
  ["--config.exposedports", "7070/tcp"],
  ["--config.stopsignal", "SIGTERM"],
  ["--config.entrypoint", "/usr/bin/ballast"],
  ["--config.cmd", "run"],
  ["--config.label", "org.opencontainers.image.title=ballast"],
  ["--config.label", "org.opencontainers.image.licenses=MIT"],
].flat()

function writeDebianRoot(file: string, seconds: number): void {
  const exclude = LEFT_OUT.map((path) => `--dpkgopt=path-exclude=${path}`)
  const include = `--include=${PACKAGES.join(",")}`
  execFileSync(
    "mmdebstrap",
    ["--quiet", "--variant=extract", include, ...exclude, "bookworm", file],
    {
      env: { ...process.env, SOURCE_DATE_EPOCH: String(seconds) },
      stdio: ["ignore", "inherit", "inherit"],
    },
  )
}

function writeProgramLayer(folder: string, tree: string, file: string, seconds: number): void {
  rmSync(folder, { recursive: true, force: true })
  for (const part of ["usr/lib", "usr/bin", "etc", "data"])
    mkdirSync(join(folder, part), { recursive: true })
  execFileSync("cp", ["-a", tree, join(folder, "usr/lib/ballast")])
  // Debian makes this link while a package is configured. The signer starts below it, without core
  // dumps.
  mkdirSync(join(folder, "bin"))
  symlinkSync("dash", join(folder, "bin/sh"))
  symlinkSync("../lib/ballast/bin/ballast.cjs", join(folder, "usr/bin/ballast"))
  const accounts = ["root:x:0:0::/:", `ballast:x:${USER}:${USER}::/data:`]
  const passwd = accounts.map((account) => `${account}/usr/sbin/nologin\n`)
  writeFileSync(join(folder, "etc/passwd"), passwd.join(""))
  writeFileSync(join(folder, "etc/group"), `root:x:0:\nballast:x:${USER}:\n`)
  chownSync(join(folder, "data"), USER, USER)
  writeTar(folder, file, seconds)
}
