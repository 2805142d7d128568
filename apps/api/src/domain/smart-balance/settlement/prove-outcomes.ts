import { packAttestations, type Settling, toSettledOperation } from '@lanyard/smart-balance'
import type { Address } from 'viem'
import { readAttestorSet } from './attestor-set.ts'
import type { SettlementDependencies } from './dependencies.ts'
import type { DueDebit } from './due-debits.ts'
import type { BalanceNetwork } from './networks.ts'
import { validAttestations } from './valid-attestations.ts'

/** A debit in the form that the source network takes. */
export interface ProvenDebit {
  readonly debit: DueDebit
  readonly settling: Settling
}

/**
 * Assembles the proofs: as many attestations as the source network requires, by attestors that it accepts.
 * After a change of attestors, networks may differ for a while. Debits without enough attestations are left
 * out.
 *
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function proveOutcomes(
  { database }: Pick<SettlementDependencies, 'database'>,
  source: BalanceNetwork,
  debits: readonly DueDebit[],
): Promise<ProvenDebit[]> {
  const rows = await database
    .selectFrom('attestations')
    .selectAll()
    .where(
      'order_hash',
      'in',
      debits.map(({ orderHash }) => orderHash),
    )
    .execute()
  const smartBalance = source.contract.address
  const attested = await Promise.all(
    debits.map(async (debit) => ({
      debit,
      attestations: await validAttestations(rows, { smartBalance, ...debit }),
    })),
  )
  const candidates = new Set(attested.flatMap(({ attestations }) => attestations.map(byAttestor)))
  if (candidates.size === 0) return []
  const { threshold, members } = await readAttestorSet(source, [...candidates])
  return attested.flatMap(({ debit, attestations }) => {
    const counting = attestations.filter(({ attestor }) => members.has(attestor))
    if (counting.length < threshold) return []
    const settling: Settling = {
      chainId: debit.outputNetwork,
      signed: toSettledOperation(debit.operation),
      outcome: debit.outcome,
      proof: packAttestations(counting.slice(0, threshold)),
    }
    return [{ debit, settling }]
  })
}

const byAttestor = ({ attestor }: { readonly attestor: Address }) => attestor
