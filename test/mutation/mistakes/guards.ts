import type { MistakesOfRoom } from "../mistake.ts"

export const guardMistakes: MistakesOfRoom = {
  room: "guards",
  tests: ["src/guards", "test/property/limits.test.ts", "test/engine/limits.test.ts"],
  mistakes: [
    {
      name: "a rule's looser cost limit replaces the general one",
      file: "src/guards/price.ts",
      find: "ruleMaxCost === null ? [maxCost] : [maxCost, ruleMaxCost]",
      replace: "ruleMaxCost === null ? [maxCost] : [ruleMaxCost]",
    },
    {
      name: "a quote that pays nothing is accepted",
      file: "src/guards/price.ts",
      find: "quote.destinationUnits <= 0n",
      replace: "quote.destinationUnits < 0n",
    },
    {
      name: "a cost that equals the limit plus one basis point passes",
      file: "src/guards/price.ts",
      find: "basisPoints(lostFiat, sourceFiat) > limit.bps",
      replace: "basisPoints(lostFiat, sourceFiat) > limit.bps + 1n",
    },
  ],
}
