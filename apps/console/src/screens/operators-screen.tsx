import { Button, Screen, Tag } from '@lanyard/ui'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Outputs } from '../api/outputs.ts'
import { trpc } from '../api/trpc.ts'
import { useAct } from '../api/use-act.ts'
import { useSession } from '../api/use-session.ts'
import { Ago } from '../ui/ago.tsx'
import { Choice, ChoiceOf } from '../ui/choice.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { NameInput } from '../ui/name-input.tsx'
import { SecretForm } from '../ui/secret-form.tsx'
import { Section } from '../ui/section.tsx'
import { Table } from '../ui/table.tsx'

type Operator = Outputs['operators']['list']['operators'][number]
type Role = Operator['role']

const roles: Readonly<Record<Role, string>> = {
  viewer: 'Viewer: changes nothing',
  support: 'Support: also repeats deliveries',
  operator: 'Operator: also keys and policies',
  admin: 'Admin: also operators',
}
const roleNames = { viewer: 'viewer', support: 'support', operator: 'operator', admin: 'admin' } as const

type Requested =
  | { readonly act: 'role'; readonly name: string; readonly role: Role }
  | { readonly act: 'disable'; readonly name: string }
  | { readonly act: 'vouch'; readonly name: string; readonly passkey: string }
  | { readonly act: 'session'; readonly id: string; readonly name: string }

const run = async (request: Requested): Promise<void> => {
  if (request.act === 'role')
    await trpc.operators.changeRole.mutate({ name: request.name, role: request.role })
  if (request.act === 'disable') await trpc.operators.disable.mutate({ name: request.name })
  if (request.act === 'vouch')
    await trpc.operators.confirmPasskey.mutate({ name: request.name, passkey: request.passkey })
  if (request.act === 'session') await trpc.operators.revokeSession.mutate({ id: request.id })
}

const wordsOf = (
  request: Requested,
): { readonly title: string; readonly text: string; readonly action: string } => {
  if (request.act === 'role')
    return {
      title: `Make ${request.name} ${request.role}?`,
      text: 'The change works with their next request.',
      action: 'Change the role',
    }
  if (request.act === 'disable')
    return {
      title: `Disable ${request.name}?`,
      text: 'Their sessions, links and passkeys end at once. The name stays taken, because the audit log has it.',
      action: 'Disable them',
    }
  if (request.act === 'vouch')
    return {
      title: `Confirm the passkey of ${request.name}?`,
      text: `Ask them, over a channel that is not the identity provider, whether theirs is ${request.passkey}. Its holder then acts in their name.`,
      action: 'It is theirs',
    }
  return {
    title: `End a session of ${request.name}?`,
    text: `${request.id} ends at once. They can sign in again.`,
    action: 'End the session',
  }
}

