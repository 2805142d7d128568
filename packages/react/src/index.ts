'use client'

export { LanyardProvider, type LanyardProviderProps } from './browser-provider.tsx'
export { Balance, type BalanceProps } from './components/balance.tsx'
export { ConnectButton, type ConnectButtonProps } from './components/connect-button.tsx'
export { SendButton, type SendButtonProps } from './components/send-button.tsx'
export { SignIn, type SignInProps } from './components/sign-in.tsx'
// Each by its name: `export *` of values is not allowed at the boundary of React's server components.
export type * from './core.ts'
export {
  errorText,
  LanyardReactError,
  useAuthorize,
  useBalance,
  useLanyard,
  useOperation,
  useSendCalls,
} from './core.ts'
