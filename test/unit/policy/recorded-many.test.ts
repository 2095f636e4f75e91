import { comparePlans } from "./recorded-plans.ts"

comparePlans("many", 225)
