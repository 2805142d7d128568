import { useEffect, useState } from 'react'
import type { Account } from '../account-store.ts'
import type { Texts } from '../texts.ts'
import { useLanyard } from '../use-lanyard.ts'
import { useTexts } from '../use-texts.ts'
import { AccountMenu } from './account-menu.tsx'
import { type AppBrand, SignInDialog } from './sign-in-dialog.tsx'

export interface ConnectButtonProps {
  readonly className?: string
  /** Called with the account once the person is signed in. */
  readonly onSignedIn?: (account: Account) => void
  /** Name and logo of the dialog. Default: those of the service. */
  readonly app?: AppBrand
  /** Other words. */
  readonly texts?: Texts
}

/** Opens a dialog to sign in. For a signed-in person, it opens the menu of the account. */
export function ConnectButton({ className = '', onSignedIn, app, texts }: ConnectButtonProps) {
  const { account } = useLanyard()
  const [isOpen, setOpen] = useState(false)
  const say = useTexts(texts)
  useEffect(() => {
    if (account) setOpen(false)
  }, [account])
  if (account) return <AccountMenu className={className} {...(texts && { texts })} />
  return (
    <div className={`lanyard ${className}`}>
      <button type="button" className="lanyard-button" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {say.open}
      </button>
      {isOpen && (
        <SignInDialog onClose={() => setOpen(false)} onSignedIn={onSignedIn} app={app} texts={texts} />
      )}
    </div>
  )
}
