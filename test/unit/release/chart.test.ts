import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { parse } from "yaml"
import { z } from "zod"
import { CHART_VALUES, renderChart, valueAt } from "../../support/render-chart.ts"

const PACKAGING = join(import.meta.dirname, "../../../packaging")
const STORES = "volumeClaimTemplates"

/** The part of the interface of Kubernetes that the chart uses; another key is a mistake. */
const name = z.strictObject({ name: z.string() })
const labels = z.record(z.string(), z.string())
const probe = z.strictObject({
  exec: z.strictObject({ command: z.tuple([z.string(), z.literal("-e"), z.string()]) }),
  timeoutSeconds: z.number(),
  periodSeconds: z.number(),
  initialDelaySeconds: z.number().optional(),
})
const container = z.strictObject({
  name: z.string(),
  image: z.string(),
  imagePullPolicy: z.enum(["Always", "IfNotPresent", "Never"]),
  env: z.array(z.strictObject({ name: z.string(), value: z.string() })),
  ports: z.array(z.strictObject({ name: z.literal("ops"), containerPort: z.int() })),
  livenessProbe: probe,
  readinessProbe: probe,
  securityContext: z.strictObject({
    allowPrivilegeEscalation: z.literal(false),
    readOnlyRootFilesystem: z.literal(true),
    capabilities: z.strictObject({ drop: z.tuple([z.literal("ALL")]) }),
  }),
  resources: z.strictObject({ requests: labels, limits: labels }),
  volumeMounts: z.array(
    z.strictObject({
      name: z.string(),
      mountPath: z.string(),
      readOnly: z.literal(true).optional(),
    }),
  ),
})
const statefulSet = z.strictObject({
  apiVersion: z.literal("apps/v1"),
  kind: z.literal("StatefulSet"),
  metadata: z.strictObject({ name: z.string(), labels }),
  spec: z.strictObject({
    serviceName: z.string(),
    replicas: z.literal(1),
    selector: z.strictObject({ matchLabels: labels }),
    template: z.strictObject({
      metadata: z.strictObject({ labels }),
      spec: z.strictObject({
        automountServiceAccountToken: z.literal(false),
        terminationGracePeriodSeconds: z.int(),
        securityContext: z.strictObject({
          runAsNonRoot: z.literal(true),
          runAsUser: z.int(),
          runAsGroup: z.int(),
          fsGroup: z.int(),
          seccompProfile: z.strictObject({ type: z.literal("RuntimeDefault") }),
        }),
        containers: z.tuple([container]),
        volumes: z.array(
          z.union([
            name.extend({ configMap: name }),
            name.extend({
              secret: z.strictObject({ secretName: z.string(), defaultMode: z.int() }),
            }),
            name.extend({ emptyDir: z.strictObject({}) }),
          ]),
        ),
      }),
    }),
    [STORES]: z.tuple([
      z.strictObject({
        metadata: name,
        spec: z.strictObject({
          accessModes: z.tuple([z.literal("ReadWriteOnce")]),
          storageClassName: z.string().optional(),
          resources: z.strictObject({ requests: z.strictObject({ storage: z.string() }) }),
        }),
      }),
    ]),
  }),
})
const configMap = z.strictObject({
  apiVersion: z.literal("v1"),
  kind: z.literal("ConfigMap"),
  metadata: name,
  data: z.strictObject({ "ballast.yaml": z.string() }),
})
const service = z.strictObject({
  apiVersion: z.literal("v1"),
  kind: z.literal("Service"),
  metadata: name,
  spec: z.strictObject({
    selector: labels,
    ports: z.array(
      z.strictObject({ name: z.literal("ops"), port: z.int(), targetPort: z.literal("ops") }),
    ),
  }),
})
const resource = z.discriminatedUnion("kind", [configMap, service, statefulSet])

const filled = { ...CHART_VALUES, config: "mode: observe\ndata_dir: /data/data\n" }

