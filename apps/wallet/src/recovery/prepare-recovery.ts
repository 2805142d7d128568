import { recoveryTypedData, verifyRecovery } from '@lanyard/accounts'
import { type Hex, isAddressEqual } from 'viem'
import { trpc } from '../api/trpc.ts'
import { WalletError } from '../errors/wallet-error.ts'
import { requireKnownModule } from '../networks/known-module.ts'
import type { Network } from '../networks/use-networks.ts'
import type { RecoveryRequest } from './recovery-link.ts'
import { namedOwner, type RecoveryStatus } from './use-recovery.ts'

/** What a guardian signs, recomputed on this device. */
export interface PreparedRecovery {
  readonly request: RecoveryRequest
  readonly sequence: string
  readonly number: string
  readonly typedData: ReturnType<typeof recoveryTypedData>
}

/**
 * Prepares what a guardian signs once for all networks.
 *
 * @param status - as shown to the guardian: the recovery has the sequence after it
 * @throws WalletError FOREIGN_MODULE, CALLS_DIFFER, HASH_DIFFERS; errors of the service
 */
export async function prepareRecovery(
  request: RecoveryRequest,
  status: RecoveryStatus,
  networks: readonly Network[],
): Promise<PreparedRecovery> {
  const newOwners = [request.newOwner]
  const prepared = await trpc.recovery.prepare.mutate({
    account: request.account,
    newOwners: [namedOwner(request)],
  })
  requireKnownModule(prepared.module, networks)
  if (!isAddressEqual(prepared.account, request.account)) throw new WalletError('CALLS_DIFFER')
  const sequences = status.networks.flatMap(({ sequence }) =>
    sequence === undefined ? [] : [BigInt(sequence)],
  )
  const context = {
    module: prepared.module,
    account: request.account,
    sequence: BigInt(prepared.sequence),
    number: nextNumber(prepared, status),
  }
  // One that no network has yet would hold some day, after a change that nobody has made.
  if (!sequences.includes(context.sequence)) throw new WalletError('CALLS_DIFFER')
  const verified = verifyRecovery(
    {
      sequence: context.sequence,
      number: BigInt(prepared.number),
      newOwners,
      messageToSign: prepared.messageToSign as Hex,
    },
    newOwners,
    context,
  )
  if (!verified.ok) throw new WalletError('HASH_DIFFERS')
  const { sequence, number } = prepared
  return { request, sequence, number, typedData: recoveryTypedData(newOwners, context) }
}

/** One above the highest number that a network has seen at this sequence or that was signed; or that of this recovery. */
function nextNumber(
  { sequence, messageToSign }: { sequence: string; messageToSign: string },
  status: RecoveryStatus,
) {
  const same = status.recoveries.find((recovery) => recovery.messageToSign === messageToSign)
  if (same) return BigInt(same.number)
  const seen = status.networks.flatMap((network) =>
    network.sequence === sequence ? (network.number ?? []) : [],
  )
  const signed = [...status.recoveries, ...status.cancellations]
    .filter((message) => message.sequence === sequence)
    .map(({ number }) => number)
  return (
    [...seen, ...signed].reduce(
      (highest, number) => (BigInt(number) > highest ? BigInt(number) : highest),
      0n,
    ) + 1n
  )
}
