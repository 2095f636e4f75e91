import type { JSX } from "preact"
import { useContext } from "preact/hooks"
import { axisNumber } from "#backtest/plot/axis.ts"
import type { Flows } from "../answers.ts"
import { money, nameChain } from "../format.ts"
import { Chain, ChainOrder, Empty, Fiat, Table, useChainClass } from "../parts.tsx"
import { layOutFlows, type Node, type Ribbon } from "./lay-out-flows.ts"
import { useWidth } from "./use-width.ts"

type Chains = Flows["chains"]

const NODE = 7

/** Own moves between chains: heights by value, ribbons in the colour of their source. */
export function FlowChart({ chains }: { chains: Chains }): JSX.Element {
  const order = useContext(ChainOrder)
  const [ref, width] = useWidth()
  const flows = chains.map(({ from, to, volumeFiat }) => ({ from, to, value: Number(volumeFiat) }))
  const { left, right, ribbons, height } = layOutFlows(flows, order)
  if (ribbons.length === 0) return <Empty>No swap was paid out in this time.</Empty>
  const gutter = Math.min(150, width * 0.36)
  const words = ribbons
    .map(({ from, to, value }) => `${nameChain(from)} to ${nameChain(to)} ${money(String(value))}`)
    .join(", ")
  return (
    <figure class="chart" ref={ref}>
      <svg width={width} height={height + 8} role="img" aria-label={`Moved: ${words}`}>
        {ribbons.map((one) => (
          <RibbonPath key={`${one.from} ${one.to}`} ribbon={one} x1={gutter} x2={width - gutter} />
        ))}
        {left.map((node) => (
          <NodeBar key={node.chain} of={node} x={gutter - NODE} labelX={gutter - NODE - 8} isLeft />
        ))}
        {right.map((node) => (
          <NodeBar
            key={node.chain}
            of={node}
            x={width - gutter}
            labelX={width - gutter + NODE + 8}
          />
        ))}
      </svg>
    </figure>
  )
}

function RibbonPath({ ribbon, x1, x2 }: { ribbon: Ribbon; x1: number; x2: number }): JSX.Element {
  const classOf = useChainClass()
  const { from, to, value, top, bottom, height } = ribbon
  const mid = (x1 + x2) / 2
  const path =
    `M${x1} ${top}C${mid} ${top} ${mid} ${bottom} ${x2} ${bottom}V${bottom + height}` +
    `C${mid} ${bottom + height} ${mid} ${top + height} ${x1} ${top + height}Z`
  return (
    <path class={`flow ${classOf(from)}`} d={path}>
      <title>{`${nameChain(from)} → ${nameChain(to)}: ${money(String(value))}`}</title>
    </path>
  )
}

function NodeBar(props: { of: Node; x: number; labelX: number; isLeft?: boolean }): JSX.Element {
  const classOf = useChainClass()
  const { of, x, labelX, isLeft = false } = props
  const anchor = isLeft ? "end" : "start"
  const y = of.y + Math.max(11, of.height / 2 - 3)
  return (
    <>
      <rect class={`node ${classOf(of.chain)}`} x={x} y={of.y} width={NODE} height={of.height} />
      <text class="strong" x={labelX} y={y} text-anchor={anchor}>
        {nameChain(of.chain)}
      </text>
      <text x={labelX} y={y + 14} text-anchor={anchor}>
        ${axisNumber(of.value)}
      </text>
    </>
  )
}

/** The same as a table, with orders and cost. */
export function FlowTable({ chains }: { chains: Chains }): JSX.Element {
  return (
    <Table
      figures
      caption="Own moves between chains"
      columns={["From → to", "Orders", "Moved", "Cost", "bps"]}
      rows={chains.map(({ from, to, orders, volumeFiat, costFiat, costBps }) => ({
        key: `${from} ${to}`,
        cells: [
          <span key="pair">
            <Chain id={from} /> → <Chain id={to} />
          </span>,
          orders,
          <Fiat key="moved" fiat={volumeFiat} />,
          <Fiat key="cost" fiat={costFiat} />,
          costBps ?? "–",
        ],
      }))}
    />
  )
}