test("the chart gives a config map, a service and a stateful set that belong together", () => {
  const resources = renderChart(filled).map((one) => resource.parse(one))
  expect(resources.map(({ kind }) => kind).sort()).toEqual(["ConfigMap", "Service", "StatefulSet"])
  const set = statefulSet.parse(resources.find(({ kind }) => kind === "StatefulSet"))
  const map = configMap.parse(resources.find(({ kind }) => kind === "ConfigMap"))
  expect(parse(map.data["ballast.yaml"])).toEqual({ mode: "observe", data_dir: "/data/data" })
  const { containers, volumes } = set.spec.template.spec
  const mounted = containers[0].volumeMounts.map((mount) => mount.name)
  const there = [...volumes, ...set.spec[STORES].map(({ metadata }) => metadata)]
  expect(mounted.toSorted()).toEqual(there.map((one) => one.name).toSorted())
  expect(set.spec.selector.matchLabels).toEqual({ "app.kubernetes.io/instance": "treasury" })
  expect(set.spec.template.metadata.labels).toMatchObject(set.spec.selector.matchLabels)
})

test("each value of the chart has an effect", () => {
  const paths = listPaths(CHART_VALUES)
  expect(paths.length).toBeGreaterThan(8)
  const before = JSON.stringify(renderChart(filled))
  const idle = paths.filter((path) => {
    const changed = structuredClone(filled)
    setAt(changed, path, path === "port" ? 7071 : "Never")
    return JSON.stringify(renderChart(changed)) === before
  })
  expect(idle).toEqual([])
})

function listPaths(value: unknown, path = ""): readonly string[] {
  if (typeof value !== "object" || value === null) return [path]
  return Object.entries(value).flatMap(([key, one]) =>
    listPaths(one, path === "" ? key : `${path}.${key}`),
  )
}

function setAt(root: Record<string, unknown>, path: string, value: unknown): void {
  const keys = path.split(".")
  const last = keys.pop() ?? ""
  // CAST: the path leads through maps.
  const map = (keys.length === 0 ? root : valueAt(root, keys.join("."))) as Record<string, unknown>
  map[last] = value
}

test("the compose file has one service, its volume, and a health check of its own Node", () => {
  const compose = z
    .strictObject({
      services: z.strictObject({
        ballast: z.strictObject({
          image: z.string(),
          restart: z.literal("unless-stopped"),
          stop_grace_period: z.string().regex(/^\d+s$/),
          read_only: z.literal(true),
          cap_drop: z.tuple([z.literal("ALL")]),
          security_opt: z.tuple([z.literal("no-new-privileges:true")]),
          tmpfs: z.tuple([z.literal("/tmp")]),
          environment: z.strictObject({ BALLAST_KEYSTORE_PASSWORD: z.string() }),
          volumes: z.array(z.string().regex(/^[\w./-]+:\/data[\w./-]*(:ro)?$/)),
          healthcheck: z.strictObject({
            test: z.array(z.string()),
            interval: z.string(),
            timeout: z.string(),
            start_period: z.string(),
          }),
        }),
      }),
      volumes: z.record(z.string(), z.strictObject({})),
    })
    .parse(parse(readFileSync(join(PACKAGING, "compose.yaml"), "utf8").replace("@@", "@sha256:")))
  const { volumes, healthcheck } = compose.services.ballast
  const named = volumes.map((one) => one.split(":")[0] ?? "").filter((one) => !one.startsWith("."))
  expect(named).toEqual(Object.keys(compose.volumes))
  expect(healthcheck.test[0]).toBe("CMD")
  const { containers } = statefulSet.parse(
    renderChart(filled).find((one) => resource.parse(one).kind === "StatefulSet"),
  ).spec.template.spec
  const [{ livenessProbe, readinessProbe }] = containers
  expect(healthcheck.test.slice(1)).toEqual(livenessProbe.exec.command)
  const ready = livenessProbe.exec.command[2].replace("/healthz", "/readyz")
  expect(readinessProbe.exec.command[2]).toBe(ready)
})
