import { Button, Field, Input, Screen, Tag } from '@lanyard/ui'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMay } from '../api/may.ts'
import type { Outputs } from '../api/outputs.ts'
import { trpc } from '../api/trpc.ts'
import { useAct } from '../api/use-act.ts'
import { Ago } from '../ui/ago.tsx'
import { Choice } from '../ui/choice.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { NameInput } from '../ui/name-input.tsx'
import { SecretForm } from '../ui/secret-form.tsx'
import { Section } from '../ui/section.tsx'
import { Table } from '../ui/table.tsx'

type Key = Outputs['keys']['list']['keys'][number]

export function KeysScreen() {
  const may = useMay('operator')
  const keys = useQuery({ queryKey: ['keys'], queryFn: () => trpc.keys.list.query() })
  const [revoked, setRevoked] = useState<Key>()
  const revoke = useAct((id: string) => trpc.keys.revoke.mutate({ id }))
  const close = () => {
    setRevoked(undefined)
    revoke.reset()
  }
  return (
    <Screen title="Keys" intro="Who may call the service. A key is shown once, when it is made.">
      {may && <NewKey />}
      <Section title="Every key">
        <Loaded query={keys} label="Loading keys">
          {(data) => (
            <>
              <Table
                caption="API keys"
                rows={data.keys}
                keyOf={({ id }) => id}
                empty="There is no key yet."
                columns={[
                  { title: 'Id', cell: ({ id }) => <code className="font-mono text-[0.8125rem]">{id}</code> },
                  { title: 'Name', cell: ({ name }) => name },
                  {
                    title: 'Kind',
                    cell: ({ kind, origins }) =>
                      origins.length === 0 ? kind : `${kind}: ${origins.join(', ')}`,
                  },
                  { title: 'Scope', cell: ({ scope }) => scope },
                  { title: 'Project', cell: ({ project }) => project ?? '–' },
                  { title: 'Made', cell: ({ createdAt }) => <Ago at={createdAt} /> },
                  {
                    title: 'State',
                    cell: ({ revokedAt }) =>
                      revokedAt === null ? (
                        <Tag tone="good">Valid</Tag>
                      ) : (
                        <Tag>
                          Revoked <Ago at={revokedAt} />
                        </Tag>
                      ),
                  },
                  ...(may
                    ? [
                        {
                          title: 'Act',
                          cell: (key: Key) =>
                            key.revokedAt === null ? (
                              <Button
                                variant="danger"
                                size="small"
                                aria-label={`Revoke ${key.id}`}
                                onClick={() => setRevoked(key)}
                              >
                                Revoke
                              </Button>
                            ) : (
                              '–'
                            ),
                        },
                      ]
                    : []),
                ]}
              />
              {data.configured.length > 0 && (
                <p className="text-muted text-sm">
                  API_KEYS also has {data.configured.join(', ')}: they change with the configuration.
                </p>
              )}
            </>
          )}
        </Loaded>
      </Section>
      <Confirm
        open={revoked !== undefined}
        title="Revoke this key?"
        action="Revoke the key"
        danger
        busy={revoke.isPending}
        error={revoke.error}
        onClose={close}
        onConfirm={() => revoked && revoke.mutate(revoked.id, { onSuccess: close })}
      >
        <p>
          <code className="font-mono">{revoked?.id}</code> of <strong>{revoked?.name}</strong> stops working
          on every replica within seconds, forever. If it is the last secret key of this name, its webhooks
          are disabled.
        </p>
      </Confirm>
    </Screen>
  )
}

const kinds = { secret: 'Secret, for servers', publishable: 'Publishable, for pages' } as const

const scopes: Readonly<Record<Key['scope'], string>> = {
  full: 'Full: all that its kind may do',
  read: 'Read: what changes nothing',
  support: 'Support: what support needs of it',
  metrics: 'Metrics: /metrics alone',
}

/** Only an administrator makes a secret key of full scope: it may do more than the console allows an operator. */
const { full: _full, ...limitedScopes } = scopes

function NewKey() {
  const isAdmin = useMay('admin')
  const [name, setName] = useState('')
  const [kind, setKind] = useState<Key['kind']>('secret')
  const [origins, setOrigins] = useState('')
  const [scope, setScope] = useState<Key['scope']>(isAdmin ? 'full' : 'read')
  const [project, setProject] = useState('')
  const listed = origins
    .split(/[\s,]+/)
    .map((origin) => origin.trim())
    .filter((origin) => origin !== '')
  const create = useAct(() =>
    trpc.keys.create.mutate({
      name,
      kind,
      origins: kind === 'publishable' ? listed : [],
      ...(kind === 'secret' && { scope }),
      ...(project !== '' && { project }),
    }),
  )
  return (
    <SecretForm
      title="Make a key"
      act={create}
      secretOf={({ key }) => key}
      notice="Copy the key now: it is not shown again."
      copyLabel="Copy the key"
      className="md:grid-cols-[minmax(0,1fr)_14rem]"
      confirmTitle="Make this key?"
      confirmAction="Make the key"
      confirmText={
        <p>
          A {kind} key of <strong>{name}</strong>
          {kind === 'secret' && scope !== 'full' ? ` with the scope ${scope}` : ''}
          {kind === 'publishable' ? ` for ${listed.join(', ')}` : ''}. Whoever has it may call the service
          {kind === 'secret' ? ' with these rights' : ' from there'}. The first key closes a service that
          accepted callers without one.
        </p>
      }
    >
      <NameInput
        label="Name"
        hint="Keys with the same name are one caller"
        required
        value={name}
        onChange={setName}
      />
      <Choice label="Kind" options={kinds} value={kind} onChange={setKind} />
      <div className="grid gap-3 md:col-span-2 md:grid-cols-2">
        {kind === 'secret' && (
          <Choice
            label="Scope"
            hint={isAdmin ? 'What the key may be used for' : 'An administrator makes keys of full scope'}
            options={isAdmin ? scopes : limitedScopes}
            value={scope}
            onChange={setScope}
          />
        )}
        <NameInput
          label="Project"
          hint="Its keys share their limits. Empty: none"
          value={project}
          onChange={setProject}
        />
      </div>
      {kind === 'publishable' && (
        <div className="md:col-span-2">
          <Field
            label="Origins"
            hint="Such as https://shop.example or app:com.example.wallet, separated by commas"
          >
            {(control) => (
              <Input
                {...control}
                required
                value={origins}
                onChange={(event) => setOrigins(event.target.value)}
              />
            )}
          </Field>
        </div>
      )}
      <Button type="submit" className="md:justify-self-start">
        Make a key
      </Button>
    </SecretForm>
  )
}
