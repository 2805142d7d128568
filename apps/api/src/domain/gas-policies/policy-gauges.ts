import type { Database } from '@lanyard/database'
import type { Kysely } from 'kysely'
import type { Metrics } from '../../platform/metrics/metrics.ts'
import { readSpent } from './gas-budgets.ts'
import type { GasPolicy } from './gas-policy.ts'

interface Dependencies {
  readonly database: Kysely<Database>
  readonly policies: readonly GasPolicy[]
}

/** What each policy has spent since it was declared, and what its pending operations may still cost. */
export function addPolicyGauges(
  metrics: Pick<Metrics, 'addGauge' | 'announce'>,
  { database, policies }: Dependencies,
): void {
  const ids = policies.map(({ id }) => id)
  // An empty name: no policy applied.
  for (const policy of ['', ...ids]) metrics.announce('policy', { policy })
  metrics.addGauge({
    name: 'policy_gas_wei',
    help: 'Gas of a policy on a network: finally spent, reserved for operations that are not final, and promised to builds that nobody has submitted',
    labels: ['policy', 'network', 'state'],
    read: async () =>
      (await readSpent(database, ids)).flatMap(({ policy, network, spent, reserved, promised }) => [
        { labels: { policy, network, state: 'spent' }, value: Number(spent) },
        { labels: { policy, network, state: 'reserved' }, value: Number(reserved) },
        { labels: { policy, network, state: 'promised' }, value: Number(promised) },
      ]),
  })
}
