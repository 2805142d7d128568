import { useEffect, useState } from 'react'

/**
 * Whole seconds until a time; 0 once it has passed.
 *
 * @param moment - milliseconds since 1970
 */
export function useSecondsUntil(moment: number): number {
  const [now, setNow] = useState(Date.now)
  const left = Math.max(0, Math.ceil((moment - now) / 1_000))
  const counting = left > 0 && Number.isFinite(moment)
  useEffect(() => {
    if (!counting) return
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [counting])
  return left
}
