import { type Ceremony, LanyardProvider, useLanyard } from '@lanyard/react/core'
import { type ReactNode, useMemo } from 'react'

/** What the app's own packages do: `react-native-passkey` has both functions of `passkey`, and `react-native-mmkv` a store. */
interface Phone {
  readonly passkey: Ceremony
  readonly storage: {
    getString(key: string): string | undefined
    set(key: string, value: string): void
  }
}

export function App({ phone, children }: { readonly phone: Phone; readonly children: ReactNode }) {
  // Always the same object: another one would forget who is signed in.
  const storage = useMemo(
    () => ({
      getItem: (key: string) => phone.storage.getString(key) ?? null,
      setItem: (key: string, value: string) => phone.storage.set(key, value),
    }),
    [phone],
  )
  return (
    <LanyardProvider
      service="https://wallet.example"
      network={8453}
      publishableKey="lk_public_…"
      appId="com.example.wallet"
      ceremony={phone.passkey}
      storage={storage}
    >
      {children}
    </LanyardProvider>
  )
}

/** `createAccount`, `signIn`, `sendCalls` and the other functions are those of a page. */
export const useSignedIn = () => useLanyard().account
