import { existsSync, statfsSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, resolve } from "node:path"
import type { Config } from "#config/config.ts"
import { judgeNever, judgeReceivers } from "#config/judge/judge-never.ts"
import { formatSpan } from "#health/format-span.ts"
import type { Problem } from "#health/problem.ts"
import { modeOf } from "#lib/foreign-file.ts"
import { readCertificateEnd } from "./listen.ts"

type Setting = Pick<Problem, "level" | "code" | "about" | "sentence" | "todo" | "command"> &
  Partial<Pick<Problem, "kind" | "meaning">>

type Sources = {
  readonly config: Config
  /** The plain data of the configuration file, and its path; `null` for the sandbox's own. */
  readonly written: unknown
  readonly file: string | null
  readonly nowMs: number
}

/**
 * Faults in the settings of a running daemon: rules that can never act, files of secrets
 * that are gone or open to other users, and the end of its own certificate.
 */
export function createSettings(): (sources: Sources) => readonly Setting[] {
  // The judgement of a configuration lists many runs, and the overview is read often.
  let judged: {
    readonly config: Config
    readonly found: readonly Setting[]
    readonly marks: Marks
  } | null = null
  return (sources) => {
    const { config } = sources
    if (judged?.config !== config)
      judged = {
        config,
        found: [...findNever(config), ...findMemoryDisk(sources)],
        marks: readMarks(sources),
      }
    return [
      ...judged.found,
      ...findChanged(sources, judged.marks),
      ...findLostFiles(sources),
      ...findReadable(sources),
      ...findEnd(sources),
    ]
  }
}

function findNever(config: Config): readonly Setting[] {
  const mute = judgeReceivers(config).map(({ code, subjects, sentence, todo }) => ({
    level: "attention" as const,
    code,
    kind: "alerts" as const,
    about: subjects[0] ?? null,
    sentence: `The receiver ${subjects[0]} can never get an alert: ${sentence}`,
    meaning: "A person may not hear of trouble.",
    todo: `${capital(todo)}, then let the daemon read it.`,
    command: "ballast reload",
  }))
  return [...mute, ...findNeverRules(config)]
}

function findNeverRules(config: Config): readonly Setting[] {
  return judgeNever(config).map(({ code, subjects, sentence, todo }) => ({
    level: "attention" as const,
    code,
    kind: "rule" as const,
    about: subjects[0] ?? null,
    sentence: `The rule ${subjects[0]} can never act: ${sentence}`,
    todo: `${capital(todo)}, then let the daemon read it.`,
    command: "ballast reload",
  }))
}

/** The types of tmpfs and ramfs (statfs(2)). */
const MEMORY_DISKS = [0x0102_1994, 0x8584_58f6]

/**
 * The journal is a file in the machine's memory. A trial has its configuration in the folder of
 * temporary files too, and a cluster has its log elsewhere.
 */
function findMemoryDisk({ config, file }: Sources): readonly Setting[] {
  const { dataDir, journal } = config
  if (file === null || journal !== null || !existsSync(dataDir)) return []
  const isTrial = [file, dataDir].every((path) => resolve(path).startsWith(`${tmpdir()}/`))
  if (isTrial || !MEMORY_DISKS.includes(statfsSync(dataDir).type)) return []
  return [
    {
      level: "trouble",
      code: "disk.memory",
      about: "data_dir",
      sentence: `The disk of data_dir (${dataDir}) is memory: a restart of the machine loses it`,
      meaning: "Without the journal no order goes on, and a payout or a refund may be lost.",
      todo: "Stop the daemon, move the folder to a disk that lasts, and correct data_dir.",
      command: "ballast run",
    },
  ]
}

/** The daemon keeps a secret in memory: only its next start would need the file again. */
function findLostFiles({ written, file }: Sources): readonly Setting[] {
  if (file === null) return []
  const lost = listReferences(written, "").filter(
    ({ path }) => !existsSync(resolve(dirname(file), path)),
  )
  return lost.map(({ key, path }) => ({
    level: "trouble" as const,
    code: "config.file_missing",
    about: key,
    sentence: `The file ${path} of ${key} does not exist any more: the next start will fail`,
    meaning: "The running daemon keeps the value; after its end nothing moves.",
    todo: "Put the file back, from its backup if need be.",
    command: "ballast check",
  }))
}

