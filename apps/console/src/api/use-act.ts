import { useMutation, useQueryClient } from '@tanstack/react-query'

/** Runs an act, and reads every list again: what it changed, and the audit log. */
export function useAct<Input, Output>(act: (input: Input) => Promise<Output>) {
  const client = useQueryClient()
  return useMutation({ mutationFn: act, onSuccess: () => client.invalidateQueries() })
}
