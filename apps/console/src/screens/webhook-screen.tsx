import { Button, Notice, Screen, Tag } from '@lanyard/ui'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import { useMay } from '../api/may.ts'
import type { Outputs } from '../api/outputs.ts'
import { trpc } from '../api/trpc.ts'
import { useAct } from '../api/use-act.ts'
import { Ago } from '../ui/ago.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { Section } from '../ui/section.tsx'
import { ShortHash } from '../ui/short-hash.tsx'
import { Table } from '../ui/table.tsx'
import { EndpointState } from './webhooks-screen.tsx'

type Delivery = Outputs['webhooks']['deliveries']['deliveries'][number]
type Endpoint = Outputs['webhooks']['list']['endpoints'][number]

/** Milliseconds: answers of receivers are no events. */
const refresh = 5_000

/** One endpoint: what was sent to it, and what it answered. */
export function WebhookScreen() {
  const { id = '' } = useParams()
  const list = useQuery({
    queryKey: ['webhooks'],
    queryFn: () => trpc.webhooks.list.query(),
    refetchInterval: refresh,
  })
  const endpoint = list.data?.endpoints.find((one) => one.id === id)
  return (
    <Screen title="Webhook">
      {endpoint && (
        <div>
          <EndpointState {...endpoint} />
        </div>
      )}
      <p className="wrap-anywhere text-sm">
        <code className="font-mono">{id}</code>
        {endpoint && ` of ${endpoint.keyName}, to ${endpoint.host}`}
      </p>
      {endpoint && (
        <div className="flex flex-wrap gap-2">
          <Switch endpoint={endpoint} />
          <Test id={id} host={endpoint.host} />
          <Remove id={id} host={endpoint.host} />
        </div>
      )}
      {list.data && !endpoint ? (
        <Notice title="There is no such endpoint.">
          It was removed, or the address is wrong.{' '}
          <Link to="/webhooks" className="underline underline-offset-4">
            Show the webhooks
          </Link>
        </Notice>
      ) : (
        <>
          <LastTest id={id} />
          <Deliveries id={id} missed={endpoint?.missed ?? 0} />
        </>
      )}
    </Screen>
  )
}

function Switch({ endpoint: { id, disabledReason } }: { endpoint: Endpoint }) {
  const may = useMay('operator')
  const [requested, setRequested] = useState(false)
  const isDisabled = disabledReason !== null
  const act = useAct(() =>
    isDisabled ? trpc.webhooks.enable.mutate({ id }) : trpc.webhooks.disable.mutate({ id }),
  )
  if (!may) return null
  const close = () => setRequested(false)
  return (
    <div>
      <Button variant="secondary" size="small" onClick={() => setRequested(true)}>
        {isDisabled ? 'Enable' : 'Disable'}
      </Button>
      <Confirm
        open={requested}
        title={isDisabled ? 'Enable this endpoint?' : 'Disable this endpoint?'}
        action={isDisabled ? 'Enable it' : 'Disable it'}
        danger={!isDisabled}
        busy={act.isPending}
        error={act.error}
        onClose={close}
        onConfirm={() => act.mutate(undefined, { onSuccess: close })}
      >
        <p>
          {isDisabled
            ? 'It gets events from now on. Events that it missed are delivered when somebody repeats them.'
            : 'It gets no more events. Pending ones, and those that happen meanwhile, are missed.'}
        </p>
      </Confirm>
    </div>
  )
}

function Remove({ id, host }: { id: string; host: string }) {
  const may = useMay('operator')
  const navigate = useNavigate()
  const [requested, setRequested] = useState(false)
  const act = useAct(async () => {
    await trpc.webhooks.remove.mutate({ id })
    // Here, because this button goes with the endpoint, and what it would do afterwards with it.
    await navigate('/webhooks')
  })
  if (!may) return null
  return (
    <div>
      <Button variant="danger" size="small" onClick={() => setRequested(true)}>
        Remove
      </Button>
      <Confirm
        open={requested}
        title="Remove this endpoint?"
        action="Remove it"
        danger
        busy={act.isPending}
        error={act.error}
        onClose={() => {
          setRequested(false)
          act.reset()
        }}
        onConfirm={() => act.mutate(undefined)}
      >
        <p>
          {host} gets no more events. Its secret and its deliveries are deleted, and cannot be brought back.
          Disable it to stop events for a while.
        </p>
      </Confirm>
    </div>
  )
}

