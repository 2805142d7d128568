import { Button } from '@lanyard/ui'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { t } from '../../i18n/t.ts'
import { signIn as signInWithPasskey } from '../../passkey/sign-in.ts'
import { useSessionState } from '../../sign-in/session-context.tsx'
import { findInjectedWallets, type InjectedWallet } from '../../signers/injected-wallets.ts'

interface AccountChoice {
  readonly label: ReactNode
  readonly onPress: () => void
}

interface SignerButtonsProps {
  /** For the account that is signed in here; undefined if it cannot be used for this. */
  readonly account: AccountChoice | undefined
  readonly walletLabel: (wallet: InjectedWallet) => string
  readonly onWallet: (wallet: InjectedWallet) => void
  readonly disabled?: boolean
  readonly busy: boolean
  /** What stands below, which may depend on whether this browser has a wallet. */
  readonly children?: (wallets: readonly InjectedWallet[]) => ReactNode
}

/** The ways in which a guardian acts: with an account here, with a wallet of this browser, or after signing in. */
export function SignerButtons({
  account,
  walletLabel,
  onWallet,
  disabled = false,
  busy,
  children,
}: SignerButtonsProps) {
  const { session, signIn } = useSessionState()
  const [wallets, setWallets] = useState<readonly InjectedWallet[]>([])
  useEffect(
    () =>
      findInjectedWallets((wallet) =>
        setWallets((known) => [...known.filter(({ id }) => id !== wallet.id), wallet]),
      ),
    [],
  )
  const entering = useMutation({ mutationFn: () => signInWithPasskey(), onSuccess: signIn })
  return (
    <>
      {entering.error && <ErrorNotice error={entering.error} undone={t('You are not signed in.')} />}
      <div className="grid gap-2.5">
        {account && (
          <Button size="large" disabled={disabled} busy={busy} onClick={account.onPress}>
            {account.label}
          </Button>
        )}
        {wallets.map((wallet) => (
          <Button
            key={wallet.id}
            size="large"
            variant={account ? 'secondary' : 'primary'}
            disabled={disabled}
            busy={busy}
            onClick={() => onWallet(wallet)}
          >
            {walletLabel(wallet)}
          </Button>
        ))}
        {!session && (
          <Button
            size="large"
            variant="secondary"
            busy={entering.isPending}
            onClick={() => entering.mutate()}
          >
            {t('Sign in with your own account')}
          </Button>
        )}
        {children?.(wallets)}
      </div>
    </>
  )
}
