import { Button } from '@lanyard/ui'
import { startAuthentication } from '@simplewebauthn/browser'
import { useQuery } from '@tanstack/react-query'
import { trpc } from '../api/trpc.ts'
import { useAct } from '../api/use-act.ts'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { Welcome } from '../ui/welcome.tsx'

async function signIn() {
  const options = await trpc.session.signInOptions.mutate()
  const response = await startAuthentication({ optionsJSON: options as AuthenticationOptions })
  await trpc.session.signIn.mutate({ response: { ...response, type: 'public-key' } })
}

/** The schema has `string` where the library has the standard's literals. */
type AuthenticationOptions = Parameters<typeof startAuthentication>[0]['optionsJSON']

/** Begins a sign-in at the identity provider that ends on this page. */
const leave = () =>
  location.assign(`/sso/start?to=${encodeURIComponent(`${location.pathname}${location.search}`)}`)

export function SignInScreen() {
  const act = useAct(signIn)
  const methods = useQuery({ queryKey: ['methods'], queryFn: () => trpc.session.methods.query() })
  return (
    <Welcome title="Lanyard console">
      <p className="text-muted">
        For the operators of this service. It shows what happens and changes settings; it cannot sign for
        anybody's account.
      </p>
      {act.error && <ErrorNotice error={act.error} />}
      <Loaded query={methods} label="Loading the ways to sign in">
        {({ provider, passkeys }) => (
          <>
            {provider !== null && (
              <Button size="large" className="wrap-anywhere" onClick={leave}>
                Continue with {provider}
              </Button>
            )}
            {passkeys !== 'off' && (
              <Button
                size="large"
                variant={provider === null ? 'primary' : 'secondary'}
                busy={act.isPending}
                onClick={() => act.mutate(undefined)}
              >
                Sign in with a passkey
              </Button>
            )}
            <p className="text-muted text-sm">
              {passkeys === 'break-glass' ? (
                'The passkey is for break-glass operators, in an emergency. Each of their sign-ins raises an alert.'
              ) : passkeys === 'on' ? (
                <>
                  No passkey yet? An administrator invites you: <code>lanyard operators invite</code>.
                </>
              ) : (
                'Your groups there say what you may do here.'
              )}
            </p>
          </>
        )}
      </Loaded>
    </Welcome>
  )
}
