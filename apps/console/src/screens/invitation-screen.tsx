import { Button } from '@lanyard/ui'
import { startRegistration } from '@simplewebauthn/browser'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { trpc } from '../api/trpc.ts'
import { useAct } from '../api/use-act.ts'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { Welcome } from '../ui/welcome.tsx'

/** The schema has `string` where the library has the standard's literals. */
type CreationOptions = Parameters<typeof startRegistration>[0]['optionsJSON']

/** The token is in the fragment, so that no server has it in its log. */
export function InvitationScreen() {
  const [token] = useState(() => location.hash.slice(1))
  const navigate = useNavigate()
  const invitation = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => trpc.session.invitation.mutate({ token }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const act = useAct(async () => {
    const options = await trpc.session.acceptOptions.mutate({ token })
    const response = await startRegistration({ optionsJSON: options as CreationOptions })
    const { id, rawId, response: answer } = response
    await trpc.session.accept.mutate({
      token,
      response: { id, rawId, type: 'public-key', response: answer },
    })
    void navigate('/', { replace: true })
  })
  return (
    <Welcome title="You are invited">
      {invitation.error && <ErrorNotice error={invitation.error} />}
      {invitation.data && (
        <>
          <p>
            You become <strong>{invitation.data.name}</strong> with the role{' '}
            <strong>{invitation.data.role}</strong>. The console knows you by a passkey on this device.
          </p>
          {act.error && <ErrorNotice error={act.error} />}
          <Button size="large" busy={act.isPending} onClick={() => act.mutate(undefined)}>
            Create your passkey
          </Button>
          <p className="text-muted text-sm">The link works once. Ask for another one for a second device.</p>
        </>
      )}
    </Welcome>
  )
}
