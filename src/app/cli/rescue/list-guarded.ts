import { readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { AppError } from "#lib/app-error.ts"
import type { GuardedOrder } from "#tower/watch-orders.ts"

/** The ending of rescue files in a folder. */
const ENDING = ".rescue"

/**
 * Lists the orders of a rescue file, or of all rescue files in a folder, which is read again each
 * time. `open` opens each file once. Of several files of one order the one with its secret counts.
 * A file in a folder that cannot be opened is told once, and the others go on.
 */
export function createGuardList(
  path: string,
  open: (file: string) => Promise<GuardedOrder>,
  warn: (text: string) => void,
): { readonly isFolder: boolean; readonly listOrders: () => Promise<readonly GuardedOrder[]> } {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
  const opened = new Map<string, GuardedOrder | null>()
  const openOnce = async (file: string): Promise<void> => {
    if (opened.has(file)) return
    try {
      opened.set(file, await open(file))
    } catch (error) {
      if (!isFolder || !(error instanceof AppError)) throw error
      opened.set(file, null)
      warn(`${file} is left out: ${error.message} [${error.code}]`)
    }
  }
  return {
    isFolder,
    listOrders: async () => {
      for (const file of isFolder ? listFiles(path) : [path]) await openOnce(file)
      return chooseBest([...opened.values()].filter((order) => order !== null))
    },
  }
}

function listFiles(folder: string): readonly string[] {
  const names = readdirSync(folder).filter((name) => name.endsWith(ENDING))
  return names.toSorted().map((name) => join(folder, name))
}

function chooseBest(orders: readonly GuardedOrder[]): readonly GuardedOrder[] {
  const best = new Map<string, GuardedOrder>()
  for (const order of orders)
    if (best.get(order.data.id)?.secret == null) best.set(order.data.id, order)
  return [...best.values()]
}
