import { spawnSync } from "node:child_process"
import { appendFileSync, chmodSync, mkdirSync, rmSync, statfsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Browser } from "playwright-core"
import { type Account, createWalletClient, http as httpTransport, parseEther } from "viem"
import { privateKeyToAccount } from "viem/accounts"
import { baseSepolia } from "viem/chains"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { silentLogger } from "#lib/log.ts"
import type { Overview } from "../../src/core/health/describe-overview.ts"
import { type Anvil, startAnvil } from "../../src/lab/sandbox/evm/start-anvil.ts"
import { type HttpReceiver, startHttpReceiver } from "../support/alert-receivers.ts"
import { callRpc } from "../support/e2e-chain.ts"
import { type CliResult, runBallast } from "../support/e2e-cli.ts"
import { type FaultyEndpoint, startFaultyEndpoint } from "../support/faulty-endpoint.ts"
import { freePort } from "../support/free-port.ts"
import { findChromium, openBrowser } from "../support/open-browser.ts"
import { DAEMON_FAULTS, type PlantedFault, START_FAULTS } from "../support/planted-faults.ts"
import { readOverviewPage } from "../support/read-overview-page.ts"
import { type DaemonProcess, startDaemonProcess, TOKEN, until } from "../support/sandbox-process.ts"
import { temporaryFolder } from "../support/temporary-folder.ts"

/** The chains are names of one network, so each has a wallet of its own. */
const KEYS = {
  ROBBED_KEY: `0x${"4c".repeat(32)}`,
  POOR_KEY: `0x${"5d".repeat(32)}`,
  MUTE_KEY: `0x${"6e".repeat(32)}`,
  STALE_KEY: `0x${"6f".repeat(32)}`,
  SPLIT_KEY: `0x${"71".repeat(32)}`,
  PLAIN_KEY: `0x${"72".repeat(32)}`,
  PEG_KEY: `0x${"73".repeat(32)}`,
} as const
const ENV = { ...KEYS, BALLAST_OPS_TOKEN: TOKEN }
/** The promise: each surface names the fault within this time. */
const PROMISED_MS = 60_000
const MEBI = 1024 * 1024
const DISK_MEBI = 300
const program = findChromium()

/** A disk of its own needs root. */
const dir = temporaryFolder("ballast-e2e-daemon-faults")
const dataDir = join(dir, "data")
mkdirSync(dataDir, { mode: 0o700 })
const hasDisk =
  spawnSync("mount", ["-t", "tmpfs", "-o", `size=${DISK_MEBI}m,mode=700`, "tmpfs", dataDir])
    .status === 0
const PLANTED = DAEMON_FAULTS.filter(({ code }) => hasDisk || code !== "disk.low")

