import { Button, Notice } from '@lanyard/ui'
import { useMutation } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { t } from '../../i18n/t.ts'
import { signInAs } from '../../passkey/sign-in.ts'
import { lastUsername } from '../../sign-in/known-account.ts'
import { useSessionState } from '../../sign-in/session-context.tsx'

/** Continues an expired session with one touch, on the screen that was open. */
export function SessionEnded() {
  const { signIn } = useSessionState()
  const username = lastUsername()
  const ceremony = useMutation({ mutationFn: signInAs, onSuccess: signIn })
  return (
    <>
      <Notice
        title={t('Your sign-in has ended.')}
        action={
          username !== undefined && (
            <Button busy={ceremony.isPending} onClick={() => ceremony.mutate(username)}>
              {!ceremony.isPending && <KeyRound className="size-4" aria-hidden="true" />}
              {t('Continue as {username}', { username })}
            </Button>
          )
        }
      >
        {t('Sign in again, and you are where you were.')}
      </Notice>
      {ceremony.error && <ErrorNotice error={ceremony.error} undone={t('You are not signed in.')} />}
    </>
  )
}
