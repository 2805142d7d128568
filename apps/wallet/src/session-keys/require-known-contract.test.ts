import { sessionKeysAddress, smartBalanceAddress } from '@lanyard/devnet'
import { describe, expect, test } from 'vitest'
import type { SmartBalance } from '../networks/use-networks.ts'
import { requireKnownContract } from './plan-grant.ts'

const token = { symbol: 'USDC', decimals: 6, token: '0x5FbDB2315678afecb367f032d93F642f64180aa3' } as const
const smartBalance: SmartBalance = { address: smartBalanceAddress, token, unit: token }

describe('requireKnownContract', () => {
  test('default', () => {
    requireKnownContract({ sessionKeys: sessionKeysAddress, smartBalance })
  })

  test.each([
    ['another contract', { sessionKeys: smartBalanceAddress, smartBalance }],
    ['one without combined balance protection', { sessionKeys: sessionKeysAddress, smartBalance: undefined }],
  ])('error: %s', (_, network) => {
    expect(() => requireKnownContract(network)).toThrow(
      'a session keys contract that this wallet does not know',
    )
  })
})
