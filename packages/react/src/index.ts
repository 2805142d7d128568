'use client'

export { LanyardProvider, type LanyardProviderProps } from './browser-provider.tsx'
export { AccountMenu, type AccountMenuProps } from './components/account-menu.tsx'
export { Balance, type BalanceProps } from './components/balance.tsx'
export { ConnectButton, type ConnectButtonProps } from './components/connect-button.tsx'
export { Pay, type PayProps, type PayToken } from './components/pay.tsx'
export { SendButton, type SendButtonProps } from './components/send-button.tsx'
export { SignIn, type SignInProps } from './components/sign-in.tsx'
export { type AppBrand, SignInDialog, type SignInDialogProps } from './components/sign-in-dialog.tsx'
// Each by its name: `export *` of values is not allowed at the boundary of React's server components.
export type * from './core.ts'
export {
  errorText,
  LanyardReactError,
  useAuthorize,
  useBalance,
  useBrand,
  useLanyard,
  useNetworks,
  useOperation,
  useSendCalls,
} from './core.ts'
