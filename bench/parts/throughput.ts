import { measureBareScript } from "../bare-script.ts"
import { atLeast, atMost, type Part, type Row } from "../row.ts"
import { measureOrders } from "../run-orders.ts"
import { measureRawInserts } from "./floor.ts"

const SIZES = [1, 16, 256, 1_024]
/** Per core: nearly all of the work is on one. */
const ORDERS_A_SECOND = 300
/** A daemon runs for months, so orders with code that is not compiled yet are no measure. */
const WARM = { count: 128, atOnce: 64 }
/**
 * The calls of an order that must follow one another, as `writes` counts them, without those that
 * run side by side.
 */
const CALLS_IN_ROW = 10

/**
 * Orders a second and the processor time of one, by the number at once; then both beside the bare
 * script.
 */
export const throughput: Part = async (quick) => {
  await measureOrders(WARM)
  await measureBareScript(WARM)
  const rows: Row[] = []
  const bareCpuMs = (await measureBareScript({ count: 1_024, atOnce: 256 })).cpuMs
  const floorMs = bareCpuMs + measureRawInserts()
  for (const atOnce of quick ? SIZES.slice(0, 3) : SIZES) {
    const count = Math.max(32, Math.min(atOnce * 4, 1_024))
    const { seconds, cpuMs } = await measureOrders({ count, atOnce })
    const isCrowd = atOnce >= 256
    const rate = {
      value: count / seconds,
      unit: "/s",
      ...(isCrowd ? { floor: 1_000 / floorMs } : {}),
    }
    rows.push({
      what: `orders a second, ${atOnce} at once`,
      goal: null,
      ...(isCrowd ? { left: atLeast(ORDERS_A_SECOND) } : {}),
      ...rate,
    })
    const cpu = { value: cpuMs, unit: "ms", goal: null, left: atMost(3), floor: floorMs }
    rows.push({ what: `processor time of an order, ${atOnce} at once`, ...cpu })
  }
  rows.push({ what: "processor time of a bare swap", value: bareCpuMs, unit: "ms", goal: null })
  for (const [callMs, share] of [
    [0, 0.25],
    [20, 0.8],
  ] as const) {
    const size = { count: 512, atOnce: 256, callMs }
    const ours = await measureOrders(size)
    const bare = await measureBareScript(size)
    const floorSeconds =
      Math.max(size.count * floorMs, CALLS_IN_ROW * callMs * (size.count / size.atOnce)) / 1_000
    // Without waits both are processor time, which other work on the machine changes least.
    const floor = callMs === 0 ? bareCpuMs / floorMs : Math.min(1, bare.seconds / floorSeconds)
    rows.push({
      what: `throughput as a share of the bare script's, ${callMs} ms a call`,
      unit: "×",
      goal: null,
      left: atLeast(share),
      value: bare.seconds / ours.seconds,
      floor,
    })
  }
  return rows
}
