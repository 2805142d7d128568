import type { NetworkConfig } from '@lanyard/networks'
import type { Address } from 'viem'
import { encodeHandleOps } from '../entry-point/handle-ops.ts'
import { fitsIntoTransaction } from './bundle-limits.ts'
import type { StoredOperation } from './stored-operation.ts'

const maxSequenceBits = 64n

const nonceKey = ({ operation }: StoredOperation) => operation.nonce >> maxSequenceBits

const byFee = (a: StoredOperation, b: StoredOperation) =>
  compare(b.operation.maxPriorityFeePerGas, a.operation.maxPriorityFeePerGas) ||
  compare(b.operation.maxFeePerGas, a.operation.maxFeePerGas) ||
  a.signedAt.getTime() - b.signedAt.getTime()

const compare = (a: bigint, b: bigint) => (a < b ? -1 : a > b ? 1 : 0)

/**
 * What goes into the next bundle: the highest tips first, then the oldest; one operation a sender. Of those that
 * compete for one nonce the one that pays most; of one nonce key the lowest sequence, since the others are not due.
 */
export function pickBatch(
  waiting: readonly StoredOperation[],
  limits: {
    readonly most: number
    readonly beneficiary: Address
    readonly l1Fee: NetworkConfig['l1Fee']
  },
): StoredOperation[] {
  const fits = (operations: readonly StoredOperation[]) => {
    const own = operations.map(({ operation }) => operation)
    return fitsIntoTransaction(own, encodeHandleOps(own, limits.beneficiary), limits.l1Fee)
  }
  const candidates = oneOfEachSender(waiting)
  // Mostly all of them fit, and encoding them once for each that joins would take longer than sending them.
  const first = candidates.slice(0, limits.most)
  if (fits(first)) return first
  const batch: StoredOperation[] = []
  for (const candidate of candidates) {
    if (batch.length === limits.most) break
    if (fits([...batch, candidate])) batch.push(candidate)
  }
  return batch
}

function oneOfEachSender(waiting: readonly StoredOperation[]): StoredOperation[] {
  const bySender = Map.groupBy(waiting, ({ operation }) => operation.sender.toLowerCase())
  return [...bySender.values()]
    .flatMap((own) => {
      const due = [...Map.groupBy(own, nonceKey).values()].flatMap(dueOfNonceKey)
      return due.sort(byFee).slice(0, 1)
    })
    .sort(byFee)
}

function dueOfNonceKey(sameKey: readonly StoredOperation[]): StoredOperation[] {
  const lowest = sameKey.reduce(
    (least, { operation }) => (operation.nonce < least ? operation.nonce : least),
    2n ** 256n,
  )
  return sameKey
    .filter(({ operation }) => operation.nonce === lowest)
    .sort(byFee)
    .slice(0, 1)
}