describe("a fault planted in front of a running daemon", () => {
  const file = join(dir, "ballast.yaml")
  const sources: FaultyEndpoint[] = []
  const seenMs = new Map<string, number>()
  /** The answers of commands without a daemon that answers. */
  const said = new Map<string, CliResult>()
  let node: Anvil
  let receiver: HttpReceiver
  let daemon: DaemonProcess
  let browser: Browser | null = null
  let overview: Overview
  let status = ""
  let doctor = ""
  let page = ""
  let beatsOfFrozen = 0

  const source = async (answer: unknown): Promise<string> => {
    const one = await startFaultyEndpoint(node.url, { body: JSON.stringify(answer) })
    sources.push(one)
    return one.url
  }
  const ballast = (...args: readonly string[]) =>
    runBallast([...args, "--config", file], { env: ENV, timeoutMs: 120_000 })

  beforeAll(async () => {
    ;[node, receiver] = await Promise.all([
      startAnvil({ chainId: 84532, port: 0, blockTimeSeconds: 1, log: silentLogger }),
      startHttpReceiver(),
    ])
    const port = await freePort()
    const nowhere = `http://127.0.0.1:${await freePort()}`
    const names = [
      "robbed_chain",
      "poor_chain",
      "mute_chain",
      "stale_chain",
      "split_chain",
      "plain_chain",
      "peg_chain",
    ]
    const price = (name: string, url: string, more: object = {}) => ({
      asset: `${name}:eth`,
      url,
      path: "price",
      ...more,
    })
    const good = await source({ price: "3000" })
    const config = {
      services: { main: { url: await source([]) } },
      data_dir: dataDir,
      ops: { listen: `127.0.0.1:${port}`, token: "env:BALLAST_OPS_TOKEN" },
      chains: Object.fromEntries(
        names.map((name) => [
          name,
          {
            family: "evm",
            chain_id: 84_532,
            rpc: [node.url],
            key: `env:${name.replace("_chain", "_key").toUpperCase()}`,
          },
        ]),
      ),
      assets: Object.fromEntries(names.map((name) => [`${name}:eth`, { decimals: 18 }])),
      guards: { min_native: { poor_chain: "1", robbed_chain: "0.000001" } },
      prices: {
        sources: [
          price("robbed_chain", good),
          price("poor_chain", good),
          price("mute_chain", nowhere),
          price("stale_chain", await source({ price: "3000", at: 1_700_000_000 }), {
            time_path: "at",
          }),
          price("split_chain", good),
          price("split_chain", await source({ price: "6000" })),
          price("peg_chain", await source({ price: "2000" })),
        ],
        pegs: [{ assets: ["poor_chain:eth", "peg_chain:eth"] }],
      },
      books: { reconcile_every: "1s" },
      health: { check_every: "1s", alarm_after: "5s" },
      alerts: {
        receivers: { hook: { kind: "webhook", url: `${receiver.url}/hook` } },
        heartbeat: { url: `${receiver.url}/beat`, every: "1s" },
        group_for: "1s",
      },
    }
    writeFileSync(file, JSON.stringify(config), { mode: 0o600 })
    const [robbed, poor, ...others] = Object.values(KEYS).map((key) =>
      privateKeyToAccount(key),
    ) as [Account, Account, Account]
    const fund = (address: string, ether: string) =>
      callRpc(node.url, "anvil_setBalance", [address, `0x${parseEther(ether).toString(16)}`])
    await Promise.all([
      fund(robbed.address, "10"),
      fund(poor.address, "0.5"),
      ...others.map(({ address }) => fund(address, "10")),
    ])
    daemon = startDaemonProcess({ file, port }, ENV)
    await daemon.ready()
    const plantedMs = Date.now()
    const readUntil = (names: readonly string[]) =>
      until(
        "each fault is named",
        async () => {
          // An answer that is lost on its way is asked for again.
          const answer = await daemon.call("GET", "/api/v1/overview").catch(() => null)
          if (answer?.status !== 200) return false
          // CAST: the daemon's own answer.
          overview = answer.body as Overview
          for (const fault of PLANTED)
            if (!seenMs.has(fault.name) && isNamed(overview, fault) && isTold(receiver, fault))
              seenMs.set(fault.name, Date.now() - plantedMs)
          return names.every((name) => seenMs.has(name))
        },
        PROMISED_MS,
      ).catch(() => undefined) // A fault that no surface names fails its own test below.
    const readSurfaces = async (screenshot: string): Promise<void> => {
      status += (await ballast("status")).stdout
      doctor += (await ballast("doctor")).stdout
      if (program === null) return
      browser ??= await openBrowser(program)
      page += await readOverviewPage(browser, port, screenshot)
    }

    writeFileSync(join(dataDir, "PAUSE"), "the desk is empty\n", { mode: 0o600 })
    await readUntil(["pause by file"])
    await readSurfaces("pause-by-file.png")
    rmSync(join(dataDir, "PAUSE"))
    await daemon.call("POST", "/api/v1/resume", {})

    const thief = createWalletClient({
      account: robbed,
      chain: baseSepolia,
      transport: httpTransport(node.url),
    })
    await thief.sendTransaction({ to: `0x${"99".repeat(20)}`, value: parseEther("2") })
    appendFileSync(file, "\n# a new line\n")
    if (hasDisk) fillDisk(dataDir)
    await readUntil(PLANTED.map(({ name }) => name))
    await readSurfaces("money-prices-and-disk.png")
    chmodSync(dataDir, 0o755)
    said.set("data_dir open to others", await ballast("run"))
    doctor += (await ballast("doctor")).stdout
    chmodSync(dataDir, 0o700)
    said.set("second daemon", await ballast("run"))
    const second = join(dir, "other.yaml")
    writeFileSync(second, JSON.stringify({ ...config, data_dir: join(dir, "other") }), {
      mode: 0o600,
    })
    said.set("port taken", await runBallast(["run", "--config", second], { env: ENV }))

    const beats = (): number => receiver.calls.filter(({ path }) => path === "/beat").length
    await until("the heart beats", async () => beats() > 0)
    daemon.child.kill("SIGSTOP")
    const last = beats()
    said.set("frozen daemon", await ballast("status"))
    doctor += (await ballast("doctor")).stdout
    await new Promise((resolve) => setTimeout(resolve, 2_000))
    beatsOfFrozen = beats() - last
    daemon.child.kill("SIGKILL")
    await daemon.exited
    said.set("dead daemon", await ballast("status"))
    for (const name of ["journal.db-wal", "journal.db-shm"])
      rmSync(join(dataDir, name), { force: true })
    writeFileSync(join(dataDir, "journal.db"), "no database ".repeat(1_000))
    said.set("damaged journal", await ballast("run"))
    doctor += (await ballast("doctor")).stdout
    rmSync(join(dataDir, "journal.db"))
    said.set("missing journal", await ballast("status"))
  }, 400_000)
  afterAll(async () => {
    await browser?.close()
    await daemon?.stop()
    for (const one of sources) one.stop()
    await Promise.all([node?.stop(), receiver?.close()])
    if (hasDisk) spawnSync("umount", [dataDir])
    rmSync(dir, { recursive: true })
  })

  test.each(PLANTED)(
    "$name: the overview, status, doctor, the page and an alert name it with its remedy",
    (fault) => {
      const { name, says, todo, command } = fault
      expect(
        seenMs.get(name),
        `${name} in ${JSON.stringify(overview.problems, null, 1)}`,
      ).toBeLessThan(PROMISED_MS)
      const remedy = command === null ? todo : `${todo} -> ${command}`
      expect(readLines(status), "status").toSatisfy((lines: string[]) =>
        lines.some((line) => says.test(line) && line.includes(remedy)),
      )
      if (fault.doctor !== null)
        expect(flat(doctor).replaceAll("→", "->"), "doctor").toMatch(fault.doctor)
      if (program !== null) {
        // The page says the sentence alone; the code at its end is for programs.
        const sentence = new RegExp(says.source.replace(/ ?\\\[[^\]]*\\\]$/, ""))
        expect(readNames(page), "the page").toMatch(sentence)
        expect(readNames(page), "the page").toContain(todo)
      }
    },
  )

  test.each(START_FAULTS)(
    "$name: `$from` names it with its remedy, and does not end with 0",
    (fault) => {
      const { name, code, says, todo, command, from } = fault
      const { stdout = "", stderr = "", code: exit } = said.get(name) ?? {}
      const text = flat(stdout + stderr)
      expect(text).toMatch(says)
      expect(text).toContain(command === null ? todo : `-> ${command}`)
      expect(text).toContain(todo)
      if (from === "run") expect(text).toContain(`[${code}]`)
      expect(exit).not.toBe(0)
      if (fault.doctor !== null)
        expect(flat(doctor).replaceAll("→", "->"), "doctor").toMatch(fault.doctor)
    },
  )

  test("the heartbeat stops with a frozen daemon", () =>
    expect(beatsOfFrozen).toBeLessThanOrEqual(1))
})

