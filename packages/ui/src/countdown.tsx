import { useSecondsUntil } from './use-seconds-until.ts'

/**
 * Remaining minutes and seconds. Screen readers do not announce each second, which would drown out everything
 * else.
 */
export function Countdown({ until }: { until: number }) {
  const seconds = useSecondsUntil(until)
  const text = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
  return (
    <span role="timer" className="figures">
      {text}
    </span>
  )
}