function Test({ id, host }: { id: string; host: string }) {
  const may = useMay('support')
  const [requested, setRequested] = useState(false)
  const act = useAct(() => trpc.webhooks.test.mutate({ id }))
  if (!may) return null
  const close = () => {
    setRequested(false)
    act.reset()
  }
  return (
    <div>
      <Button variant="secondary" size="small" onClick={() => setRequested(true)}>
        Send a test
      </Button>
      <Confirm
        open={requested}
        title="Send a test event?"
        action="Send it"
        busy={act.isPending}
        error={act.error}
        onClose={close}
        onConfirm={() => act.mutate(undefined, { onSuccess: close })}
      >
        <p>
          A worker sends an event of the type webhook.test to {host}, signed like every other. It carries
          nothing of an account, and changes nothing here.
        </p>
      </Confirm>
    </div>
  )
}

/** Milliseconds between two polls for the answer of a test. */
const answerPace = 1_000

function LastTest({ id }: { id: string }) {
  const may = useMay('support')
  const test = useQuery({
    queryKey: ['webhook-test', id],
    queryFn: () => trpc.webhooks.lastTest.query({ id }),
    enabled: may,
    refetchInterval: ({ state }) => (state.data && state.data.answeredAt === null ? answerPace : false),
  })
  if (!test.data) return null
  const { answeredAt, requestedAt, status, answer } = test.data
  if (answeredAt === null) {
    return (
      <Notice title="A test is on its way.">
        Asked for <Ago at={requestedAt} />. A worker sends it within seconds.
      </Notice>
    )
  }
  const isGood = status !== null && status >= 200 && status <= 299
  return (
    <Notice
      tone={isGood ? 'info' : 'error'}
      title={status === null ? 'The last test had no answer.' : `The last test was answered ${status}.`}
    >
      <p className="wrap-anywhere">
        {answer} <Ago at={answeredAt} />
      </p>
    </Notice>
  )
}

function Deliveries({ id, missed }: { id: string; missed: number }) {
  const may = useMay('support')
  const [requested, setRequested] = useState<{ readonly position?: number }>()
  const deliveries = useQuery({
    queryKey: ['deliveries', id],
    queryFn: () => trpc.webhooks.deliveries.query({ id }),
    enabled: may,
    refetchInterval: refresh,
  })
  const act = useAct((position: { readonly position?: number }) =>
    trpc.webhooks.redeliver.mutate({ id, ...position }),
  )
  const close = () => {
    setRequested(undefined)
    act.reset()
  }
  if (!may)
    return <Notice title="Deliveries need the role support.">An administrator can change your role.</Notice>
  return (
    <Section
      title="Deliveries"
      aside={
        missed > 0 && (
          <Button variant="secondary" size="small" onClick={() => setRequested({})}>
            Repeat all {missed} missed
          </Button>
        )
      }
    >
      <Loaded query={deliveries} label="Loading deliveries">
        {(data) => (
          <Table
            caption="Deliveries, newest first"
            rows={data.deliveries}
            keyOf={({ position }) => String(position)}
            empty="Nothing was sent to it yet."
            columns={[
              { title: 'Event', cell: ({ type, position }) => `${type} (${position})` },
              {
                title: 'Account',
                cell: ({ account }) => <ShortHash hash={account} to={`/accounts/${account}`} />,
              },
              { title: 'State', cell: (delivery) => <DeliveryState {...delivery} /> },
              { title: 'Attempts', isNumber: true, cell: ({ attempts }) => attempts },
              {
                title: 'Answer',
                cell: ({ status, answer }) =>
                  status === null && answer === null ? '–' : `${status ?? ''} ${answer?.slice(0, 120) ?? ''}`,
              },
              { title: 'Answered', cell: ({ answeredAt }) => <Ago at={answeredAt} /> },
              {
                title: 'Act',
                cell: ({ position }) => (
                  <Button
                    variant="secondary"
                    size="small"
                    aria-label={`Repeat event ${position}`}
                    onClick={() => setRequested({ position })}
                  >
                    Repeat
                  </Button>
                ),
              },
            ]}
          />
        )}
      </Loaded>
      <Confirm
        open={requested !== undefined}
        title="Deliver again?"
        action="Deliver again"
        busy={act.isPending}
        error={act.error}
        onClose={close}
        onConfirm={() => requested && act.mutate(requested, { onSuccess: close })}
      >
        <p>
          {requested?.position === undefined
            ? `All ${missed} missed events are sent to this endpoint again, oldest first for each account.`
            : `Event ${requested.position} is sent again. A receiver that already has it must recognise its id.`}
        </p>
      </Confirm>
    </Section>
  )
}

function DeliveryState({ state }: Pick<Delivery, 'state'>) {
  if (state === 'delivered') return <Tag tone="good">Delivered</Tag>
  return state === 'missed' ? <Tag tone="bad">Missed</Tag> : <Tag tone="waiting">Pending</Tag>
}