/** Of each file of a secret: its size and the time of its last change, not its content. */
type Marks = ReadonlyMap<string, string>

function readMarks({ written, file }: Sources): Marks {
  if (file === null) return new Map()
  return new Map(
    listReferences(written, "").flatMap(({ path }) => {
      const found = statSync(resolve(dirname(file), path), { throwIfNoEntry: false })
      return found === undefined ? [] : [[path, `${found.size} ${found.mtimeMs}`]]
    }),
  )
}

/** The daemon goes on with the secret that it has read. */
function findChanged(sources: Sources, before: Marks): readonly Setting[] {
  const now = readMarks(sources)
  const changed = listReferences(sources.written, "").filter(({ path }) => {
    const mark = now.get(path)
    return mark !== undefined && before.has(path) && before.get(path) !== mark
  })
  return changed.map(({ key, path }) => ({
    level: "attention" as const,
    code: "config.unread",
    about: key,
    sentence: `The file ${path} of ${key} has changed since the daemon read it`,
    meaning: "The daemon goes on with the old value; its next start has the new one.",
    todo: "Put the old file back, or let the daemon read this one; a wallet's key needs a restart.",
    command: "ballast reload",
  }))
}

/** Readable by every user of the machine, as `doctor` finds it at its start. */
function findReadable({ written, file }: Sources): readonly Setting[] {
  if (file === null) return []
  return listReferences(written, "").flatMap(({ key, path: named }) => {
    const path = resolve(dirname(file), named)
    const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0
    if (!/key|token|password|secret/i.test(key) || UNGUARDED.test(path)) return []
    if ((mode & 0o004) === 0) return []
    return {
      level: "attention" as const,
      code: "config.file_open",
      about: key,
      sentence: `Other users can read the file ${named} of ${key} (mode ${modeOf({ mode })})`,
      meaning: "A user of this machine may know the secret, and sign with it.",
      todo: "Close it; if strangers use this machine, change the secret too.",
      command: `chmod 600 ${path}`,
    }
  })
}

/** A container has no other users, and its secrets this mode. The sandbox's keys are public. */
const UNGUARDED = /^(\/var)?\/run\/secrets\/|\/config\/sandbox-keys\//

type Reference = { readonly key: string; readonly path: string }

function listReferences(value: unknown, key: string): readonly Reference[] {
  if (typeof value === "string") {
    const [, path] = /^(?:file|keystore):([^#]+)(?:#\d{1,6})?$/.exec(value) ?? []
    return path === undefined ? [] : [{ key, path }]
  }
  if (value === null || typeof value !== "object") return []
  return Object.entries(value).flatMap(([name, one]) =>
    listReferences(one, key === "" ? name : `${key}.${name}`),
  )
}

/** Long enough before, so that a person renews it in time. */
const NEAR_MS = 7 * 24 * 3_600_000

function findEnd({ config: { ops }, nowMs }: Sources): readonly Setting[] {
  const endsMs = readCertificateEnd(ops.tls)
  if (endsMs === null || endsMs - nowMs > NEAR_MS) return []
  const isOver = endsMs <= nowMs
  const when = isOver
    ? `has expired ${formatSpan(nowMs - endsMs)} ago`
    : `expires in ${formatSpan(endsMs - nowMs)}`
  return [
    {
      level: isOver ? "trouble" : "attention",
      code: "config.certificate_end",
      about: "ops.tls",
      sentence: `The certificate of ops.tls ${when}`,
      meaning: "Orders go on; browsers and clients refuse an interface with an old certificate.",
      todo: "Renew the certificate, then let the daemon read it.",
      command: "ballast reload",
    },
  ]
}

export function capital(text: string): string {
  return `${text[0]?.toUpperCase()}${text.slice(1)}`
}
