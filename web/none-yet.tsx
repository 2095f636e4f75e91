import type { JSX } from "preact"
import type { Overview } from "./answers.ts"
import { When } from "./parts.tsx"

/** What is empty, when that ends, and a look at it before. */
export function NoneYet(props: { what: string; overview: Overview | null }): JSX.Element {
  const { what, overview } = props
  const [next] = overview?.next ?? []
  if (next === undefined) return <>{what}. A rule or a new swap makes the first one.</>
  return (
    <>
      {what}. The rule {next.rule} decides <When at={next.at} />;{" "}
      <a href={`#/simulate/${encodeURIComponent(next.rule)}`}>simulate it</a> now.
    </>
  )
}
