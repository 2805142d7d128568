import { Button, Card, logins, Time } from '@lanyard/ui'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { trpc } from '../../api/trpc.ts'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { rich, t } from '../../i18n/t.ts'
import { LoginButtons } from '../../login/login-buttons.tsx'
import { beginLogin } from '../../login/login-flow.ts'
import { useSession } from '../../sign-in/session-context.tsx'

/** The logins that name this account: link one, unlink one. */
export function LoginsCard() {
  const { account } = useSession()
  const queryClient = useQueryClient()
  const queryKey = ['identities', account]
  const linked = useQuery({
    queryKey,
    queryFn: ({ signal }) => trpc.identity.list.query({}, { signal }),
  })
  const [ending, setEnding] = useState<string>()
  const unlinking = useMutation({
    mutationFn: (id: string) => trpc.identity.unlink.mutate({ id }),
    onSuccess: () => {
      setEnding(undefined)
      void queryClient.invalidateQueries({ queryKey })
      void queryClient.invalidateQueries({ queryKey: ['ownership', account] })
    },
  })
  if (logins.length === 0 && !linked.data?.identities.length) return null
  return (
    <Card aria-labelledby="logins" className="grid gap-4 p-5">
      <h2 id="logins" className="font-semibold">
        {t('Logins')}
      </h2>
      <p className="text-muted text-sm">
        {t(
          'A login finds your account again and can ask your guardians for help. It cannot sign, move money or add an owner.',
        )}
      </p>
      {linked.error && !linked.data && (
        <ErrorNotice error={linked.error} onRetry={() => void linked.refetch()} />
      )}
      <ul className="grid gap-3">
        {linked.data?.identities.map(({ id, name, linkedAt }) => (
          <li key={id} className="grid gap-2 rounded-field bg-sunken p-3">
            <span className="wrap-anywhere font-medium">{name}</span>
            <span className="text-muted text-sm">
              {rich('Linked {time}', { time: <Time at={linkedAt} /> })}
            </span>
            {ending === id ? (
              <div className="flex flex-wrap gap-2.5">
                <Button
                  variant="danger"
                  size="small"
                  busy={unlinking.isPending}
                  onClick={() => unlinking.mutate(id)}
                >
                  {t('Unlink it')}
                </Button>
                <Button variant="secondary" size="small" onClick={() => setEnding(undefined)}>
                  {t('Back')}
                </Button>
              </div>
            ) : (
              <Button
                variant="quiet"
                size="small"
                className="justify-self-start"
                onClick={() => {
                  unlinking.reset()
                  setEnding(id)
                }}
              >
                {t('Unlink…')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {unlinking.error && <ErrorNotice error={unlinking.error} undone={t('The login is still linked.')} />}
      <LoginButtons
        label={({ name }) => t('Link {name}', { name })}
        onBegin={({ issuer }) => beginLogin(issuer, { kind: 'link' }, { act: 'link', account })}
      />
    </Card>
  )
}
