import { describe, expect, test } from 'vitest'
import { toOwnership } from './use-owners.ts'

const passkey = {
  address: '0x94a4F6affBd8975951142c3999aEAB7ecee555c2',
  kind: 'passkey',
  label: 'First',
} as const
const friend = { address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', kind: 'eoa' } as const

describe('toOwnership', () => {
  test('default', () => {
    const ownership = toOwnership([
      { network: 1, status: 'up', deployed: true, owners: [friend, passkey] },
      { network: 2, status: 'up', deployed: false, owners: [passkey] },
    ])
    expect(ownership).toMatchObject({ known: [1, 2], unprotected: [2], down: [] })
    expect(ownership.owners).toMatchObject([
      { ...passkey, chainIds: [1, 2] },
      { ...friend, chainIds: [1] },
    ])
  })

  test('behavior: the session keys contract does not count as protection', () => {
    const sessions = { address: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC', kind: 'contract' } as const
    const ownership = toOwnership(
      [{ network: 1, status: 'up', deployed: true, owners: [sessions, passkey] }],
      [{ chainId: 1, sessionKeys: sessions.address }],
    )
    expect(ownership.unprotected).toEqual([1])
    expect(ownership.owners).toMatchObject([{ kind: 'sessions' }, { kind: 'passkey' }])
  })

  test('behavior: a network that does not answer is neither protected nor unprotected', () => {
    const ownership = toOwnership([{ network: 1, status: 'down' }])
    expect(ownership).toEqual({ owners: [], known: [], unprotected: [], down: [1] })
  })
})
