import { defineOrderChange } from "../../define-order-change.ts"

export const command = defineOrderChange("retry", {
  summary: "let a held order continue",
})
