import { useLayoutEffect, useState } from "preact/hooks"

/** No plot of the page is narrower; its margins alone take half of it. */
const LEAST = 180

/**
 * The width of an element's content in pixels, so that text keeps its size. It is measured before
 * the first frame that shows the element. Its first part is the element's `ref`.
 */
export function useWidth(): readonly [(element: Element | null) => void, number] {
  const [element, setElement] = useState<Element | null>(null)
  const [width, setWidth] = useState(LEAST)
  useLayoutEffect(() => {
    if (element === null) return
    const take = (pixels: number): void => setWidth(Math.max(LEAST, Math.floor(pixels)))
    const { paddingLeft, paddingRight } = getComputedStyle(element)
    const padding = Number.parseFloat(paddingLeft) + Number.parseFloat(paddingRight)
    take(element.getBoundingClientRect().width - padding)
    const observer = new ResizeObserver(([entry]) => take(entry?.contentRect.width ?? 0))
    observer.observe(element)
    return () => observer.disconnect()
  }, [element])
  return [setElement, width]
}
