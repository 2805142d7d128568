import type { LanyardClient } from '@lanyard/client'
import type { QueryClient } from '@tanstack/react-query'
import { createContext, useContext } from 'react'
import type { AccountStore } from './account-store.ts'
import type { Ceremony } from './ceremony.ts'
import type { OperationStore } from './operation-store.ts'
import type { Texts } from './texts.ts'

/** Shared by all hooks of one provider. */
export interface LanyardContextValue {
  /** The service's URL, without a trailing slash. */
  readonly service: string
  /** Chain id of operations, messages and balances, unless a call specifies another. */
  readonly network: number
  readonly client: LanyardClient
  readonly ceremony: Ceremony
  readonly queryClient: QueryClient
  readonly accounts: AccountStore
  readonly operations: OperationStore
  /** Words of the components, in place of the English ones. */
  readonly texts: Texts | undefined
}

export const LanyardContext = createContext<LanyardContextValue | undefined>(undefined)

export function useLanyardContext(): LanyardContextValue {
  const context = useContext(LanyardContext)
  if (!context) throw new TypeError('Hooks of @lanyard/react need a LanyardProvider above them.')
  return context
}
