import { existsSync } from "node:fs"
import { expect, test } from "vitest"
import { createLogger } from "./log.ts"

/** A device of Linux to which nothing can be written, as to a full disk. */
const FULL = "/dev/full"

test.skipIf(!existsSync(FULL))("a log on a full disk loses its lines, and stops nobody", () => {
  const log = createLogger({ level: "info", pretty: false, destination: FULL })
  for (let at = 0; at < 3; at++) {
    expect(() => log.info({ order: "1" }, "A state changed")).not.toThrow()
    expect(() => log.error({ order: "1" }, "Money")).not.toThrow()
  }
})
