import { comparePlans } from "./recorded-plans.ts"

comparePlans("coarse", 400)
