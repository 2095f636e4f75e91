import { comparePlans } from "./recorded-plans.ts"

comparePlans("any", 500)
