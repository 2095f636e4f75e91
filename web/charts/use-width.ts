import type { RefObject } from "preact"
import { useEffect, useRef, useState } from "preact/hooks"

/** The width of an element in pixels, so that a plot's text keeps its size; 0 before the first. */
export function useWidth<Shown extends Element>(): readonly [RefObject<Shown | null>, number] {
  const ref = useRef<Shown | null>(null)
  const [width, setWidth] = useState(0)
  useEffect(() => {
    if (ref.current === null) return
    const observer = new ResizeObserver(([entry]) =>
      setWidth(Math.floor(entry?.contentRect.width ?? 0)),
    )
    observer.observe(ref.current)
    return () => observer.disconnect()
  }, [])
  return [ref, width]
}
