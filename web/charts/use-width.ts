import { useEffect, useState } from "preact/hooks"

/**
 * The width of an element in pixels, so that a plot's text keeps its size; 0 until it is there. Its
 * first part is the element's `ref`.
 */
export function useWidth(): readonly [(element: Element | null) => void, number] {
  const [element, setElement] = useState<Element | null>(null)
  const [width, setWidth] = useState(0)
  useEffect(() => {
    if (element === null) return
    const observer = new ResizeObserver(([entry]) =>
      setWidth(Math.floor(entry?.contentRect.width ?? 0)),
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [element])
  return [setElement, width]
}
