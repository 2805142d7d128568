import { type UseMutationOptions, useMutation } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'

/** As `useMutation` takes them, with a signal for what the work asks of the service. */
interface CancellableOptions<Data, Variables>
  extends Omit<UseMutationOptions<Data, Error, Variables>, 'mutationFn'> {
  readonly mutationFn: (signal: AbortSignal, variables: Variables) => Promise<Data>
}

/** A mutation that ends when the person cancels it, and when its screen is left. */
export function useCancellableMutation<Data, Variables = void>({
  mutationFn,
  ...options
}: CancellableOptions<Data, Variables>) {
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  const mutation = useMutation<Data, Error, Variables>({
    ...options,
    mutationFn: (variables) => {
      running.current?.abort()
      running.current = new AbortController()
      return mutationFn(running.current.signal, variables)
    },
  })
  return {
    ...mutation,
    cancel: () => {
      running.current?.abort()
      mutation.reset()
    },
  }
}
