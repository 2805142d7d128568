import type { ImitatedProviderName } from '@lanyard/testing/fault-proxy'
import type { FeatureName } from './feature-names.ts'

type Exceptions = Readonly<Partial<Record<FeatureName, string>>>

/** Everything that needs an estimate has the same outcome. */
const withoutEstimates = (outcome: string): Exceptions => ({
  'build an operation': outcome,
  'submit it': outcome,
  'its receipt and status': outcome,
  'an order and its settlement': outcome,
  'a session key': outcome,
  'events and webhooks': outcome,
})

/** What does not work with a provider, and the reason. Everything else works. */
export const expectedOutcomes: Readonly<Record<ImitatedProviderName, Exceptions>> = {
  tenBlocks: {},
  fiveBlocks: {},
  batchesOfThree: {},
  noBatches: {},
  dailyLimit: {},
  noLogs: {
    'submit it': 'LIMIT_TOO_LOW',
    'its receipt and status': 'LIMIT_TOO_LOW',
    'transfers of a wallet': 'LIMIT_TOO_LOW',
    'an order and its settlement': 'LIMIT_TOO_LOW',
    'a session key': 'LIMIT_TOO_LOW',
    'events and webhooks': 'LIMIT_TOO_LOW',
  },
  oneName: {},
  noFeeHistory: {},
  noFinalTag: {
    'its receipt and status': 'NO_FINALITY_TAG',
    'the smart balance': 'NO_FINALITY_TAG',
    'an order and its settlement': 'NO_FINALITY_TAG',
    'events and webhooks': 'NO_FINALITY_TAG',
  },
  refusesOverrides: withoutEstimates('NO_STATE_OVERRIDE'),
  ignoresOverrides: withoutEstimates('NO_STATE_OVERRIDE'),
  smallBodies: withoutEstimates('LIMIT_TOO_LOW'),
  nodesApart: {},
}
