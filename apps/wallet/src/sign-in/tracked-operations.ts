import { readStoredList, writeStored } from '@lanyard/ui'
import type { Address, Hex } from 'viem'

/** An operation signed in this tab, kept until the person has seen its outcome. */
export interface TrackedOperation {
  readonly userOpHash: Hex
  /** A description of what it will do. */
  readonly summary: string
  /** A description of what it did, once it is included. Absent in what an earlier version stored. */
  readonly summaryWhenDone?: string
  /** It sends money: it is paid, and not only done. */
  readonly isPayment?: boolean
  /** When it was signed, milliseconds since 1970. */
  readonly signedAt: number
  /** What another operation needs to take its place. Absent if nothing may: a payment from the combined balance. */
  readonly replaceable?: Replaceable
}

/** As in the signed bytes. Amounts and the nonce are decimal text. */
export interface Replaceable {
  readonly chainId: number
  readonly nonce: string
  readonly maxFee: string
  readonly calls: readonly { readonly to: Address; readonly value: string; readonly data: Hex }[]
}

const key = 'lanyard.tracked'

/** Maximum number of tracked operations. The oldest are removed. */
const limit = 10

let tracked: readonly TrackedOperation[] = read()
/** The operation whose review is open. The review itself shows the progress. */
let watched: Hex | undefined
let shown: readonly TrackedOperation[] = tracked
const listeners = new Set<() => void>()

function update(next: readonly TrackedOperation[]) {
  tracked = next.slice(-limit)
  shown = tracked.filter(({ userOpHash }) => userOpHash !== watched)
  writeStored(key, tracked, 'sessionStorage')
  for (const listener of listeners) listener()
}

/** The unsettled operations of this tab. They survive a reload. */
export const trackedOperations = {
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  /** The operations without an open review. */
  getShown: () => shown,
  find: (userOpHash: string) => tracked.find((operation) => operation.userOpHash === userOpHash),
  add: (operation: TrackedOperation) =>
    update([...tracked.filter(({ userOpHash }) => userOpHash !== operation.userOpHash), operation]),
  remove: (userOpHash: Hex) => update(tracked.filter((operation) => operation.userOpHash !== userOpHash)),
  watch: (userOpHash: Hex | undefined) => {
    watched = userOpHash
    update(tracked)
  },
  clear: () => update([]),
}

function read(): readonly TrackedOperation[] {
  return readStoredList(key, 'sessionStorage').filter(isTracked)
}

function isTracked(value: unknown): value is TrackedOperation {
  const { userOpHash, summary, signedAt } = (value ?? {}) as Readonly<Record<string, unknown>>
  return (
    typeof userOpHash === 'string' &&
    /^0x[0-9a-f]{64}$/i.test(userOpHash) &&
    typeof summary === 'string' &&
    typeof signedAt === 'number'
  )
}
