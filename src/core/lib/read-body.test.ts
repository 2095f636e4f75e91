import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { expect, test } from "vitest"
import { readBytes } from "./read-body.ts"

setFlagsFromString("--expose-gc")
// CAST: the flag above makes this function.
const collect = runInNewContext("gc") as () => void
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test("an answer in many parts holds its own bytes, and not the buffers in which they came", async () => {
  const came: WeakRef<ArrayBuffer>[] = []
  let held = 0
  async function* body() {
    for (let part = 0; part < 100; part++) {
      const buffer = new ArrayBuffer(64 * 1024)
      came.push(new WeakRef(buffer))
      yield new Uint8Array(buffer, 7, 3).fill(part)
    }
    await turn()
    collect()
    held = came.filter((buffer) => buffer.deref() !== undefined).length
  }
  const bytes = await readBytes(body(), 300)
  expect([...bytes]).toEqual(Array.from({ length: 300 }, (_, at) => Math.floor(at / 3)))
  expect(held).toBeLessThan(10)
})

test("an answer of one part is that part, and a larger one than the bound is refused", async () => {
  const part = new Uint8Array([1, 2, 3])
  expect(await readBytes(sent(part), 3)).toEqual(part)
  expect(await readBytes(sent(), 3)).toHaveLength(0)
  await expect(readBytes(sent(part, part), 5)).rejects.toThrow("larger than 5 bytes")
})

async function* sent(...parts: readonly Uint8Array[]) {
  yield* parts
}
