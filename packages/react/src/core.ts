'use client'

/* Everything but the components: no DOM, so it runs on phones too. */

export type { Account } from './account-store.ts'
export type { SentCalls } from './actions/deliver.ts'
export type { Operation } from './actions/read-operation.ts'
export type { Call, SendOptions, SendStep } from './actions/send-calls.ts'
export type { Ceremony } from './ceremony.ts'
export { type ErrorText, errorText } from './error-text.ts'
export { LanyardProvider, type LanyardProviderProps } from './lanyard-provider.tsx'
export type { SignedOperation } from './operation-store.ts'
export type { AppStorage } from './persistent-store.ts'
export { LanyardReactError, type ReactErrorCode } from './react-error.ts'
export type { Texts } from './texts.ts'
export { type ActivityCurrency, type ActivityEntry, useActivity } from './use-activity.ts'
export {
  type Authorize,
  type AuthorizeRequest,
  type Permission,
  type RevokeRequest,
  type UseAuthorizeParameters,
  useAuthorize,
} from './use-authorize.ts'
export { type Balance as AccountBalance, type UseBalanceParameters, useBalance } from './use-balance.ts'
export { useBrand } from './use-brand.ts'
export { type Action, type Lanyard, type SignOptions, useLanyard } from './use-lanyard.ts'
export { useNetworks } from './use-networks.ts'
export { useOperation } from './use-operation.ts'
export { useGuardians, useOwners } from './use-owners.ts'
export { type SendCalls, useSendCalls } from './use-send-calls.ts'
