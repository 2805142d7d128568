import { createLanyardClient } from '@lanyard/client'
import { QueryClient, QueryClientContext, QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useContext, useMemo, useState } from 'react'
import { createAccountStore } from './account-store.ts'
import type { Ceremony } from './ceremony.ts'
import { createFetch } from './create-fetch.ts'
import { LanyardContext, type LanyardContextValue } from './lanyard-context.ts'
import { createOperationStore } from './operation-store.ts'
import { PendingOperations } from './pending-operations.tsx'
import type { AppStorage } from './persistent-store.ts'
import type { Texts } from './texts.ts'

export interface LanyardProviderProps {
  /** The service's URL, e.g. `https://accounts.example.com`. */
  readonly service: string
  /**
   * Identifies the app to a service that uses API keys. Never use a secret key: anyone who opens the page can
   * read it.
   */
  readonly publishableKey?: string
  /** Bundle or package name of an app on a phone, which a key of an app (`app:com.example.wallet`) expects. */
  readonly appId?: string
  /** Chain id of operations, messages and balances, unless a call specifies another. */
  readonly network: number
  /** Runs the ceremonies, such as both functions of `react-native-passkey`. Always the same object. */
  readonly ceremony: Ceremony
  /** Remembers accounts and signed operations. Always the same object. */
  readonly storage: AppStorage
  /** Words of the components, in place of the English ones, such as `german`. Always the same object. */
  readonly texts?: Texts
  readonly children?: ReactNode
}

/** Time-out of a request in milliseconds. A signature that was sent is then tracked by polling. */
const requestTimeout = 30_000

const fetchWithTimeout = createFetch(requestTimeout)

/**
 * Provides passkey accounts of a service to all components below. Uses the app's TanStack Query QueryClient,
 * or creates its own if there is none.
 */
export function LanyardProvider({
  service: address,
  publishableKey,
  appId,
  network,
  ceremony,
  storage,
  texts,
  children,
}: LanyardProviderProps) {
  const appClient = useContext(QueryClientContext)
  const [ownClient] = useState(() => new QueryClient())
  const queryClient = appClient ?? ownClient
  const service = address.replace(/\/$/, '')
  const accounts = useMemo(() => createAccountStore(service, storage), [service, storage])
  const operations = useMemo(() => createOperationStore(service, storage), [service, storage])
  const client = useMemo(
    () =>
      createLanyardClient({
        baseUrl: service,
        token: accounts.token,
        fetch: fetchWithTimeout,
        ...(publishableKey !== undefined && { apiKey: publishableKey }),
        ...(appId !== undefined && { appId }),
      }),
    [service, publishableKey, appId, accounts],
  )
  const value = useMemo<LanyardContextValue>(
    () => ({ service, network, client, ceremony, queryClient, accounts, operations, texts }),
    [service, network, client, ceremony, queryClient, accounts, operations, texts],
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
