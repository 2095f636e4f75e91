import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { formatJsonSchema } from "#config/schema/json-schema.ts"
import { describeMachine, exportMachine } from "#order/describe-machine.ts"
import { formatTestSchema } from "#policy-test/file-schema.ts"
import { formatRules } from "../test/proof/formal/format-rules.ts"
import { formatOpenApi } from "./api-docs.ts"
import { bundleDashboard } from "./bundle-dashboard.ts"
import { formatClientTypes } from "./client-types.ts"
import { refreshCommandDocs } from "./command-docs.ts"
import { refreshConfigDocs } from "./config-docs.ts"
import { refreshDeskChecklist } from "./desk-docs.ts"
import { refreshFaultTable } from "./fault-docs.ts"
import { describeLicences } from "./licence-docs.ts"
import { refreshPropertyTable } from "./property-docs.ts"
import { refreshWorkTable } from "./work-table-docs.ts"

/** Writes every generated file of the project. */
const root = join(import.meta.dirname, "..")
writeFileSync(join(root, "src/core/order/machine.md"), describeMachine())
writeFileSync(join(root, "src/core/order/machine.json"), exportMachine())
writeFileSync(join(root, "config/ballast.schema.json"), formatJsonSchema())
writeFileSync(join(root, "docs/openapi.json"), formatOpenApi())
for (const [name, text] of Object.entries(formatClientTypes(formatOpenApi())))
  writeFileSync(join(root, "src/app/client", name), text)
writeFileSync(join(root, "config/policy-test.schema.json"), formatTestSchema())
const testDocs = join(root, "docs/POLICY-TESTS.md")
writeFileSync(testDocs, refreshPropertyTable(readFileSync(testDocs, "utf8")))
const configDocs = join(root, "docs/CONFIG.md")
writeFileSync(configDocs, refreshConfigDocs(readFileSync(configDocs, "utf8")))
const architecture = join(root, "docs/ARCHITECTURE.md")
writeFileSync(architecture, refreshWorkTable(readFileSync(architecture, "utf8")))
const desk = join(root, "docs/DESK.md")
writeFileSync(desk, refreshDeskChecklist(readFileSync(desk, "utf8")))
const faults = join(root, "docs/FAULTS.md")
writeFileSync(faults, refreshFaultTable(readFileSync(faults, "utf8")))
const commands = join(root, "docs/COMMANDS.md")
writeFileSync(commands, refreshCommandDocs(readFileSync(commands, "utf8")))
writeFileSync(join(root, "test/proof/formal/rules.pml"), formatRules())
writeFileSync(join(root, "docs/LICENCES.md"), describeLicences())
for (const { name, text } of await bundleDashboard(root))
  writeFileSync(join(root, "src/app/ops/page", name), text)
