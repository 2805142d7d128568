import { Button } from '@lanyard/ui'
import { useMutation } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { Link } from 'react-router'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { t } from '../../i18n/t.ts'
import { signIn as signInWithPasskey } from '../../passkey/sign-in.ts'
import { useSessionState } from '../../sign-in/session-context.tsx'
import { SignInByName } from './sign-in-by-name.tsx'
import { usePasskeyAutofill } from './use-passkey-autofill.ts'

/** Signs in with a passkey, or by name if the device does not know whose passkeys it has. */
export function SignIn() {
  const { signIn } = useSessionState()
  const ceremony = useMutation({ mutationFn: () => signInWithPasskey(), onSuccess: signIn })
  usePasskeyAutofill(signIn)
  return (
    <div className="grid gap-6">
      <div className="grid gap-2.5">
        <Button size="large" busy={ceremony.isPending} onClick={() => ceremony.mutate()}>
          {!ceremony.isPending && <KeyRound className="size-5" aria-hidden="true" />}
          {ceremony.isPending ? t('Waiting for your passkey…') : t('Sign in with a passkey')}
        </Button>
        <p className="text-center text-muted text-sm">
          {t('Your device shows the accounts that you have here.')}
        </p>
        {ceremony.error && <ErrorNotice error={ceremony.error} undone={t('You are not signed in.')} />}
      </div>
      <SignInByName />
      <Link
        to="/recover"
        className="inline-flex h-11 items-center justify-self-start text-sm underline underline-offset-4"
      >
        {t('Lost your passkey?')}
      </Link>
    </div>
  )
}
