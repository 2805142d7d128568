import { createLanyardClient } from '@lanyard/client'
import { QueryClient, QueryClientContext, QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useContext, useMemo, useState } from 'react'
import { createAccountStore } from './account-store.ts'
import { LanyardContext, type LanyardContextValue } from './lanyard-context.ts'
import { createOperationStore } from './operation-store.ts'
import { PendingOperations } from './pending-operations.tsx'

export interface LanyardProviderProps {
  /** Where the service is, e.g. `https://accounts.example.com`. */
  readonly service: string
  /** Names the app to a service that has keys. Never a secret key: whoever opens the page can read it. */
  readonly publishableKey?: string
  /** Chain id of operations, messages and balances, unless a call names another. */
  readonly network: number
  readonly children?: ReactNode
}

/** Milliseconds that a request may take; a signature that was sent is followed in another way after that. */
const requestBound = 30_000

const fetchWithTimeout: typeof fetch = (input, init) => {
  const timeout = AbortSignal.timeout(requestBound)
  const own = input instanceof Request ? input.signal : init?.signal
  return fetch(input, { ...init, signal: own ? AbortSignal.any([own, timeout]) : timeout })
}

/**
 * Lets everything below use passkey accounts of a service. Uses the app's QueryClient of TanStack Query; without one it
 * brings its own.
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
