// @vitest-environment happy-dom
import type { QueryClient } from '@tanstack/react-query'
import { waitFor } from '@testing-library/react'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { ServiceFailure } from '../../test/fake-service.ts'
import { account, renderWallet, withFakeService } from '../../test/render-wallet.tsx'
import { useBalances } from '../holdings/use-balances.ts'
import { useTransfers } from '../screens/activity/use-timeline.ts'
import { streamHealth } from './stream-health.ts'
import { useEventStream } from './use-event-stream.ts'

const { service } = withFakeService()

/** A screen that shows incoming transfers. */
function Screen() {
  useEventStream()
  useBalances()
  const { data } = useTransfers()
  return <p>{data ? `${data.networks.length} networks` : 'Loading'}</p>
}

function start() {
  let request = 0
  service().answers['wallet.transfers'] = () => {
    request++
    return { networks: [] }
  }
  service().answers['wallet.balances'] = () => ({
    balances: [{ network: '1', available: true, deployed: true, native: '5', tokens: [] }],
  })
  const { queryClient, unmount } = renderWallet(<Screen />)
  return { queryClient, unmount, transferRequests: () => request }
}

/** The poll interval of a mounted query in milliseconds; false if it does not poll. */
const pollingOf = (queryClient: QueryClient, key: string) => {
  const query = queryClient.getQueryCache().find({ queryKey: [key, account] })
  const interval = query?.observers[0]?.options.refetchInterval
  return typeof interval === 'function' && query ? interval(query as never) : interval
}

const received = (position: number) => ({
  type: 'transfer.received',
  timestamp: '2026-11-23T00:00:00.000Z',
  data: { position: String(position), account, network: '1', amount: '1' },
})

describe('useEventStream', () => {
  test('default: polls nothing while the stream is live, and refetches what an event has changed', async () => {
    const events = service().stream('events.listen')
    const { queryClient, transferRequests } = start()
    await waitFor(() => expect(pollingOf(queryClient, 'transfers')).toBe(false))
    await waitFor(() => expect(pollingOf(queryClient, 'balances')).toBe(false))
    expect(events.requests).toMatchObject([{ input: { walletAddress: account } }])
    // Once the stream is connected, earlier queries are fetched again.
    await waitFor(() => expect(transferRequests()).toBe(2))
    events.send('7', received(7))
    await waitFor(() => expect(transferRequests()).toBe(3))
  })

  test('behavior: what an event changed and could not be read is read again', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    onTestFinished(() => void vi.useRealTimers())
    const events = service().stream('events.listen')
    const { transferRequests } = start()
    await waitFor(() => expect(transferRequests()).toBe(2))
    const answer = service().answers['wallet.transfers'] ?? (() => undefined)
    let refused = 0
    service().answers['wallet.transfers'] = () => {
      refused++
      throw new ServiceFailure('RATE_LIMITED')
    }
    events.send('7', received(7))
    await waitFor(() => expect(refused).toBe(1))
    service().answers['wallet.transfers'] = answer
    await vi.advanceTimersByTimeAsync(14_000)
    expect(transferRequests()).toBe(2)
    await vi.advanceTimersByTimeAsync(2_000)
    await waitFor(() => expect(transferRequests()).toBe(3))
    await vi.advanceTimersByTimeAsync(60_000)
    expect(transferRequests()).toBe(3)
  })

  test('behavior: polls while the stream is down, and resumes after the last event', async () => {
    const events = service().stream('events.listen')
    const { queryClient } = start()
    await waitFor(() => expect(pollingOf(queryClient, 'transfers')).toBe(false))
    events.send('7', received(7))
    events.cut()
    await waitFor(() => expect(pollingOf(queryClient, 'transfers')).toBe(15_000))
    await waitFor(() => expect(pollingOf(queryClient, 'transfers')).toBe(false))
    expect(events.requests.at(-1)).toMatchObject({ lastEventId: '7' })
  })

  test('behavior: polls if the stream is rejected, and reconnects immediately when back online', async () => {
    const { queryClient } = start()
    await waitFor(() =>
      expect(service().requested.some(({ procedure }) => procedure === 'events.listen')).toBe(true),
    )
    expect(pollingOf(queryClient, 'transfers')).toBe(15_000)
    service().stream('events.listen')
    dispatchEvent(new Event('online'))
    await waitFor(() => expect(pollingOf(queryClient, 'transfers')).toBe(false))
  })

  test('behavior: opens one connection, which ends when the user signs out', async () => {
    const events = service().stream('events.listen')
    const { unmount, queryClient } = start()
    await waitFor(() => expect(pollingOf(queryClient, 'transfers')).toBe(false))
    expect(events.open()).toBe(1)
    unmount()
    await waitFor(() => expect(events.open()).toBe(0))
    expect(streamHealth.isLive()).toBe(false)
  })
})
