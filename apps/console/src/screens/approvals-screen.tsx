import { Button, Card, Details, Screen, Tag } from '@lanyard/ui'
import { useState } from 'react'
import type { Outputs } from '../api/outputs.ts'
import { trpc } from '../api/trpc.ts'
import { useAct } from '../api/use-act.ts'
import { useApprovals } from '../api/use-approvals.ts'
import { Ago, At } from '../ui/ago.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { Section } from '../ui/section.tsx'
import { Table } from '../ui/table.tsx'

type Request = Outputs['approvals']['list']['requests'][number]

const states: Readonly<Record<Request['state'], string>> = {
  waiting: 'Expired',
  approved: 'Approved',
  rejected: 'Rejected',
  withdrawn: 'Withdrawn',
  expired: 'Expired',
}

interface Decision {
  readonly what: 'approve' | 'reject' | 'withdraw'
  readonly request: Request
}

const decide = async ({ what, request: { id, hash } }: Decision): Promise<void> => {
  if (what === 'approve') await trpc.approvals.approve.mutate({ id, hash })
  if (what === 'reject') await trpc.approvals.reject.mutate({ id })
  if (what === 'withdraw') await trpc.approvals.withdraw.mutate({ id })
}

const words = {
  approve: {
    title: 'Approve this?',
    action: 'Approve and do it',
    text: 'It is done at once, exactly as shown:',
  },
  reject: { title: 'Reject this?', action: 'Reject it', text: 'It is not done:' },
  withdraw: { title: 'Withdraw your request?', action: 'Withdraw it', text: 'It is not done:' },
} as const

/** Acts that wait for a second person (CONSOLE_APPROVALS). */
export function ApprovalsScreen() {
  const list = useApprovals()
  const [decision, setDecision] = useState<Decision>()
  const act = useAct(decide)
  const close = () => {
    setDecision(undefined)
    act.reset()
  }
  const asked = decision && words[decision.what]
  return (
    <Screen
      title="Approvals"
      intro="Acts that a second operator has to approve. Nobody approves their own. A request ends after a day."
    >
      <Loaded query={list} label="Loading requests">
        {({ requests }) => {
          const isOpen = ({ state, expiresAt }: Request) =>
            state === 'waiting' && new Date(expiresAt).getTime() > Date.now()
          const waiting = requests.filter(isOpen)
          return (
            <>
              <Section title="Waiting">
                {waiting.length === 0 && (
                  <p className="text-muted text-sm">Nothing waits for a second person.</p>
                )}
                <div className="grid gap-3">
                  {waiting.map((request) => (
                    <Card key={request.id} className="grid gap-3 p-4">
                      <div className="flex flex-wrap items-baseline justify-between gap-2">
                        <h3 className="wrap-anywhere font-medium">
                          {request.requester} <span className="text-muted">requests</span> {request.act}
                        </h3>
                        <span className="text-muted text-sm">
                          <Ago at={request.requestedAt} />, until <At at={request.expiresAt} />
                        </span>
                      </div>
                      <What {...request} />
                      <div className="flex flex-wrap gap-2">
                        {request.mayApprove && (
                          <Button
                            size="small"
                            aria-label={`Approve ${request.id}`}
                            onClick={() => setDecision({ what: 'approve', request })}
                          >
                            Approve
                          </Button>
                        )}
                        {request.mayReject && (
                          <Button
                            size="small"
                            variant="secondary"
                            aria-label={`Reject ${request.id}`}
                            onClick={() => setDecision({ what: 'reject', request })}
                          >
                            Reject
                          </Button>
                        )}
                        {request.isMine && (
                          <Button
                            size="small"
                            variant="secondary"
                            aria-label={`Withdraw ${request.id}`}
                            onClick={() => setDecision({ what: 'withdraw', request })}
                          >
                            Withdraw
                          </Button>
                        )}
                        {!request.mayApprove && !request.isMine && (
                          <p className="text-muted text-sm">
                            {request.mayReject
                              ? 'An operator who signs in like its requester must approve it.'
                              : 'Your role does not include this act.'}
                          </p>
                        )}
                      </div>
                    </Card>
                  ))}
                </div>
              </Section>
              <Section title="Decided">
                <Table
                  caption="Requests of the last 30 days, newest first"
                  rows={requests.filter((request) => !isOpen(request))}
                  keyOf={({ id }) => id}
                  empty="Nothing was decided in the last 30 days."
                  columns={[
                    { title: 'Act', cell: ({ act: name }) => name, isShort: true },
                    { title: 'Requested by', cell: ({ requester }) => requester },
                    { title: 'Requested', cell: ({ requestedAt }) => <Ago at={requestedAt} /> },
                    { title: 'End', cell: ({ state }) => <Tag>{states[state]}</Tag> },
                    { title: 'By', cell: ({ decider }) => decider ?? '–' },
                  ]}
                />
              </Section>
            </>
          )
        }}
      </Loaded>
      <Confirm
        open={decision !== undefined}
        title={asked?.title ?? ''}
        action={asked?.action ?? ''}
        danger={decision?.what !== 'approve'}
        busy={act.isPending}
        error={act.error}
        onClose={close}
        onConfirm={() => decision && act.mutate(decision, { onSuccess: close })}
      >
        <p>{asked?.text}</p>
        {decision && (
          <>
            <p>
              <strong>{decision.request.act}</strong>, requested by{' '}
              <strong>{decision.request.requester}</strong>
            </p>
            <What {...decision.request} />
          </>
        )}
      </Confirm>
    </Screen>
  )
}

/** What would be done: in words if the service has them, and to the letter. */
function What({ input, changes }: Pick<Request, 'input' | 'changes'>) {
  const letters = (
    <pre className="wrap-anywhere max-h-64 overflow-y-auto whitespace-pre-wrap rounded-field bg-sunken p-3 font-mono text-xs">
      {input}
    </pre>
  )
  if (changes === null) return letters
  return (
    <div className="grid gap-2">
      <ul className="wrap-anywhere grid max-h-64 list-disc gap-1 overflow-y-auto pl-5 text-sm">
        {changes.map((change) => (
          <li key={change}>{change}</li>
        ))}
      </ul>
      <Details summary="To the letter">{letters}</Details>
    </div>
  )
}
