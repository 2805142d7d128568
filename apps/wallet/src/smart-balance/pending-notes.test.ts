import { encodeCancelExit, encodeDeposit, encodeRequestExit } from '@lanyard/smart-balance'
import { describe, expect, test } from 'vitest'
import type { Network } from '../networks/use-networks.ts'
import { toTransactionDetails } from '../passkey/verify-operation.ts'
import { pendingSteps } from './pending-notes.tsx'

const account = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
const address = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const token = { symbol: 'USDC', decimals: 6, token: '0x5FbDB2315678afecb367f032d93F642f64180aa3' } as const
const network: Network = {
  chainId: 31337,
  name: 'Local 1',
  explorerUrl: undefined,
  sessionKeys: undefined,
  local: true,
  currencies: [token],
  smartBalance: { address, token, unit: { symbol: 'USDC', decimals: 6 } },
}
const deposit = encodeDeposit({ token: token.token, smartBalance: address, amount: 5n, decimals: 6 })
const included = {
  userOpHash: '0x01',
  network: '31337',
  state: 'included',
  success: true,
  final: false,
  calls: toTransactionDetails(deposit),
} as const
const kinds = (changed: object) =>
  pendingSteps([{ ...included, ...changed }], [network], account).map(({ call }) => call.kind)

describe('pendingSteps', () => {
  test('default', () => {
    expect(pendingSteps([included], [network], account)).toMatchObject([
      { network: { chainId: 31337 }, call: { kind: 'deposit', amount: 5n } },
    ])
  })

  test('behavior: includes exits', () => {
    expect(kinds({ calls: toTransactionDetails([encodeRequestExit(address, 1n)]) })).toEqual(['request-exit'])
    expect(kinds({ calls: toTransactionDetails([encodeCancelExit(address)]) })).toEqual(['cancel-exit'])
  })

  test.each([{ final: true }, { success: false }, { state: 'submitted' }, { network: '1' }, { calls: [] }])(
    'behavior: nothing for %o',
    (changed) => {
      expect(kinds(changed)).toEqual([])
    },
  )
})