/** Leaves 50 MiB, which is trouble and still lets the alert be stored. */
function fillDisk(folder: string): void {
  const { bavail, bsize } = statfsSync(folder)
  const spare = bavail * bsize - 50 * MEBI
  writeFileSync(join(folder, "filler"), Buffer.alloc(spare), { mode: 0o600 })
}

function isNamed({ problems }: Overview, { code, says, todo, command }: PlantedFault): boolean {
  return problems.some(
    (one) =>
      one.code === code && says.test(one.sentence) && one.todo === todo && one.command === command,
  )
}

/** A message with the fault's code reached the receiver. */
function isTold({ calls }: HttpReceiver, { alert }: PlantedFault): boolean {
  return (
    alert === null ||
    calls.some(({ path, body }) => path === "/hook" && body.includes(`"code":"${alert}"`))
  )
}

/** Each problem of `status` with its remedy, which stands on the next line. */
function readLines(text: string): readonly string[] {
  return text.split(/\n(?=[!-] )/).map(flat)
}

function flat(text: string): string {
  return text.replace(/\s+/g, " ")
}

/** The page shows `ETH on Poor Chain` for `poor_chain:eth`, and `Poor Chain` for `poor_chain`. */
function readNames(text: string): string {
  return flat(text)
    .replace(
      /\b([A-Z])([a-z]+) Chain\b/g,
      (_all, a: string, b: string) => `${a.toLowerCase()}${b}_chain`,
    )
    .replace(/\bETH on (\w+_chain)\b/g, "$1:eth")
}
