export type { Account } from './account-store.ts'
export type { SentCalls } from './actions/deliver.ts'
export type { Operation } from './actions/read-operation.ts'
export type { Call, SendOptions, SendStep } from './actions/send-calls.ts'
export { Balance, type BalanceProps } from './components/balance.tsx'
export { ConnectButton, type ConnectButtonProps } from './components/connect-button.tsx'
export { SendButton, type SendButtonProps } from './components/send-button.tsx'
export { SignIn, type SignInProps } from './components/sign-in.tsx'
export { type ErrorText, errorText } from './error-text.ts'
export { LanyardProvider, type LanyardProviderProps } from './lanyard-provider.tsx'
export type { SignedOperation } from './operation-store.ts'
export { LanyardReactError, type ReactErrorCode } from './react-error.ts'
export {
  type Authorize,
  type AuthorizeRequest,
  type Permission,
  type RevokeRequest,
  type UseAuthorizeParameters,
  useAuthorize,
} from './use-authorize.ts'
export { type Balance as AccountBalance, type UseBalanceParameters, useBalance } from './use-balance.ts'
export { type Action, type Lanyard, type SignOptions, useLanyard } from './use-lanyard.ts'
export { useOperation } from './use-operation.ts'
export { type SendCalls, useSendCalls } from './use-send-calls.ts'
