import type { Database } from '@lanyard/database'
import type { Kysely } from 'kysely'
import { createScreening, noScreening, type Screening } from '../domain/operations/screening/screening.ts'
import { recordAct } from '../platform/audit/record-act.ts'
import type { Env } from '../platform/environment/env.ts'
import type { Metrics } from '../platform/metrics/metrics.ts'
import { RecentMap } from '../platform/recent-map.ts'

interface Dependencies {
  readonly env: Pick<Env, 'SCREENING_FAILURE' | 'SCREENING_SECRET' | 'SCREENING_TIMEOUT' | 'SCREENING_URL'>
  readonly database: Kysely<Database>
  readonly metrics: Pick<Metrics, 'countScreening'>
  readonly now: () => Date
}

/**
 * Milliseconds in which the same verdict about an account is one row of the audit log, however often it is asked for and
 * whatever its reason says. That the program is away is one row for all accounts: callers could fill the log otherwise.
 */
const oneRowIn = 10 * 60_000

/**
 * The screening that the environment configures. Each verdict is counted; each that is not a plain `allow` is a row of the audit
 * log, written before its consequence.
 */
export function screeningOf({ env, database, metrics, now }: Dependencies): Screening {
  const { SCREENING_FAILURE, SCREENING_SECRET, SCREENING_TIMEOUT, SCREENING_URL } = env
  if (SCREENING_URL === undefined || SCREENING_SECRET === undefined) return noScreening
  const source = new URL(SCREENING_URL).host
  const recorded = new RecentMap<string, number>(10_000)
  return createScreening({
    ...{ url: SCREENING_URL, secret: SCREENING_SECRET, onFailure: SCREENING_FAILURE, now },
    timeout: SCREENING_TIMEOUT * 1000,
    async observe({ request, verdict, reason }) {
      const { purpose, account, caller = null, userOpHash = null } = request
      metrics.countScreening({ purpose, verdict })
      if (verdict === 'allow') return
      const network = request.network.chainId
      const about = verdict === 'failed' ? '' : account.toLowerCase()
      const key = [network, about, purpose, verdict].join(' ')
      const last = recorded.get(key)
      if (last !== undefined && last > now().getTime() - oneRowIn) return
      recorded.set(key, now().getTime())
      await database.transaction().execute((transaction) =>
        recordAct(transaction, {
          ...{ actor: 'screening', source, act: `screening.${acts[verdict]}`, subject: account },
          after: { network, purpose, reason, caller, userOpHash },
        }),
      )
    },
  })
}

const acts = {
  deny: 'deny',
  hold: 'hold',
  failed: 'unanswered',
  'allowed unanswered': 'allow-unanswered',
} as const
