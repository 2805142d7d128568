import type { Address, Hex } from 'viem'
import { createPersistentStore } from './persistent-store.ts'

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

/** The operations that were signed in this browser, so that no reload, lost answer or other tab sends one twice. */
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
  const store = createPersistentStore(`lanyard.react.operations.${service}`, parse)
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
          // Only a key is ever looked for again.
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
