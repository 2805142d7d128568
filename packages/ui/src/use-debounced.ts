import { useEffect, useState } from 'react'

/** The value once it has not changed for a while (350 ms, about the pause between two words). */
export function useDebounced<T>(value: T, milliseconds = 350): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), milliseconds)
    return () => clearTimeout(timer)
  }, [value, milliseconds])
  return settled
}
