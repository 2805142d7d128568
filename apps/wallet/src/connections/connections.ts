import { useSyncExternalStore } from 'react'
import { type Address, getAddress, isAddress } from 'viem'

/** A page that may send requests to this wallet. Each request still needs a click. */
export interface Connection {
  readonly origin: string
  readonly username: string
  readonly account: Address
  /** Milliseconds since 1970. */
  readonly since: number
  readonly lastUsed: number
}

const key = 'lanyard.connections'

let read: { readonly text: string | null; readonly list: readonly Connection[] } = { text: null, list: [] }

/** Reads every connection of this browser. Blocked or unreadable storage counts as empty. */
function readConnections(): readonly Connection[] {
  try {
    const text = localStorage.getItem(key)
    if (text !== read.text) {
      const stored: unknown = JSON.parse(text ?? '[]')
      read = { text, list: Array.isArray(stored) ? stored.flatMap(readOne) : [] }
    }
    return read.list
  } catch {
    return []
  }
}

function readOne(value: unknown): Connection[] {
  const { origin, username, account, since, lastUsed } = Object(value)
  const isOne =
    typeof origin === 'string' &&
    typeof username === 'string' &&
    isAddress(account) &&
    Number.isFinite(since) &&
    Number.isFinite(lastUsed)
  return isOne ? [{ origin, username, account: getAddress(account), since, lastUsed }] : []
}

const listeners = new Set<() => void>()

function write(list: readonly Connection[]): void {
  localStorage.setItem(key, JSON.stringify(list))
  for (const listener of listeners) listener()
}

export const findConnection = (origin: string): Connection | undefined =>
  readConnections().find((connection) => connection.origin === origin)

const others = (origin: string) => readConnections().filter((connection) => connection.origin !== origin)

/**
 * Connects a page to an account, replacing the page's previous connection.
 *
 * @throws DOMException if storage is blocked
 */
export function connectOrigin(
  origin: string,
  { username, account }: Pick<Connection, 'username' | 'account'>,
) {
  const now = Date.now()
  write([
    ...others(origin),
    { origin, username, account, since: findConnection(origin)?.since ?? now, lastUsed: now },
  ])
}

/** Records that a request of the page was granted. */
export function touchConnection(origin: string): void {
  const connection = findConnection(origin)
  if (connection) write([...others(origin), { ...connection, lastUsed: Date.now() }])
}

export const revokeOrigin = (origin: string): void => write(others(origin))

/** The connections, including changes by other tabs. */
export function useConnections(): readonly Connection[] {
  return useSyncExternalStore((listener) => {
    listeners.add(listener)
    addEventListener('storage', listener)
    return () => {
      listeners.delete(listener)
      removeEventListener('storage', listener)
    }
  }, readConnections)
}
