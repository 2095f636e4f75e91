import { defineOrderChange } from "../../define-order-change.ts"

export const command = defineOrderChange("redeem", {
  summary: "redeem a payout after Ballast has told its secret, without waiting for the service",
  details: "It never tells a secret itself: until the payout is proven it says what is missing.",
})
