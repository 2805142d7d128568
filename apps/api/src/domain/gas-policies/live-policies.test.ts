import { expect, test } from 'vitest'
import { policiesFile } from './gas-policy.ts'
import { toDraft } from './live-policies.ts'

test('behavior: the draft of policies that charge a token gives the same policies', () => {
  const { policies } = policiesFile.parse({
    policies: [
      {
        id: 'tokens',
        charge: { token: 'USDC', markup: 5.25, price: { min: '1000', max: '10000.5' } },
        budgets: { day: { wei: '1000' } },
      },
      { id: 'at-cost', charge: { token: 'USDC' }, budgets: { day: { wei: '1000' } } },
    ],
  })
  expect(policiesFile.parse(JSON.parse(toDraft(policies))).policies).toEqual(policies)
})
