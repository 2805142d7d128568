import { useDebounced } from '@lanyard/ui'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useSession } from '../sign-in/session-context.tsx'
import { fetchQuote, type PaymentRequest } from './quote.ts'

/** Milliseconds. Deposits become final and liquidity changes. */
const pollInterval = 10_000

const keyOf = (request: PaymentRequest | undefined) =>
  request && `${request.chainId} ${request.type} ${request.amount}`

/**
 * The price of a payment being typed, kept up to date. Idle without a request. The last price stays as
 * `outdated` until the next one is known.
 */
export function useQuote(request: PaymentRequest | undefined) {
  const { account } = useSession()
  const key = keyOf(request)
  // biome-ignore lint/correctness/useExhaustiveDependencies: equal requests are one
  const stable = useMemo(() => request, [key])
  const settled = useDebounced(stable)
  const quote = useQuery({
    queryKey: ['quote', account, keyOf(settled)],
    queryFn: ({ signal }) => (settled ? fetchQuote(account, settled, signal) : undefined),
    enabled: settled !== undefined,
    refetchInterval: pollInterval,
    placeholderData: keepPreviousData,
  })
  return { ...quote, outdated: quote.isPlaceholderData || key !== keyOf(settled) }
}
