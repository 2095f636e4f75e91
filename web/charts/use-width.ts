import { useEffect, useState } from "preact/hooks"

/** No plot of the page is narrower; its margins alone take half of it. */
const LEAST = 180

/**
 * The width of an element in pixels, so that text keeps its size; the least until it is
 * there. Its first part is the element's `ref`.
 */
export function useWidth(): readonly [(element: Element | null) => void, number] {
  const [element, setElement] = useState<Element | null>(null)
  const [width, setWidth] = useState(LEAST)
  useEffect(() => {
    if (element === null) return
    const observer = new ResizeObserver(([entry]) =>
      setWidth(Math.max(LEAST, Math.floor(entry?.contentRect.width ?? 0))),
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [element])
  return [setElement, width]
}