export function OperatorsScreen() {
  const { data: me } = useSession()
  const list = useQuery({ queryKey: ['operators'], queryFn: () => trpc.operators.list.query() })
  const [requested, setRequested] = useState<Requested>()
  const act = useAct(run)
  const close = () => {
    setRequested(undefined)
    act.reset()
  }
  const words = requested && wordsOf(requested)
  return (
    <Screen title="Operators" intro="Who may use this console. None of them can sign for a user.">
      <Invite />
      <Loaded query={list} label="Loading operators">
        {({ operators, sessions }) => (
          <>
            <Section title="People">
              <Table
                caption="Operators"
                rows={operators}
                keyOf={({ name }) => name}
                empty="There is nobody."
                columns={[
                  { title: 'Name', cell: ({ name }) => name },
                  {
                    title: 'Role',
                    cell: ({ name, role, disabledAt, issuer }) =>
                      disabledAt !== null || issuer !== null || name === me?.name ? (
                        role
                      ) : (
                        <ChoiceOf
                          aria-label={`Role of ${name}`}
                          options={roleNames}
                          value={role}
                          onChange={(next) => setRequested({ act: 'role', name, role: next })}
                        />
                      ),
                  },
                  {
                    title: 'Signs in',
                    cell: ({ issuer, isBreakGlass }) =>
                      issuer !== null
                        ? new URL(issuer).host
                        : isBreakGlass
                          ? 'Break-glass passkey'
                          : 'Passkey',
                  },
                  {
                    title: 'Passkeys',
                    isNumber: true,
                    cell: ({ name, passkeys, waitingPasskey, disabledAt }) =>
                      waitingPasskey !== null && disabledAt === null && name !== me?.name ? (
                        <Button
                          variant="secondary"
                          size="small"
                          aria-label={`Confirm the passkey of ${name}`}
                          onClick={() => setRequested({ act: 'vouch', name, passkey: waitingPasskey })}
                        >
                          Confirm
                        </Button>
                      ) : (
                        passkeys
                      ),
                  },
                  { title: 'Sessions', isNumber: true, cell: ({ sessions: count }) => count },
                  { title: 'Since', cell: ({ createdAt }) => <Ago at={createdAt} /> },
                  {
                    title: 'Act',
                    cell: ({ name, disabledAt }) =>
                      disabledAt !== null ? (
                        <Tag>Disabled</Tag>
                      ) : name === me?.name ? (
                        'you'
                      ) : (
                        <Button
                          variant="danger"
                          size="small"
                          aria-label={`Disable ${name}`}
                          onClick={() => setRequested({ act: 'disable', name })}
                        >
                          Disable
                        </Button>
                      ),
                  },
                ]}
              />
            </Section>
            <Section title="Sessions">
              <Table
                caption="Sessions that are open"
                rows={sessions}
                keyOf={({ id }) => id}
                empty="Nobody is signed in."
                columns={[
                  { title: 'Operator', cell: ({ operator }) => operator },
                  { title: 'From', cell: ({ address }) => address },
                  { title: 'Browser', cell: ({ userAgent }) => browserOf(userAgent) },
                  { title: 'Signed in', cell: ({ createdAt }) => <Ago at={createdAt} /> },
                  { title: 'Seen', cell: ({ lastSeenAt }) => <Ago at={lastSeenAt} /> },
                  {
                    title: 'Act',
                    cell: ({ id, operator }) => (
                      <Button
                        variant="secondary"
                        size="small"
                        aria-label={`End session ${id}`}
                        onClick={() => setRequested({ act: 'session', id, name: operator })}
                      >
                        End
                      </Button>
                    ),
                  },
                ]}
              />
            </Section>
          </>
        )}
      </Loaded>
      <Confirm
        open={requested !== undefined}
        title={words?.title ?? ''}
        action={words?.action ?? ''}
        danger={requested?.act === 'disable' || requested?.act === 'session'}
        busy={act.isPending}
        error={act.error}
        onClose={close}
        onConfirm={() => requested && act.mutate(requested, { onSuccess: close })}
      >
        <p>{words?.text}</p>
      </Confirm>
    </Screen>
  )
}

function Invite() {
  const [name, setName] = useState('')
  const [role, setRole] = useState<Role>('viewer')
  const invite = useAct(() => trpc.operators.invite.mutate({ name, role }))
  return (
    <SecretForm
      title="Invite somebody"
      act={invite}
      secretOf={({ link }) => link}
      notice="Send this link over a channel that only they read."
      copyLabel="Copy the link"
      className="md:grid-cols-[minmax(0,1fr)_22rem_auto]"
      confirmTitle={`Invite ${name}?`}
      confirmAction="Make the link"
      confirmText={
        <p>
          Whoever opens the link within a day becomes <strong>{name}</strong> with the role{' '}
          <strong>{role}</strong>. Somebody who exists already keeps their role and gets another passkey.
        </p>
      }
    >
      <NameInput label="Name" hint="As the audit log will show it" required value={name} onChange={setName} />
      <Choice label="Role" options={roles} value={role} onChange={setRole} />
      <Button type="submit" className="md:mt-7.5">
        Invite
      </Button>
    </SecretForm>
  )
}

const browsers = [
  ['Edg', 'Edge'],
  ['OPR', 'Opera'],
  ['Firefox', 'Firefox'],
  ['Chrome', 'Chrome'],
  ['Safari', 'Safari'],
] as const

/** The browser and the system that a user agent names, as people call them. Otherwise its beginning. */
function browserOf(userAgent: string): string {
  const browser = browsers.find(([token]) => userAgent.includes(`${token}/`))?.[1]
  const [system] = /iPhone|iPad|Android|Windows|Mac OS X|CrOS|Linux/.exec(userAgent) ?? []
  if (browser === undefined) return userAgent.slice(0, 60)
  return system === undefined ? browser : `${browser}, ${system}`
}
