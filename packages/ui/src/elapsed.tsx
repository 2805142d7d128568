import { useEffect, useState } from 'react'
import { t } from './texts.ts'

/**
 * The elapsed time. Screen readers do not announce each second.
 *
 * @param since - milliseconds since 1970
 */
export function Elapsed({ since }: { since: number }) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  const seconds = Math.max(0, Math.floor((now - since) / 1_000))
  return (
    <span role="timer" className="figures">
      {seconds < 60
        ? `${seconds} s`
        : t('{minutes} min {seconds} s', { minutes: Math.floor(seconds / 60), seconds: seconds % 60 })}
    </span>
  )
}
