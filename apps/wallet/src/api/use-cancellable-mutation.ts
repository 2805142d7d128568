import { type UseMutationOptions, useMutation } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'

/** Options of `useMutation`, with a signal for requests to the service. */
interface CancellableOptions<Data, Variables>
  extends Omit<UseMutationOptions<Data, Error, Variables>, 'mutationFn'> {
  readonly mutationFn: (signal: AbortSignal, variables: Variables) => Promise<Data>
}

/** A mutation that ends when the person cancels it or leaves its screen. */
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
