import { formatSpan } from "./format-span.ts"
import { type Problem, problem } from "./problem.ts"
import type { EndpointReading, Readings } from "./readings.ts"

/** One cause of several symptoms, and the problems that it explains. */
type CommonCause = {
  readonly problem: Problem
  readonly explains: (symptom: Problem) => boolean
}

/** The causes that stand before their symptoms. Pure. */
export function findCommonCauses(
  readings: Readings,
  silentAfterMs: number,
): readonly CommonCause[] {
  const offline = findLostNetwork(readings, silentAfterMs)
  const clock = findWrongClock(readings)
  return [findDiskCause(readings), offline, clock].filter((cause) => cause !== null)
}

/** A disk that takes no write stops the signer and the log too. */
function findDiskCause({ diskFault }: Readings): CommonCause | null {
  if (diskFault === undefined) return null
  const symptoms = ["disk.low", "signer.down", "log.stuck"]
  return {
    problem: problem({
      level: "trouble",
      kind: "disk",
      code: diskFault.code,
      sentence: diskFault.message.split("; ")[0] ?? diskFault.message,
      todo: `${DISK_TODO[diskFault.code] ?? "Repair it"}; Ballast goes on by itself.`,
      command: null,
      needsPerson: true,
    }),
    explains: ({ code }) => symptoms.includes(code),
  }
}

const DISK_TODO: Readonly<Record<string, string>> = {
  "system.disk_full": "Free some space on that disk",
  "system.disk_read_only": "Mount it writable (the kernel says why it is not)",
  "system.disk_failed": "Check the disk (kernel messages, SMART)",
  "system.busy": "End the program that holds the journal's lock (`fuser -v` on the file names it)",
}

/** Errors of the name service, and of this machine's own network (getaddrinfo(3), connect(2)). */
const NAMES_FAIL = /\b(ENOTFOUND|EAI_AGAIN|EAI_FAIL)\b/
const NETWORK_FAILS = /\b(ENOTFOUND|EAI_AGAIN|EAI_FAIL|ENETUNREACH|EHOSTUNREACH|ENETDOWN)\b/
const LOCAL_HOST = /^(localhost|127\.|\[::1\])/

/** Two hosts or more, and none of them can be reached from here. */
function findLostNetwork(
  { nodes, services, nowMs }: Readings,
  silentAfterMs: number,
): CommonCause | null {
  const asked = [...nodes.flatMap(({ endpoints }) => endpoints), ...services]
  const others = asked.filter(({ host }) => !LOCAL_HOST.test(host))
  const isLost = ({ error, sinceMs }: (typeof others)[number]): boolean =>
    NETWORK_FAILS.test(error ?? "") && nowMs - sinceMs >= silentAfterMs
  const hosts = new Set(others.map(({ host }) => host))
  if (hosts.size < 2 || !others.every(isLost)) return null
  const sinceMs = Math.max(...others.map((one) => one.sinceMs))
  const isDns = others.every(({ error }) => NAMES_FAIL.test(error ?? ""))
  const what = isDns ? "cannot look up any name (DNS)" : "has no network"
  const [first] = others
  const sentence =
    `This machine ${what}: none of ${hosts.size} hosts was reached for ` +
    `${formatSpan(nowMs - sinceMs)} (${first?.error ?? ""})`
  const todo = isDns
    ? "Repair the name service of this machine (/etc/resolv.conf). No endpoint is to be replaced."
    : "Repair the network of this machine. No endpoint is to be replaced."
  const symptoms = ["node.silent", "service.away", "prices.unavailable", "asset.unchecked"]
  return {
    problem: problem({
      level: "trouble",
      code: "machine.offline",
      sentence,
      todo,
      command: "ballast doctor",
      meaning: "Nothing moves until it is back: orders wait, and a refund may come late.",
      needsPerson: true,
    }),
    explains: ({ code }) => symptoms.includes(code),
  }
}

/** Blocks are minutes apart at most, so that heads this far from our clock show a wrong clock. */
const LEAST_SKEW_MS = 15 * 60_000

/** The heads of all chains, two or more, are off by the same time: our clock is the odd one. */
function findWrongClock({ nodes, nowMs }: Readings): CommonCause | null {
  const dated = nodes.filter(({ staleMs }) => staleMs !== null)
  const skews = dated.flatMap(({ endpoints }) => newestSkew(endpoints, nowMs) ?? [])
  const sizes = skews.map(Math.abs)
  const least = Math.min(...sizes)
  const most = Math.max(...sizes)
  const isOneSign = skews.every((skew) => skew > 0) || skews.every((skew) => skew < 0)
  const isSame = least >= LEAST_SKEW_MS && most - least < least / 2
  if (skews.length < 2 || skews.length < dated.length || !isOneSign || !isSame) return null
  const side = (skews[0] ?? 0) > 0 ? "behind" : "ahead of"
  const sentence =
    `The clock of this machine is ${formatSpan(least)} ${side} the newest blocks of all ` +
    `${skews.length} chains`
  const symptoms = ["node.behind", "node.ahead", "clock.jump"]
  return {
    problem: problem({
      level: "trouble",
      code: "clock.differs",
      sentence,
      todo:
        "Set this machine's clock (NTP). Only if all of the chains stand still, wait for them; " +
        "confirm no clock before.",
      command: "timedatectl status",
      needsPerson: true,
    }),
    explains: ({ code }) => symptoms.includes(code),
  }
}

/** Of the newest head that any endpoint shows: positive where it is in our future. */
function newestSkew(endpoints: readonly EndpointReading[], nowMs: number): number | null {
  const heads = endpoints.flatMap(({ error, blockAtMs }) =>
    error === null && blockAtMs !== null ? [blockAtMs - nowMs] : [],
  )
  return heads.length === 0 ? null : Math.max(...heads)
}
