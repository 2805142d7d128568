import { Button, Screen, Tag } from '@lanyard/ui'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { addPasskey } from '../api/add-passkey.ts'
import { trpc } from '../api/trpc.ts'
import { useAct } from '../api/use-act.ts'
import { Ago } from '../ui/ago.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { Section } from '../ui/section.tsx'
import { Table } from '../ui/table.tsx'

/** The operator's own passkeys. */
export function PasskeysScreen() {
  const list = useQuery({ queryKey: ['passkeys'], queryFn: () => trpc.session.passkeys.query() })
  const [requested, setRequested] = useState<string>()
  const add = useAct(addPasskey)
  const remove = useAct((passkey: string) => trpc.session.removePasskey.mutate({ passkey }))
  const close = () => {
    setRequested(undefined)
    remove.reset()
  }
  return (
    <Screen
      title="Your passkeys"
      intro="Each act is confirmed with one of them. With two on different devices, the loss of one locks nobody out."
    >
      {add.error && <ErrorNotice error={add.error} />}
      <Loaded query={list} label="Loading your passkeys">
        {({ passkeys }) => (
          <Section
            title="Passkeys"
            aside={
              <Button size="small" busy={add.isPending} onClick={() => add.mutate(undefined)}>
                Add a passkey
              </Button>
            }
          >
            <Table
              caption="Your passkeys, oldest first"
              rows={passkeys}
              keyOf={({ passkey }) => passkey}
              empty="You have none yet."
              columns={[
                {
                  title: 'Passkey',
                  cell: ({ passkey }) => <code className="font-mono text-xs">{passkey}</code>,
                },
                {
                  title: 'Kept',
                  cell: ({ isSynced }) => (isSynced ? 'synced by its provider' : 'on one device'),
                },
                { title: 'Added', cell: ({ createdAt }) => <Ago at={createdAt} /> },
                {
                  title: 'Used',
                  cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'never' : <Ago at={lastUsedAt} />),
                },
                {
                  title: 'Act',
                  cell: ({ passkey, isWaiting }) =>
                    isWaiting ? (
                      <Tag>Waits for an administrator</Tag>
                    ) : (
                      <Button
                        variant="danger"
                        size="small"
                        aria-label={`Remove ${passkey}`}
                        onClick={() => setRequested(passkey)}
                      >
                        Remove
                      </Button>
                    ),
                },
              ]}
            />
          </Section>
        )}
      </Loaded>
      <Confirm
        open={requested !== undefined}
        title="Remove this passkey?"
        action="Remove it"
        danger
        busy={remove.isPending}
        error={remove.error}
        onClose={close}
        onConfirm={() => requested !== undefined && remove.mutate(requested, { onSuccess: close })}
      >
        <p>{requested} confirms nothing any more, and your sessions in other browsers end.</p>
      </Confirm>
    </Screen>
  )
}
