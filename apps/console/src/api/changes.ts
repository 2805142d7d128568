import { useSyncExternalStore } from 'react'
import { queryClient } from './query-client.ts'

/** The queries that an event of this kind concerns. */
const concerned: Readonly<Record<string, readonly string[]>> = {
  operation: ['overview', 'series', 'operations', 'operation', 'account', 'policies'],
  order: ['overview', 'balance', 'account'],
}

/** Events of other kinds concern an account. */
const others: readonly string[] = ['account']

let isLive = false
const listeners = new Set<() => void>()
let stream: EventSource | undefined

function setLive(live: boolean): void {
  isLive = live
  for (const listener of listeners) listener()
}

/** One stream for the page, while a screen listens. The browser connects again by itself, unless it is refused. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  stream ??= open()
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    stream?.close()
    stream = undefined
    isLive = false
  }
}

function open(): EventSource {
  const opened = new EventSource('/changes')
  opened.onopen = () => {
    setLive(true)
    // The stream begins again every minute, and tells nothing of what happened in between.
    readAgain(['operation', 'order'])
  }
  opened.onerror = () => setLive(false)
  opened.onmessage = ({ data }: MessageEvent<string>) => readAgain(JSON.parse(data) as string[]) // of this service
  return opened
}

/** Reads again what events of these kinds concern, as far as a screen shows it. */
function readAgain(kinds: readonly string[]): void {
  const names = new Set(kinds.flatMap((kind) => concerned[kind] ?? others))
  void queryClient.invalidateQueries({ predicate: ({ queryKey }) => names.has(String(queryKey[0])) })
}

/** Milliseconds between two readings of what events report: rarely while the stream tells the page. */
export function usePace(without: number): number {
  const live = useSyncExternalStore(subscribe, () => isLive)
  return live ? 60_000 : without
}
