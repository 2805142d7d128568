import { createLanyardClient } from '@lanyard/client'
import { QueryClient, QueryClientContext, QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useContext, useMemo, useState } from 'react'
import { createAccountStore } from './account-store.ts'
import { LanyardContext, type LanyardContextValue } from './lanyard-context.ts'
import { createOperationStore } from './operation-store.ts'
import { PendingOperations } from './pending-operations.tsx'

export interface LanyardProviderProps {
  /** The service's URL, e.g. `https://accounts.example.com`. */
  readonly service: string
  /**
   * Identifies the app to a service that uses API keys. Never use a secret key: anyone who opens the page can
   * read it.
   */
  readonly publishableKey?: string
  /** Chain id of operations, messages and balances, unless a call specifies another. */
  readonly network: number
  readonly children?: ReactNode
}

/** Time-out of a request in milliseconds. A signature that was sent is then tracked by polling. */
const requestTimeout = 30_000

const fetchWithTimeout: typeof fetch = (input, init) => {
  const timeout = AbortSignal.timeout(requestTimeout)
  const own = input instanceof Request ? input.signal : init?.signal
  return fetch(input, { ...init, signal: own ? AbortSignal.any([own, timeout]) : timeout })
}

/**
 * Provides passkey accounts of a service to all components below. Uses the app's TanStack Query QueryClient,
 * or creates its own if there is none.
 */
export function LanyardProvider({
  service: address,
  publishableKey,
  network,
  children,
}: LanyardProviderProps) {
  const appClient = useContext(QueryClientContext)
  const [ownClient] = useState(() => new QueryClient())
  const queryClient = appClient ?? ownClient
  const service = address.replace(/\/$/, '')
  const accounts = useMemo(() => createAccountStore(service), [service])
  const operations = useMemo(() => createOperationStore(service), [service])
  const client = useMemo(
    () =>
      createLanyardClient({
        baseUrl: service,
        token: accounts.token,
        fetch: fetchWithTimeout,
        ...(publishableKey !== undefined && { apiKey: publishableKey }),
      }),
    [service, publishableKey, accounts],
  )
  const value = useMemo<LanyardContextValue>(
    () => ({ service, network, client, queryClient, accounts, operations }),
    [service, network, client, queryClient, accounts, operations],
  )
  return (
    <QueryClientProvider client={queryClient}>
      <LanyardContext.Provider value={value}>
        <PendingOperations />
        {children}
      </LanyardContext.Provider>
    </QueryClientProvider>
  )
}
