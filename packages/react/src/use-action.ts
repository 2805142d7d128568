import { useCallback, useEffect, useRef, useState } from 'react'
import { isCancelled, type LanyardReactError, toReactError } from './react-error.ts'

interface Progress<Name> {
  readonly busy?: Name
  readonly error?: LanyardReactError
}

const stopped = (() => {
  const controller = new AbortController()
  controller.abort()
  return controller.signal
})()

/** Runs a component's actions, stores the state of the latest one, and closes an open prompt on unmount. */
export function useAction<Name extends string>(service: string) {
  const lifetime = useRef<AbortController>(undefined)
  useEffect(() => {
    const controller = new AbortController()
    lifetime.current = controller
    return () => controller.abort()
  }, [])
  const [progress, setProgress] = useState<Progress<Name>>({})
  const latest = useRef<Promise<unknown>>(undefined)

  const run = useCallback(
    <Result>(name: Name, act: (signal: AbortSignal) => Promise<Result>): Promise<Result | undefined> => {
      const signal = lifetime.current?.signal ?? stopped
      setProgress({ busy: name })
      const result = act(signal).catch((cause: unknown) => {
        if (isCancelled(cause)) return undefined
        throw toReactError(cause, service)
      })
      latest.current = result
      const show = (next: Progress<Name>) => {
        if (latest.current === result) setProgress(next)
      }
      result.then(
        () => show({}),
        // `error` stores the rejection, so a caller that does not await the promise does not have to catch
        // it.
        (error: LanyardReactError) => show({ error }),
      )
      return result
    },
    [service],
  )
  const reset = useCallback(() => {
    latest.current = undefined
    setProgress({})
  }, [])
  return { busy: progress.busy, error: progress.error, run, reset }
}
