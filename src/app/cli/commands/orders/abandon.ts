import { defineOrderChange } from "../../define-order-change.ts"

export const command = defineOrderChange("abandon", {
  summary: "abandon an order, as far as that is safe",
})
