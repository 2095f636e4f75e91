import { defineOrderChange } from "../../define-order-change.ts"

export const command = defineOrderChange("refund", {
  summary: "refund a deposit as soon as the HTLC allows it",
})
