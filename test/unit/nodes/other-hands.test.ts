import { afterEach, describe, expect, test } from "vitest"
import { FAMILIES } from "./families.ts"
import { describeError, type Hand, honest, openNodes, stopNodes } from "./open-nodes.ts"

afterEach(stopNodes)

/*
 * A node that says the same as another one, in other signs: it counts, or its answer is refused in
 * words. It is never a contradiction between the two.
 */

type Answer = { readonly id?: number | string; readonly result?: unknown }

/** Changes the answers of a batch, and leaves any other body as it is. */
const inBatch =
  (change: (answers: readonly Answer[]) => unknown): Hand =>
  (text) =>
    text.startsWith("[{") && text.includes('"jsonrpc"')
      ? JSON.stringify(change(JSON.parse(text)))
      : text

const eachAnswer =
  (change: (answer: Answer) => Answer): Hand =>
  (text) => {
    if (!text.includes('"jsonrpc"')) return text
    const given = JSON.parse(text)
    return JSON.stringify(Array.isArray(given) ? given.map(change) : change(given))
  }

const asText = (_key: string, value: unknown): unknown =>
  typeof value === "number" ? `${value}` : value

const SAME: readonly (readonly [string, Hand])[] = [
  [
    "hex digits in capitals",
    (text) => text.replace(/(?<="0x)[0-9a-f]+/g, (hex) => hex.toUpperCase()),
  ],
  ["zeros before a quantity", (text) => text.replace(/"0x([0-9a-f]{1,20})"/g, '"0x000$1"')],
  ["a mark of byte order", (text) => `\ufeff${text}`],
  ["ids as texts", eachAnswer((answer) => ({ ...answer, id: `${answer.id}` }))],
  ["another order in a batch", inBatch((answers) => answers.toReversed())],
  ["a batch without its last answer", inBatch((answers) => answers.slice(0, -1))],
  ["the first answer of a batch alone", inBatch(([first]) => first)],
  ["an answer of a batch twice", inBatch((answers) => [...answers.slice(0, -1), answers[0]])],
  ["an answer too many", inBatch((answers) => [...answers, { ...answers[0], id: 99 }])],
  ["no version", eachAnswer((answer) => ({ ...answer, jsonrpc: undefined }))],
]

/** Not the form of the specification, so that it may be refused. */
const STRANGE: readonly (readonly [string, Hand])[] = [
  ["a list around a lone answer", (text) => (text.startsWith('{"jsonrpc') ? `[${text}]` : text)],
  [
    "numbers as texts",
    (text) => (/^[[{]/.test(text) ? JSON.stringify(JSON.parse(text, asText)) : text),
  ],
  ["a capital X", (text) => text.replace(/"0x/g, '"0X')],
  ["hex without its mark", (text) => text.replace(/"0x/g, '"')],
  ["numbers with a fraction", (text) => text.replace(/(?<=[:[])(\d+)(?=[,}\]])/g, "$1.0")],
  ["numbers with an exponent", (text) => text.replace(/(?<=[:[])(\d+)(?=[,}\]])/g, "$1e0")],
  [
    "a result inside of a result",
    eachAnswer((answer) => ({ ...answer, result: { result: answer.result } })),
  ],
]

describe.each(Object.entries(FAMILIES))("%s, where a node writes", (_name, family) => {
  test.each(SAME)("%s", async (_what, hand) => {
    const { read } = await openNodes(family, [honest, honest], 2, 2_000, [hand])
    expect(await read().catch(describeError)).toBe(5n)
  })

  test.each(STRANGE)("%s", async (_what, hand) => {
    const { read } = await openNodes(family, [honest, honest, honest], 2, 2_000, [hand])
    expect(await read().catch(describeError)).toBe(5n)
    const alone = await openNodes(family, [honest], 1, 2_000, [hand])
    const found = await alone.read().catch(describeError)
    if (found !== 5n)
      expect(found).toMatch(/nonsense|is not an|answers|another (network|cluster)|on chain/)
  })
})
