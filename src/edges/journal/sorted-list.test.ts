import { expect, test } from "vitest"
import { createSortedList } from "./sorted-list.ts"

test("a list of many items stays sorted while items come and go", () => {
  const list = createSortedList<number>((a, b) => a - b)
  const kept = new Set<number>()
  for (let n = 0; n < 5_000; n++) {
    const item = (n * 7_919) % 10_007
    if (!kept.has(item)) list.add(item)
    kept.add(item)
    const gone = (n * 104_729) % 10_007
    if (n % 3 === 0) {
      list.remove(gone)
      kept.delete(gone)
    }
  }
  const wanted = [...kept].toSorted((a, b) => a - b)
  expect(list.all()).toEqual(wanted)
  for (const until of [-1, 0, 17, 5_000, 10_007])
    expect(list.takeWhile((item) => item <= until, 10_000)).toEqual(
      wanted.filter((item) => item <= until),
    )
  expect(list.takeWhile(() => true, 1_000)).toEqual(wanted.slice(0, 1_000))
})

test("an item that is not in the list is removed without a change", () => {
  const list = createSortedList<number>((a, b) => a - b)
  for (const item of [1, 3, 5]) list.add(item)
  for (const item of [0, 2, 6]) list.remove(item)
  expect(list.all()).toEqual([1, 3, 5])
  for (const item of [1, 3, 5]) list.remove(item)
  expect(list.takeWhile(() => true, 9)).toEqual([])
})
