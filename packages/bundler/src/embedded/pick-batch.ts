import type { NetworkConfig } from '@lanyard/networks'
import { type Address, size, slice } from 'viem'
import { encodeHandleOps } from '../entry-point/handle-ops.ts'
import { fitsIntoTransaction } from './bundle-limits.ts'
import type { WaitingOperation } from './waiting-operations.ts'

const maxSequenceBits = 64n

const nonceKey = ({ operation }: WaitingOperation) => operation.nonce >> maxSequenceBits

const byFee = (a: WaitingOperation, b: WaitingOperation) =>
  compare(b.operation.maxPriorityFeePerGas, a.operation.maxPriorityFeePerGas) ||
  compare(b.operation.maxFeePerGas, a.operation.maxFeePerGas) ||
  a.signedAt.getTime() - b.signedAt.getTime()

const compare = (a: bigint, b: bigint) => (a < b ? -1 : a > b ? 1 : 0)

/**
 * Picks the next bundle: the highest tips first, then the oldest; one operation per sender. Of several
 * operations with the same nonce, the one that pays most is picked. Of one nonce key, the lowest sequence is
 * picked, because the others are not due.
 *
 * Validation with a third-party paymaster runs the paymaster's own code, which may pass every simulation and
 * revert on chain. Such operations share a bundle only with those of the same paymaster. An operation whose
 * bundle reverted goes alone, so that it cannot harm others again and shows whether it is at fault. While
 * other operations wait too, every fourth turn is for these: neither group can block the other, and the delay
 * is small.
 */
export function pickBatch(
  waiting: readonly WaitingOperation[],
  limits: {
    readonly most: number
    readonly beneficiary: Address
    readonly l1Fee: NetworkConfig['l1Fee']
    /** The service's own paymaster. */
    readonly ownPaymaster: Address | undefined
    /** Counts the attempts to send a bundle, including unsuccessful ones. */
    readonly turn: number
  },
): WaitingOperation[] {
  const fits = (operations: readonly WaitingOperation[]) => {
    const own = operations.map(({ operation }) => operation)
    return fitsIntoTransaction(own, encodeHandleOps(own, limits.beneficiary), limits.l1Fee)
  }
  const all = oneOfEachSender(waiting)
  const fresh = Map.groupBy(
    all.filter(({ reverts }) => reverts === 0),
    (one) => foreignPaymaster(one, limits.ownPaymaster),
  )
  const own = fresh.get(undefined) ?? []
  const [foreign] = [...fresh]
    .flatMap(([paymaster, group]) => (paymaster === undefined ? [] : [group]))
    .sort((x, y) => oldest(x) - oldest(y))
  const [alone] = all.filter(({ reverts }) => reverts > 0).toSorted((x, y) => x.reverts - y.reverts)
  const isTurnOfOthers = own.length === 0 || limits.turn % 4 === 3
  const isTurnOfAlone = !foreign || limits.turn % 8 >= 4
  if (alone && isTurnOfOthers && isTurnOfAlone) return [alone]
  const candidates = foreign && isTurnOfOthers ? foreign : own
  // Usually all of them fit, and encoding them again for each added one would take longer than sending them.
  const first = candidates.slice(0, limits.most)
  if (fits(first)) return first
  const batch: WaitingOperation[] = []
  for (const candidate of candidates) {
    if (batch.length === limits.most) break
    if (fits([...batch, candidate])) batch.push(candidate)
  }
  return batch.length === 0 && alone ? [alone] : batch
}

/** In lower case. */
function foreignPaymaster({ operation }: WaitingOperation, own: Address | undefined): string | undefined {
  if (size(operation.paymasterAndData) < 20) return undefined
  const paymaster = slice(operation.paymasterAndData, 0, 20).toLowerCase()
  return paymaster === own?.toLowerCase() ? undefined : paymaster
}

const oldest = (group: readonly WaitingOperation[]) =>
  Math.min(...group.map(({ signedAt }) => signedAt.getTime()))

function oneOfEachSender(waiting: readonly WaitingOperation[]): WaitingOperation[] {
  const bySender = Map.groupBy(waiting, ({ operation }) => operation.sender.toLowerCase())
  return [...bySender.values()]
    .flatMap((own) => {
      const due = [...Map.groupBy(own, nonceKey).values()].flatMap(dueOfNonceKey)
      return due.sort(byFee).slice(0, 1)
    })
    .sort(byFee)
}

function dueOfNonceKey(sameKey: readonly WaitingOperation[]): WaitingOperation[] {
  const lowest = sameKey.reduce(
    (least, { operation }) => (operation.nonce < least ? operation.nonce : least),
    2n ** 256n,
  )
  return sameKey
    .filter(({ operation }) => operation.nonce === lowest)
    .sort(byFee)
    .slice(0, 1)
}
