import { Button } from '@lanyard/ui'
import { startAuthentication } from '@simplewebauthn/browser'
import { trpc } from '../api/trpc.ts'
import { useAct } from '../api/use-act.ts'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { Welcome } from '../ui/welcome.tsx'

async function signIn() {
  const options = await trpc.session.signInOptions.mutate()
  const response = await startAuthentication({ optionsJSON: options as AuthenticationOptions })
  await trpc.session.signIn.mutate({ response: { ...response, type: 'public-key' } })
}

/** The schema has `string` where the library has the standard's literals. */
type AuthenticationOptions = Parameters<typeof startAuthentication>[0]['optionsJSON']

export function SignInScreen() {
  const act = useAct(signIn)
  return (
    <Welcome title="Lanyard console">
      <p className="text-muted">
        For the operators of this service. It shows what happens and changes settings; it cannot sign for
        anybody's account.
      </p>
      {act.error && <ErrorNotice error={act.error} />}
      <Button size="large" busy={act.isPending} onClick={() => act.mutate(undefined)}>
        Sign in with a passkey
      </Button>
      <p className="text-muted text-sm">
        No passkey yet? An administrator invites you: <code>lanyard operators invite</code>.
      </p>
    </Welcome>
  )
}
