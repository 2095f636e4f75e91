import { afterEach, test } from "vitest"
import { checkRow, closeWorld, ROWS } from "./told-secret-rows.ts"

afterEach(closeWorld)

test.each(ROWS.filter(({ isLost }) => isLost !== true))("row $row: $code", checkRow)
