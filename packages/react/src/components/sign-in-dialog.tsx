import { useEffect, useId, useRef } from 'react'
import type { Account } from '../account-store.ts'
import { useLanyardContext } from '../lanyard-context.ts'
import { pictureAddress } from '../safe-values.ts'
import { fill, type Texts } from '../texts.ts'
import { useBrand } from '../use-brand.ts'
import { useTexts } from '../use-texts.ts'
import { Icon } from './icon.tsx'
import { SignIn } from './sign-in.tsx'

/** What a dialog shows of the app. Absent members come from the service's BRAND_FILE. */
export interface AppBrand {
  readonly name?: string
  /** URL of a square picture. It is shown with 48 × 48 px. */
  readonly logo?: string
}

export interface SignInDialogProps {
  readonly onClose: () => void
  readonly onSignedIn?: ((account: Account) => void) | undefined
  readonly app?: AppBrand | undefined
  readonly texts?: Texts | undefined
}

/** A dialog to sign in or create an account. It is open while it is rendered; Escape and a press outside close it. */
export function SignInDialog({ onClose, onSignedIn, app, texts }: SignInDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const { service } = useLanyardContext()
  const { data: brand } = useBrand()
  const say = useTexts(texts)
  const id = useId()
  useEffect(() => dialog.current?.showModal(), [])
  const name = app?.name ?? brand?.name
  const logo = app?.logo ?? pictureAddress(brand?.logo, service)
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it too
    <dialog
      ref={dialog}
      className="lanyard lanyard-dialog"
      aria-labelledby={id}
      onClose={onClose}
      onClick={(event) => event.target === dialog.current && dialog.current.close()}
    >
      <div className="lanyard-sheet">
        {logo && <img src={logo} alt="" width={48} height={48} className="lanyard-logo" />}
        <h2 id={id} className="lanyard-title">
          {name ? fill(say.title, { app: name }) : say.open}
        </h2>
        <p className="lanyard-muted">{say.how}</p>
        <SignIn {...(texts && { texts })} {...(onSignedIn && { onSignedIn })} />
        {/* The last in the order, so that a dialog opens with the focus on the way in. */}
        <button
          type="button"
          className="lanyard-close"
          aria-label={say.close}
          onClick={() => dialog.current?.close()}
        >
          <Icon name="close" />
        </button>
      </div>
      <p className="lanyard-foot">
        <Icon name="lock" />
        {name ? fill(say.onlyYou, { app: name }) : say.onlyYouHere}
      </p>
    </dialog>
  )
}
