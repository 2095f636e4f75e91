import { measureBareScript } from "../bare-script.ts"
import { atLeast, atMost, type Part, type Row } from "../row.ts"
import { measureOrders } from "../run-orders.ts"

const SIZES = [1, 16, 256, 1_024]
/** Per core: nearly all of the work is on one. */
const ORDERS_A_SECOND = 300

/** Orders a second and the processor time of one, by the number at once; then both beside the bare script. */
export const throughput: Part = async (quick) => {
  const rows: Row[] = []
  for (const atOnce of quick ? SIZES.slice(0, 3) : SIZES) {
    const count = Math.max(8, Math.min(atOnce * 2, 1_024))
    const { seconds, cpuMs } = await measureOrders({ count, atOnce })
    const goal = atOnce < 256 ? null : atLeast(ORDERS_A_SECOND)
    rows.push({ what: `orders a second, ${atOnce} at once`, value: count / seconds, unit: "/s", goal })
    rows.push({ what: `processor time of an order, ${atOnce} at once`, value: cpuMs, unit: "ms", goal: atMost(3) })
  }
  for (const [callMs, goal] of [
    [0, 0.25],
    [20, 0.8],
  ] as const) {
    const size = { count: 512, atOnce: 256, callMs }
    const [ours, bare] = [await measureOrders(size), await measureBareScript(size)]
    const share = bare.seconds / ours.seconds
    const what = `throughput as a share of the bare script's, ${callMs} ms a call`
    rows.push({ what, value: share, unit: "×", goal: atLeast(goal) })
    if (callMs === 0) rows.push({ what: "processor time of a bare swap", value: bare.cpuMs, unit: "ms", goal: null })
  }
  return rows
}
