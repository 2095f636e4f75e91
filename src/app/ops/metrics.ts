import { Counter, collectDefaultMetrics, Gauge, Registry } from "prom-client"
import { METRIC_FAMILIES, type MetricName, type Samples } from "./metric-families.ts"

export type Figures = {
  readonly ordersByState: ReadonlyMap<string, number>
  readonly services: readonly {
    readonly name: string
    readonly inFlight: number
    readonly resting: boolean
    /** Ended orders by outcome. */
    readonly outcomes: ReadonlyMap<string, number>
  }[]
  readonly inFlight: number
  readonly paused: boolean
  readonly alerts: number
  /** The last report of each chain: endpoints that agree, and that must. */
  readonly chains: readonly {
    readonly chain: string
    readonly endpoints: number
    readonly needed: number
    readonly agreeing: number
  }[]
  readonly clockJumped: boolean
  /** Wallets that hold less than the books say. */
  readonly differences: number
  readonly samples: Samples
}

/** Renders the figures as Prometheus text; `read` runs at each scrape. */
export function renderMetrics(read: () => Figures): () => Promise<string> {
  const registry = new Registry()
  const registers = [registry]
  // The process and its event loop, by the names that dashboards for Node know.
  collectDefaultMetrics({ register: registry })
  // Gauges whose names promise a counter.
  for (const name of ["handles", "requests", "resources"])
    registry.removeSingleMetric(`nodejs_active_${name}_total`)
  const families = createFamilies(registry)
  const gauges = createGauges(registers)
  return () => {
    const figures = read()
    fillGauges(gauges, figures)
    for (const [name, fill] of families) fill(figures.samples[name] ?? [])
    return registry.metrics()
  }
}

type Gauges = ReturnType<typeof createGauges>

function createGauges(registers: Registry[]) {
  return {
    orders: new Gauge({
      name: "ballast_orders",
      help: "Orders by state",
      labelNames: ["state"],
      registers,
    }),
    inFlight: new Gauge({
      name: "ballast_orders_in_flight",
      help: "Orders that have no outcome yet",
      registers,
    }),
    paused: new Gauge({
      name: "ballast_paused",
      help: "1 while everything is paused",
      registers,
    }),
    alerts: new Gauge({
      name: "ballast_alerts_recent",
      help: "Alerts among the last 1000 kept",
      registers,
    }),
    differences: new Gauge({
      name: "ballast_books_differences",
      help: "Wallets that hold less than the books say",
      registers,
    }),
    resting: new Gauge({
      name: "ballast_service_resting",
      help: "1 while a service is asked for no quotes after failures",
      labelNames: ["service"],
      registers,
    }),
    serviceOrders: new Gauge({
      name: "ballast_service_orders",
      help: "Orders by service or kind of route: in_flight, and the ended ones by outcome",
      labelNames: ["service", "state"],
      registers,
    }),
    endpoints: new Gauge({
      name: "ballast_chain_endpoints",
      help: "Endpoints of a chain: configured, needed for an agreement, and agreeing now",
      labelNames: ["chain", "state"],
      registers,
    }),
    clockJumped: new Gauge({
      name: "ballast_clock_jumped",
      help: "1 while no chain confirms the clock, so that new deposits wait",
      registers,
    }),
  }
}

function fillGauges(gauges: Gauges, figures: Figures): void {
  gauges.endpoints.reset()
  for (const { chain, ...counts } of figures.chains) {
    gauges.endpoints.set({ chain, state: "configured" }, counts.endpoints)
    gauges.endpoints.set({ chain, state: "needed" }, counts.needed)
    gauges.endpoints.set({ chain, state: "agreeing" }, counts.agreeing)
  }
  gauges.clockJumped.set(Number(figures.clockJumped))
  gauges.resting.reset()
  gauges.serviceOrders.reset()
  for (const { name: service, ...figure } of figures.services) {
    gauges.resting.set({ service }, Number(figure.resting))
    gauges.serviceOrders.set({ service, state: "in_flight" }, figure.inFlight)
    for (const [state, count] of figure.outcomes)
      gauges.serviceOrders.set({ service, state }, count)
  }
  gauges.orders.reset()
  for (const [state, count] of figures.ordersByState) gauges.orders.set({ state }, count)
  gauges.inFlight.set(figures.inFlight)
  gauges.paused.set(Number(figures.paused))
  gauges.alerts.set(figures.alerts)
  gauges.differences.set(figures.differences)
}

type Fill = (samples: NonNullable<Samples[MetricName]>) => void

/**
 * A counter is set, because the journal has counted: it goes on after a restart, and a scrape sees
 * no reset.
 */
function createFamilies(registry: Registry): readonly (readonly [MetricName, Fill])[] {
  // CAST: the keys of the record are its names.
  const names = Object.keys(METRIC_FAMILIES) as MetricName[]
  return names.map((name) => {
    const family: { help: string; labels: readonly string[]; counter?: true } =
      METRIC_FAMILIES[name]
    const shape = { name, help: family.help, labelNames: family.labels, registers: [registry] }
    if (family.counter === true) {
      const counter = new Counter(shape)
      return [
        name,
        (samples) => refill(counter, samples, (labels, value) => counter.inc(labels, value)),
      ]
    }
    const gauge = new Gauge(shape)
    return [name, (samples) => refill(gauge, samples, (labels, value) => gauge.set(labels, value))]
  })
}

function refill(
  metric: { reset: () => void; remove: (labels: Record<string, string>) => void },
  samples: NonNullable<Samples[MetricName]>,
  put: (labels: Record<string, string>, value: number) => void,
): void {
  metric.reset()
  // A reset leaves a zero in a metric without labels, and a part that was not read is not zero.
  if (samples.length === 0) metric.remove({})
  for (const { labels = {}, value } of samples) put({ ...labels }, value)
}
