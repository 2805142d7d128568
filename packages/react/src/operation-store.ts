import type { Address, Hex } from 'viem'

/** An operation that was signed in this browser. */
export interface SignedOperation {
  readonly userOpHash: Hex
  readonly account: Address
  /** Chain id. */
  readonly network: number
  /** What the app calls the intent. */
  readonly key?: string | undefined
  /** Milliseconds since 1970. */
  readonly signedAt: number
  /** Its end is known. */
  readonly ended?: true
}

/** The operations that were signed in this browser, kept so that neither a reload nor a lost answer sends one twice. */
export interface OperationStore {
  readonly subscribe: (listener: () => void) => () => void
  /** Those whose end is not known yet. The same array until it changes. */
  readonly pending: () => readonly SignedOperation[]
  /** Those of one intent, the latest last. */
  readonly find: (where: Pick<SignedOperation, 'account' | 'network' | 'key'>) => readonly SignedOperation[]
  /** Must be called before the signature leaves the page. */
  readonly add: (operation: SignedOperation) => void
  readonly end: (userOpHash: Hex) => void
  /** It was refused: nothing was sent. */
  readonly remove: (userOpHash: Hex) => void
}

/** The oldest make way. */
const maxKept = 50

export function createOperationStore(service: string): OperationStore {
  const storageKey = `lanyard.react.operations.${service}`
  const listeners = new Set<() => void>()
  let operations = read(storageKey) ?? []
  let pending = operations.filter(({ ended }) => !ended)

  /** What other tabs wrote since counts, too. */
  const refresh = () => {
    operations = read(storageKey) ?? operations
  }
  const write = (change: (current: readonly SignedOperation[]) => readonly SignedOperation[]) => {
    refresh()
    operations = change(operations).slice(-maxKept)
    pending = operations.filter(({ ended }) => !ended)
    try {
      localStorage.setItem(storageKey, JSON.stringify(operations))
    } catch {
      // Storage is blocked: a reload forgets them.
    }
    for (const listener of listeners) listener()
  }
  const without = (userOpHash: Hex) => (current: readonly SignedOperation[]) =>
    current.filter((operation) => operation.userOpHash !== userOpHash)
  return {
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    pending: () => pending,
    find: ({ account, network, key }) => {
      refresh()
      return operations.filter(
        (operation) =>
          operation.key === key && operation.account === account && operation.network === network,
      )
    },
    add: (operation) => write((current) => [...without(operation.userOpHash)(current), operation]),
    end: (userOpHash) =>
      write((current) =>
        current.flatMap((operation) => {
          if (operation.userOpHash !== userOpHash) return [operation]
          // Only a key is ever looked for again.
          return operation.key === undefined ? [] : [{ ...operation, ended: true as const }]
        }),
      ),
    remove: (userOpHash) => write(without(userOpHash)),
  }
}

/** Undefined where storage says nothing. */
function read(storageKey: string): readonly SignedOperation[] | undefined {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? 'null')
    return Array.isArray(stored) ? stored.filter(isOperation) : undefined
  } catch {
    return undefined
  }
}

function isOperation(value: unknown): value is SignedOperation {
  const { userOpHash, account, network } = (value ?? {}) as Readonly<Record<string, unknown>>
  return typeof userOpHash === 'string' && typeof account === 'string' && typeof network === 'number'
}
