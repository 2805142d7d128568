import type { Address, Hex } from 'viem'
import { type AppStorage, createPersistentStore } from './persistent-store.ts'

/** An operation that was signed in this browser. */
export interface SignedOperation {
  readonly userOpHash: Hex
  readonly account: Address
  /** Chain id. */
  readonly network: number
  /** The app's key for the intent. */
  readonly key?: string | undefined
  /** The hash of the calls, so that a key that is used again for other calls is noticed. */
  readonly calls?: Hex | undefined
  /** Milliseconds since 1970. */
  readonly signedAt: number
  /** Set once the operation is known to have ended. */
  readonly ended?: true
}

/**
 * The operations signed in this browser, stored so that a reload, a lost response or another tab does not
 * send one twice.
 */
export interface OperationStore {
  readonly subscribe: (listener: () => void) => () => void
  /** Operations not known to have ended. Returns the same array until it changes. */
  readonly pending: () => readonly SignedOperation[]
  /** Operations of one intent, latest last. */
  readonly find: (where: Pick<SignedOperation, 'account' | 'network' | 'key'>) => readonly SignedOperation[]
  /** Call it before the signature leaves the page. */
  readonly add: (operation: SignedOperation) => void
  readonly end: (userOpHash: Hex) => void
  /** Call it after a rejection: nothing was sent. */
  readonly remove: (userOpHash: Hex) => void
}

/** Beyond this number, the oldest are removed. */
const maxKept = 50

export function createOperationStore(service: string, storage: AppStorage): OperationStore {
  const store = createPersistentStore(storage, `lanyard.react.operations.${service}`, parse)
  const write = (operations: readonly SignedOperation[]) => store.set(operations.slice(-maxKept))
  const without = (userOpHash: Hex) => store.get().filter((operation) => operation.userOpHash !== userOpHash)
  let all: readonly SignedOperation[] = []
  let pending = all
  return {
    subscribe: store.subscribe,
    pending: () => {
      if (all !== store.get()) {
        all = store.get()
        pending = all.filter(({ ended }) => !ended)
      }
      return pending
    },
    find: ({ account, network, key }) =>
      store
        .get()
        .filter(
          (operation) =>
            operation.key === key && operation.account === account && operation.network === network,
        ),
    add: (operation) => write([...without(operation.userOpHash), operation]),
    end: (userOpHash) =>
      write(
        store.get().flatMap((operation) => {
          if (operation.userOpHash !== userOpHash) return [operation]
          // After the end, an operation is only ever looked up by its key.
          return operation.key === undefined ? [] : [{ ...operation, ended: true as const }]
        }),
      ),
    remove: (userOpHash) => write(without(userOpHash)),
  }
}

const parse = (stored: unknown): readonly SignedOperation[] =>
  Array.isArray(stored) ? stored.filter(isOperation) : []

function isOperation(value: unknown): value is SignedOperation {
  const { userOpHash, account, network } = (value ?? {}) as Readonly<Record<string, unknown>>
  return typeof userOpHash === 'string' && typeof account === 'string' && typeof network === 'number'
}
