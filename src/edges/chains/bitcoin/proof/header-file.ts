import { appendFile, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { makeFolder } from "#lib/make-folder.ts"
import { type BlockHeader, HEADER_BYTES, parseHeader } from "./block-header.ts"

/**
 * The known headers between two runs. Their work is checked again when they are read, so a damaged
 * file costs only time.
 */
export type HeaderStore = {
  /** The stored headers in ascending order; empty where none are stored or readable. */
  load(): Promise<readonly BlockHeader[]>
  append(headers: readonly BlockHeader[]): Promise<void>
  /** Replaces everything, after a reorganisation. */
  replace(headers: readonly BlockHeader[]): Promise<void>
}

/** Keeps headers in one file of 80 bytes each. */
export function createHeaderFile(path: string): HeaderStore {
  return {
    load: async () => {
      const bytes = await readFile(path).catch(() => Buffer.alloc(0))
      const count = Math.floor(bytes.length / HEADER_BYTES)
      return Array.from({ length: count }, (_, index) =>
        parseHeader(bytes.subarray(index * HEADER_BYTES, (index + 1) * HEADER_BYTES)),
      ).filter((header) => header !== null)
    },
    append: async (headers) => {
      makeFolder(dirname(path))
      await appendFile(path, bytesOf(headers))
    },
    replace: async (headers) => {
      makeFolder(dirname(path))
      // A folder of its own: two processes may replace the file at the same time.
      const folder = await mkdtemp(join(dirname(path), ".headers-"))
      try {
        await writeFile(join(folder, basename(path)), bytesOf(headers))
        await rename(join(folder, basename(path)), path)
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    },
  }
}

/** Forgets everything with the process: for tests, and where no directory is configured. */
export function createHeaderMemory(): HeaderStore {
  let known: readonly BlockHeader[] = []
  return {
    load: async () => known,
    append: async (headers) => {
      known = [...known, ...headers]
    },
    replace: async (headers) => {
      known = headers
    },
  }
}

function bytesOf(headers: readonly BlockHeader[]): Buffer {
  return Buffer.concat(headers.map(({ raw }) => Buffer.from(raw, "hex")))
}
