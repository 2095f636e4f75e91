import { execFileSync, spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"

const UNIT = join(import.meta.dirname, "../../../config/ballast.service")
const PM2 = join(import.meta.dirname, "../../../ecosystem.config.cjs")
const hasSystemd = spawnSync("systemd-analyze", ["--version"]).status === 0
if (!hasSystemd)
  console.warn("Skipping the analysis of the systemd unit: systemd-analyze is not installed")

/** The rows of `systemd-analyze security` that the unit leaves open, each with its reason. */
const OPEN = [
  "RootDirectory=/RootImage=", // the checkout and its Node are on the host's root
  "PrivateMounts=", // implied by ProtectSystem=, which the analysis does not see
  "MemoryDenyWriteExecute=", // Node compiles JavaScript to machine code in memory
  "RestrictAddressFamilies=~AF_UNIX", // the socket of the operations interface
  "RestrictAddressFamilies=~AF_(INET|INET6)", // nodes and the swap service
  "PrivateNetwork=", // as above
  "IPAddressDeny=", // the addresses of nodes and service change
  "DeviceAllow=", // ProtectClock= lists the clock as readable
]

test.skipIf(!hasSystemd)(
  "systemd finds the unit's exposure low, and only the declared rows open",
  () => {
    const text = execFileSync("systemd-analyze", [
      "security",
      "--offline=true",
      "--no-pager",
      "--threshold=15",
      UNIT,
    ])
    const open = text
      .toString()
      .split("\n")
      .filter((line) => line.startsWith("✗"))
      .map((line) => line.split(/\s+/)[1])
    expect(open.filter((row) => !OPEN.includes(row ?? ""))).toEqual([])
  },
)

test("the unit gives the daemon no secret by its environment, and no restart after 76 and 78", () => {
  const lines = readFileSync(UNIT, "utf8").split("\n")
  const valuesOf = (key: string): string[] =>
    lines.filter((line) => line.startsWith(`${key}=`)).map((line) => line.slice(key.length + 1))
  expect(valuesOf("Environment")).toEqual([
    "NODE_ENV=production BALLAST_CONFIG=/etc/ballast/ballast.yaml",
  ])
  expect(valuesOf("EnvironmentFile")).toEqual([])
  expect(valuesOf("LoadCredential").length).toBeGreaterThan(0)
  expect(valuesOf("RestartPreventExitStatus")).toEqual(["64 76 78"])
  expect(valuesOf("LimitCORE")).toEqual(["0"])
})

test("PM2 stops after the same exit codes as systemd, and tries again after 75", () => {
  const ofUnit = /^RestartPreventExitStatus=(.*)$/m
    .exec(readFileSync(UNIT, "utf8"))?.[1]
    ?.split(" ")
  const ofPm2 = /stop_exit_codes: \[(.*)\]/.exec(readFileSync(PM2, "utf8"))?.[1]?.split(", ")
  expect(ofPm2).toEqual(ofUnit)
  expect(ofPm2).not.toContain("75")
})
