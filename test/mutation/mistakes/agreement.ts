import type { MistakesOfRoom } from "../mistake.ts"

export const agreementMistakes: MistakesOfRoom = {
  room: "chains",
  tests: ["src/chains/agreement.test.ts"],
  mistakes: [
    {
      name: "one endpoint of many is enough by default",
      file: "src/chains/agreement.ts",
      find: "configured ?? Math.min(2, endpoints)",
      replace: "configured ?? 1",
    },
    {
      name: "one endpoint alone waits for a second for ever",
      file: "src/chains/agreement.ts",
      find: "configured ?? Math.min(2, endpoints)",
      replace: "configured ?? 2",
    },
    {
      name: "the configured agreement is ignored",
      file: "src/chains/agreement.ts",
      find: "configured ?? Math.min(2, endpoints)",
      replace: "endpoints < 0 ? (configured ?? 0) : Math.min(2, endpoints)",
    },
    {
      name: "a majority is enough although more answers are needed",
      file: "src/chains/agreement.ts",
      find: "first.length >= needed && value !== null && first.length",
      replace: "first.length >= Math.min(needed, 2) && value !== null && first.length",
    },
    {
      name: "the first of two equal groups wins",
      file: "src/chains/agreement.ts",
      find: "first.length > (second?.length ?? 0)",
      replace: "first.length >= (second?.length ?? 0)",
    },
    {
      name: "the smallest group wins",
      file: "src/chains/agreement.ts",
      find: "b.length - a.length",
      replace: "a.length - b.length",
    },
    {
      name: "contradictions are a shortage",
      file: "src/chains/agreement.ts",
      find: 'groups.size > 1 ? { status: "split", answers: given }',
      replace: 'groups.size > 2 ? { status: "split", answers: given }',
    },
    {
      name: "failed answers count as equal answers",
      file: "src/chains/agreement.ts",
      find: "const given = answers.flatMap((answer) => (answer.ok ? [answer] : []))",
      replace:
        "const given = answers.map((answer) => (answer.ok ? answer : { ...(answers.find(({ ok }) => ok) as (EndpointAnswer<T> & { ok: true })) }))",
    },
    {
      name: "dissent is not told",
      file: "src/chains/agreement.ts",
      find: "dissent: given.filter((answer) => !first.includes(answer))",
      replace: "dissent: []",
    },
    {
      name: "the highest head is the agreed head",
      file: "src/chains/agreement.ts",
      find: "[needed - 1] ?? null",
      replace: "[0] ?? null",
    },
    {
      name: "the head after the needed one is agreed",
      file: "src/chains/agreement.ts",
      find: "[needed - 1] ?? null",
      replace: "[needed] ?? null",
    },
    {
      name: "heads are counted from the lowest",
      file: "src/chains/agreement.ts",
      find: "(a < b ? 1 : a > b ? -1 : 0)",
      replace: "(a < b ? -1 : a > b ? 1 : 0)",
    },
  ],
}
