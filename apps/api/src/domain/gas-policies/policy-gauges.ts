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
  announcePolicies(metrics, policies)
  metrics.addGauge({
    name: 'policy_gas_wei',
    help: 'Gas of a policy on a network: finally spent, reserved for operations that are not final, and promised to builds that nobody has submitted',
    labels: ['policy', 'network', 'state'],
    ofDatabase: true,
    read: async () =>
      (
        await readSpent(
          database,
          policies.map(({ id }) => id),
        )
      ).flatMap(({ policy, network, spent, reserved, promised }) => [
        { labels: { policy, network, state: 'spent' }, value: Number(spent) },
        { labels: { policy, network, state: 'reserved' }, value: Number(reserved) },
        { labels: { policy, network, state: 'promised' }, value: Number(promised) },
      ]),
  })
}

/** Starts the counters of policies at 0. An empty name: no policy applied. */
export function announcePolicies(metrics: Pick<Metrics, 'announce'>, policies: readonly GasPolicy[]): void {
  for (const policy of ['', ...policies.map(({ id }) => id)]) metrics.announce('policy', { policy })
}
