import { compilePermissions, forbiddenTargets } from '@lanyard/session-keys'
import { type Address, zeroAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import { linkToOwner, permissionsFor, type Wish } from './ask-owner.ts'
import type { Session } from './sessions.ts'

const token: Address = '0x1de369C050d12c59EAB848C938932a347eaFa68c'
const shop: Address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const friend: Address = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'

const session: Session = {
  network: 31337,
  keyId: `0x${'11'.repeat(32)}`,
  state: 'active',
  validAfter: 1,
  validUntil: 2,
  maxOperations: 50,
  operationsLeft: 12,
  feePerOperation: '1000',
  allowances: [{ token, period: 0, amount: '100', left: '40' }],
  rules: [
    { kind: 'token', target: token, selector: '0xa9059cbb', counterparty: shop, maxValue: '0' },
    { kind: 'token', target: token, selector: '0x095ea7b3', counterparty: shop, maxValue: '0' },
  ],
  description: [],
}
const wish: Wish = { token, amount: 5n, to: [friend], feePerOperation: 7n }

/** Whether the wallet would accept the permissions. */
const isGrantable = (permissions: ReturnType<typeof permissionsFor>) =>
  compilePermissions(permissions, {
    ...{ validAfter: 1, validUntil: 2 },
    forbidden: forbiddenTargets({
      account: zeroAddress,
      sessionKeys: zeroAddress,
      smartBalance: zeroAddress,
    }),
  }).ok

describe('permissionsFor', () => {
  test('default: a first session is what was wished for, with fees', () => {
    const permissions = permissionsFor(undefined, wish)
    expect(permissions).toEqual([
      { type: 'erc20-token-allowance', token, allowance: '5', to: [friend] },
      { type: 'gas-fee-allowance', allowance: '700', operations: 100 },
    ])
    expect(isGrantable(permissions)).toBe(true)
  })

  test('behavior: what is left of a total is kept, and the wish is added', () => {
    const permissions = permissionsFor(session, wish)
    expect(permissions).toEqual([
      { type: 'erc20-token-allowance', token, allowance: '45', to: [shop, friend] },
      { type: 'gas-fee-allowance', allowance: '50000', operations: 50 },
    ])
    expect(isGrantable(permissions)).toBe(true)
  })

  test.each([
    ['stays if the wish is smaller', 5n, '100'],
    ['grows to the wish if that is larger', 150n, '150'],
  ])('behavior: a periodic amount %s', (_, amount, allowance) => {
    const [allowances] = session.allowances
    const daily = {
      ...session,
      allowances: [{ ...allowances, token, period: 86_400, amount: '100', left: '1' }],
    }
    expect(permissionsFor(daily, { ...wish, amount })[0]).toMatchObject({ allowance, period: 86_400 })
  })

  test('args: period', () => {
    expect(permissionsFor(session, { ...wish, period: 604_800 })[0]).toMatchObject({
      ...{ allowance: '5', period: 604_800 },
    })
  })

  test('behavior: other currencies and calls are kept', () => {
    const more: Session = {
      ...session,
      allowances: [...session.allowances, { period: 0, amount: '9', left: '8' }],
      rules: [
        ...session.rules,
        { kind: 'native', maxValue: '9' },
        { kind: 'call', target: shop, selector: '0x12345678', maxValue: '3' },
        { kind: 'call', target: shop, selector: '0x9abcdef0', maxValue: '3' },
      ],
    }
    expect(permissionsFor(more, wish)).toEqual([
      { type: 'erc20-token-allowance', token, allowance: '45', to: [shop, friend] },
      { type: 'native-token-allowance', allowance: '8' }, // its rule names nobody, so anyone may be paid
      { type: 'contract-call', target: shop, functions: ['0x12345678', '0x9abcdef0'], maxValue: '3' },
      { type: 'gas-fee-allowance', allowance: '50000', operations: 50 },
    ])
  })
})

test('linkToOwner: the wallet reads what was asked for', () => {
  const request = {
    ...{
      walletUrl: 'https://wallet.example',
      name: 'Agent',
      origin: 'https://agent.example',
      network: 31337,
    },
    ...{ sessionKey: shop, duration: 3600, permissions: permissionsFor(undefined, wish) },
  }
  const link = new URL(linkToOwner(request))
  expect(link.origin + link.pathname).toBe('https://wallet.example/sessions/request')
  const text = new URLSearchParams(link.hash.slice(1)).get('request') ?? ''
  const { walletUrl: _, sessionKey, ...rest } = request
  expect(JSON.parse(Buffer.from(text, 'base64url').toString())).toEqual({ v: 1, key: sessionKey, ...rest })
})
