import { comparePlans } from "./recorded-plans.ts"

comparePlans("scheduled", 500)
