import { Counter, collectDefaultMetrics, Gauge, Registry } from "prom-client"
import { METRIC_FAMILIES, type MetricName, type Samples } from "./metric-families.ts"

/** Renders the samples as Prometheus text; `read` runs at each scrape. */
export function renderMetrics(read: () => Samples | Promise<Samples>): () => Promise<string> {
  const registry = new Registry()
  // The process and its event loop, by the names that dashboards for Node know.
  collectDefaultMetrics({ register: registry })
  // Gauges whose names promise a counter.
  for (const name of ["handles", "requests", "resources"])
    registry.removeSingleMetric(`nodejs_active_${name}_total`)
  const families = createFamilies(registry)
  return async () => {
    const samples = await read()
    for (const [name, fill] of families) fill(samples[name] ?? [])
    return registry.metrics()
  }
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
