import { useSecondsUntil } from './use-seconds-until.ts'

/** Minutes and seconds that are left. Not announced every second: nobody could listen to anything else. */
export function Countdown({ until }: { until: number }) {
  const seconds = useSecondsUntil(until)
  const text = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
  return (
    <span role="timer" className="figures">
      {text}
    </span>
  )
}
