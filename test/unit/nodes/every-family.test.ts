import { afterEach, describe, expect, test } from "vitest"
import { SLOWNESS } from "../../support/slowness.ts"
import { FAMILIES } from "./families.ts"
import {
  type Behaviour,
  describeError,
  does,
  HOUR_MS,
  honest,
  inTurn,
  openNodes,
  show,
  stopNodes,
} from "./open-nodes.ts"

afterEach(stopNodes)

/*
 * One quorum reader: what holds for the endpoints of one family holds for those of all. A row is a
 * situation of the nodes, and a fact that enough of them must agree on.
 */

const AGREED = 5n
const SPLIT = /disagreement|contradict/
const SHORT = /agreement_short/

type Row = readonly [
  name: string,
  nodes: readonly Behaviour[],
  needed: number,
  found: bigint | RegExp,
]

const ROWS: readonly Row[] = [
  ["all agree", [honest, honest, honest], 2, AGREED],
  ["one of three lies", [show({ units: 6 }), honest, honest], 2, AGREED],
  ["one of two lies", [show({ units: 6 }), honest], 2, SPLIT],
  ["two of three lie, each in its way", [show({ units: 6 }), show({ units: 7 }), honest], 2, SPLIT],
  ["two lie against two", [show({ units: 6 }), honest, show({ units: 6 }), honest], 2, SPLIT],
  ["one of two lies, and one is enough", [show({ units: 6 }), honest], 1, SPLIT],
  [
    "two of five lie, three are needed",
    [0, 1, 2].map(() => honest).concat(show({ units: 6 }), show({ units: 6 })),
    3,
    AGREED,
  ],
  ["one claims a far head", [show({ height: 9_999_999, units: 6 }), honest, honest], 2, AGREED],
  [
    "one is a block behind, with the fact of then",
    [show({ height: 999, units: 4 }), honest, honest],
    2,
    AGREED,
  ],
  [
    "one stalled a day ago",
    [show({ height: 10, ageMs: 24 * HOUR_MS, units: 4 }), honest, honest],
    2,
    AGREED,
  ],
  [
    "one is a balancer of unequal nodes",
    [inTurn({}, { height: 999, units: 4 }), honest, honest],
    2,
    AGREED,
  ],
  ["one has pruned the fact", [does("refusal"), honest, honest], 2, AGREED],
  ["one is silent", [does("silence"), honest, honest], 2, AGREED],
  ["one limits its requests", [does("limit"), honest, honest], 2, AGREED],
  ["one shows the page of a proxy", [does("page"), honest, honest], 2, AGREED],
  [
    "one is on another network",
    [show({ network: "another", units: 6 }), honest, honest],
    2,
    AGREED,
  ],
  ["one of two is on another network", [show({ network: "another", units: 6 }), honest], 2, SHORT],
  ["one of two is silent", [does("silence"), honest], 2, SHORT],
]

describe.each(Object.entries(FAMILIES))("%s, where", (_name, family) => {
  test.each(ROWS)("%s", async (_what, nodes, needed, found) => {
    // Without an answer that counts, the time-out alone ends a read.
    const timeoutMs = found === SHORT ? 100 * SLOWNESS : 2_000
    const { read } = await openNodes(family, nodes, needed, timeoutMs)
    const answer = await read().catch(describeError)
    if (found instanceof RegExp) expect(answer).toMatch(found)
    else expect(answer).toBe(found)
  })
})
