import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useSession } from '../sign-in/session-context.tsx'
import { allAnswers, answersOf } from './answers-of.ts'
import { streamHealth } from './stream-health.ts'

/**
 * Milliseconds for which events are collected: a block often brings several that invalidate the same queries.
 */
const gathering = 300

/**
 * Milliseconds that a connection must last before it counts as live: tRPC reports a rejection only after
 * connecting.
 */
const settling = 500

/** Milliseconds until a query is read again that an event changed and that could not be read then. */
const failedPause = 15_000

/** Milliseconds until the next attempt after a rejection. Each rejection doubles the delay. */
const retry = { first: 5_000, max: 5 * 60_000 } as const

/**
 * Keeps the screen up to date through the event stream, with one connection for this tab. Without the stream,
 * queries poll (`useIsLive`).
 */
export function useEventStream(): void {
  const { account } = useSession()
  const queryClient = useQueryClient()
  useEffect(() => {
    let last: string | undefined
    let isOver = false
    let attempts = 0
    let stop = () => {}
    let timer: ReturnType<typeof setTimeout> | undefined
    let pause: number = retry.first
    const old = new Map<string, QueryKey>()
    let refreshing: ReturnType<typeof setTimeout> | undefined
    const failing: QueryKey[] = []
    let failed: ReturnType<typeof setTimeout> | undefined
    let settled: ReturnType<typeof setTimeout> | undefined

    const refresh = (keys: readonly QueryKey[]) => {
      for (const key of keys) old.set(JSON.stringify(key), key)
      refreshing ??= setTimeout(() => {
        refreshing = undefined
        for (const queryKey of old.values()) void read(queryKey)
        old.clear()
      }, gathering)
    }
    // The stream says it once, and while it is live nothing polls: what it changed would stay hidden, for example after a 429.
    const read = async (queryKey: QueryKey) => {
      await queryClient.invalidateQueries({ queryKey })
      const shown = queryClient.getQueryCache().findAll({ queryKey, type: 'active' })
      if (isOver || !shown.some(({ state }) => state.status === 'error')) return
      failing.push(queryKey)
      failed ??= setTimeout(() => {
        failed = undefined
        refresh(failing.splice(0))
      }, failedPause)
    }
    const beLive = () => {
      pause = retry.first
      streamHealth.set(true)
      // The stream does not report changes from before the first event.
      if (last === undefined) refresh([['operation'], ...allAnswers.map((answer) => [answer, account])])
    }
    const beAway = () => {
      clearTimeout(settled)
      streamHealth.set(false)
    }
    const connect = async () => {
      const attempt = ++attempts
      clearTimeout(timer)
      stop()
      beAway()
      stop = () => {}
      try {
        const { listen } = await import('./listen.ts')
        if (isOver || attempt !== attempts) return
        stop = listen(account, last, {
          onLive() {
            clearTimeout(settled)
            settled = setTimeout(beLive, settling)
          },
          onAway: beAway,
          onEvent: (id, message) => {
            last = id
            refresh(answersOf(message, account))
          },
          onRefused: tryLater,
        })
      } catch {
        tryLater() // the module did not load
      }
    }
    const tryLater = () => {
      beAway()
      if (isOver) return
      clearTimeout(timer)
      timer = setTimeout(connect, pause)
      pause = Math.min(pause * 2, retry.max)
    }
    const backOnline = () => void connect()
    void connect()
    addEventListener('online', backOnline)
    return () => {
      isOver = true
      removeEventListener('online', backOnline)
      clearTimeout(timer)
      clearTimeout(refreshing)
      clearTimeout(failed)
      stop()
      beAway()
    }
  }, [account, queryClient])
}
