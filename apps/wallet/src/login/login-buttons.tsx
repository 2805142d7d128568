import { Button, type Login, logins } from '@lanyard/ui'
import { useMutation } from '@tanstack/react-query'
import { ErrorNotice } from '../errors/error-notice.tsx'
import { t } from '../i18n/t.ts'
import { beginLogin } from './login-flow.ts'

/** Sends the browser to a provider that the operator configured. */
export function LoginButtons({
  label = ({ name }) => t('Continue with {name}', { name }),
  onBegin = ({ issuer }) => beginLogin(issuer, { kind: 'sign-in' }),
}: {
  readonly label?: (login: Login) => string
  readonly onBegin?: (login: Login) => Promise<void>
}) {
  const beginning = useMutation({ mutationFn: onBegin })
  return (
    <div className="grid gap-2.5">
      {logins.map((login) => (
        <Button
          key={login.issuer}
          variant="secondary"
          size="large"
          busy={beginning.isPending && beginning.variables === login}
          onClick={() => beginning.mutate(login)}
        >
          {label(login)}
        </Button>
      ))}
      {beginning.error && <ErrorNotice error={beginning.error} undone={t('You are not signed in.')} />}
    </div>
  )
}
