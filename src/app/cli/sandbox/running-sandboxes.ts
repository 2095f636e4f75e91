import { readdirSync, readFileSync, rmdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { request } from "undici"
import { z } from "zod"
import { formatSpan } from "#health/format-span.ts"
import { makeFolder } from "#lib/make-folder.ts"

/** A sandbox of this user that answers. */
type RunningSandbox = z.output<typeof entry>

const entry = z.object({ url: z.url(), pid: z.int().positive(), startedAt: z.number() })
const ANSWER_MS = 3_000

/**
 * Notes a sandbox, so that other commands find it. The returned function removes the note, and the
 * folder with the last note.
 */
export function announceSandbox(sandbox: RunningSandbox): () => void {
  const folder = folderOfUser()
  const file = join(folder, `${sandbox.pid}.json`)
  const note = (): void => {
    makeFolder(folder)
    writeFileSync(file, JSON.stringify(sandbox))
  }
  try {
    note()
  } catch {
    // The last sandbox before this one has just removed the folder.
    note()
  }
  return () => {
    rmSync(file, { force: true })
    removeIfEmpty(folder)
  }
}

/** A sentence that reminds a person of a running sandbox. */
export function nameSandbox(
  says: string,
  { url, pid, startedAt }: RunningSandbox,
  nowMs: number,
): string {
  return `${says}: ${url}, process ${pid}, for ${formatSpan(nowMs - startedAt)}`
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder)
  } catch {
    // Another sandbox has its note there.
  }
}

/** The notes of dead sandboxes are removed. */
export async function listSandboxes(): Promise<readonly RunningSandbox[]> {
  const found = await Promise.all(
    readFolder().map(async (file) => {
      const sandbox = readEntry(file)
      if (sandbox !== null && (await answers(sandbox))) return [sandbox]
      if (sandbox === null || !isAlive(sandbox.pid)) rmSync(file, { force: true })
      return []
    }),
  )
  return found.flat()
}

function folderOfUser(): string {
  return join(tmpdir(), `ballast-sandboxes-${process.getuid?.() ?? 0}`)
}

/** Empty for a folder that another user made: every user may write to the folder above. */
function readFolder(): readonly string[] {
  const folder = folderOfUser()
  const stats = statSync(folder, { throwIfNoEntry: false })
  if (stats === undefined || (process.getuid !== undefined && stats.uid !== process.getuid()))
    return []
  return readdirSync(folder).map((name) => join(folder, name))
}

function readEntry(file: string): RunningSandbox | null {
  try {
    return entry.parse(JSON.parse(readFileSync(file, "utf8")))
  } catch {
    // The file is gone or half-written.
    return null
  }
}

async function answers({ url, pid }: RunningSandbox): Promise<boolean> {
  try {
    const answer = await request(`${url}/sandbox/status`, {
      headersTimeout: ANSWER_MS,
      bodyTimeout: ANSWER_MS,
    })
    return z.object({ pid: z.literal(pid) }).safeParse(await answer.body.json()).success
  } catch {
    // No process listens there any more.
    return false
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
