import type { ForeignPart } from '@lanyard/accounts'
import { getUserOperationHash, type SignedUserOperation } from '@lanyard/accounts'
import type { Hex } from 'viem'
import { assertOwnAuthorization } from '../eip7702/delegations.ts'
import { entryPointOf, hasLanded, insufficientFunds } from '../entry-point/entry-point.ts'
import { rejection } from '../entry-point/handle-ops-failure.ts'
import { assertAdmissible, rejectionForUnproven } from './assert-admissible.ts'
import { assertNoCompetitor, readSenderState } from './assert-no-competitor.ts'
import type { EmbeddedContext } from './context.ts'
import { assertCoversItsCosts } from './covers-its-costs.ts'
import { type Debts, rejectionForDebts } from './debts.ts'
import { mayRevert } from './may-revert.ts'
import type { DeliverySimulation, SimulateDelivery } from './simulate-delivery.ts'

/**
 * Accepts an operation. There is nothing to store, because its row is the queue. This only checks whether it
 * can be included, by running `handleOps` as the relayer will.
 */
export async function deliver(
  context: EmbeddedContext,
  simulate: SimulateDelivery,
  operation: SignedUserOperation,
  sentBy: string | null,
): Promise<void> {
  const { network } = context
  const entryPoint = entryPointOf(network, operation)
  const hash = getUserOperationHash(operation, { chainId: network.chainId, entryPoint })
  let simulation: DeliverySimulation
  let debts: Debts
  try {
    assertAdmissible(network, operation)
    if (operation.authorization) await assertOwnAuthorization(network, operation)
    const [simulated, , standing] = await Promise.all([
      simulate(operation),
      assertCoversItsCosts(network, operation),
      readSenderState(context, operation, sentBy),
    ])
    simulation = simulated
    debts = standing
    assertNoCompetitor(standing.competitors, operation, hash)
  } catch (error) {
    if ((await readProgress(context, hash)).isOnItsWay) return
    throw error
  }
  const { failure, external, delegation } = simulation
  if (!failure && !delegation?.refusal) {
    const risk = mayRevert(network.config, { ...debts, operation, external })
    const isUnproven = risk?.isUnproven
    const rejected =
      debtRejection(context, operation, { ...debts, sentBy, external }) ??
      (isUnproven ? rejectionForUnproven(operation, external) : undefined)
    if (!rejected && isPlain(operation) && !risk && simulation.passedAlone)
      context.recentSimulations.remember(hash, operation.signature, simulation.passedAlone)
    if (!rejected || (await readProgress(context, hash)).isOnItsWay) return
    throw rejected
  }
  const { isOnItsWay, signedAtBlock } = await readProgress(context, hash)
  if (isOnItsWay) return
  if (failure?.aaCode === 'AA25' || failure?.aaCode === 'AA10') {
    if (await hasLanded(network, operation, hash, signedAtBlock)) return
  }
  if (delegation?.refusal) throw delegation.refusal
  if (failure?.aaCode === 'AA21') throw await insufficientFunds(network, operation)
  if (failure) throw rejection(failure)
}

/** Only its own account decides whether it passes: nothing is deployed, delegated or paid by another one. */
const isPlain = ({ initCode, paymasterAndData, authorization }: SignedUserOperation) =>
  initCode === '0x' && paymasterAndData === '0x' && !authorization

function debtRejection(
  { network, knownDebts }: EmbeddedContext,
  operation: SignedUserOperation,
  debts: Debts & { readonly sentBy: string | null; readonly external: ForeignPart | undefined },
) {
  knownDebts.remember(operation.sender, debts.owed)
  return rejectionForDebts({ ...debts, operation, fees: network.lastFees ?? { baseFeePerGas: 0n } })
}

/**
 * Whether an operation is included, or is in a transaction that may still include it. In both cases it is no
 * longer refused.
 */
async function readProgress({ database }: EmbeddedContext, hash: Hex) {
  const row = await database
    .selectFrom('operations')
    .select(['state', 'signed_at_block'])
    .select((eb) =>
      eb
        .exists(
          eb
            .selectFrom('relayer_transaction_operations as link')
            .innerJoin('relayer_transactions as tx', 'tx.txn_hash', 'link.txn_hash')
            .select('link.txn_hash')
            .whereRef('link.user_op_hash', '=', 'operations.user_op_hash')
            .where('tx.state', 'in', ['live', 'mined']),
        )
        .as('is_in_transaction'),
    )
    .where('user_op_hash', '=', hash)
    .executeTakeFirst()
  const signedAtBlock = row?.signed_at_block ?? undefined
  return {
    isOnItsWay: row !== undefined && (row.state === 'included' || Boolean(row.is_in_transaction)),
    signedAtBlock: signedAtBlock === undefined ? undefined : BigInt(signedAtBlock),
  }
}
