import { functionsOf } from '@lanyard/session-keys'
import { parseEther, toFunctionSelector } from 'viem'
import { describe, expect, test } from 'vitest'
import { readSessionDraft } from './read-session-draft.ts'
import { emptySessionDraft, type SessionDraft } from './session-draft.ts'
import type { SessionKeysNetwork } from './use-sessions.ts'

const account = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
const sessionKeys = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const key = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const shop = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'
const usdc = { symbol: 'USDC', decimals: 6, token: '0x5FbDB2315678afecb367f032d93F642f64180aa3' } as const
const network: SessionKeysNetwork = {
  chainId: 31_337,
  name: 'Local 1',
  explorerUrl: undefined,
  local: true,
  currencies: [{ symbol: 'ETH', decimals: 18 }, usdc],
  smartBalance: undefined,
  sessionKeys,
}
const now = 1_800_000_000

const read = (draft: Partial<SessionDraft>) =>
  readSessionDraft({ ...emptySessionDraft, key, ...draft }, { account, network, now })
const token = { ...emptySessionDraft.token, wanted: true, amount: '5', recipients: shop }
const native = { ...emptySessionDraft.native, wanted: true, amount: '0.5', recipients: shop }
const call = { id: 0, target: shop, functions: 'buy(uint256)', maxValue: '' }

describe('readSessionDraft', () => {
  test('default', () => {
    const { request } = { request: undefined, ...read({ token }) }
    expect(request).toMatchObject({
      key,
      session: {
        validAfter: now - 60,
        validUntil: now + 86_400,
        maxOperations: 100,
        feePerOperation: parseEther('0.001'),
        allowances: [{ token: usdc.token, period: 86_400, amount: 5_000_000n }],
        rules: [
          { kind: 'token', counterparty: shop },
          { kind: 'token', counterparty: shop },
        ],
      },
    })
  })

  test('args: native coin, several recipients, one total', () => {
    expect(read({ native: { ...native, recipients: `${shop}\n${key}` } })).toMatchObject({
      ok: true,
      request: {
        session: {
          allowances: [{ period: 0, amount: parseEther('0.5') }],
          rules: [
            { kind: 'native', target: shop },
            { kind: 'native', target: key },
          ],
        },
      },
    })
  })

  test('args: reach', () => {
    expect(read({ token: { ...token, reach: 'anyone' } })).toMatchObject({
      request: { session: { rules: [{ counterparty: '0x0000000000000000000000000000000000000000' }] } },
    })
    expect(
      read({ native: { ...native, reach: 'nobody' }, calls: [{ ...call, maxValue: '0.1' }] }),
    ).toMatchObject({
      request: { session: { rules: [{ kind: 'call', maxValue: parseEther('0.1') }] } },
    })
  })

  test('args: calls by signature and by selector', () => {
    const result = read({ calls: [{ ...call, functions: 'function buy(uint256)\n0x12345678' }] })
    if (!result.ok) throw new TypeError(JSON.stringify(result.errors))
    expect(result.request.session.rules.map(({ selector }) => selector)).toEqual([
      toFunctionSelector('buy(uint256)'),
      '0x12345678',
    ])
    expect(functionsOf(result.request.permissions)).toEqual(['buy(uint256)'])
  })

  test.each<[string, Partial<SessionDraft>, string]>([
    ['nothing is allowed', {}, 'form'],
    ['no key', { token, key: '' }, 'key'],
    ['an amount with a comma', { token: { ...token, amount: '1,500' } }, 'token.amount'],
    ['an amount of zero', { native: { ...native, amount: '0' } }, 'native.amount'],
    ['an amount that is too large', { native: { ...native, amount: '9'.repeat(30) } }, 'native.amount'],
    ['no recipient', { token: { ...token, recipients: ' ' } }, 'token.recipients'],
    ['an incomplete recipient', { token: { ...token, recipients: `${shop}, 0x12` } }, 'token.recipients'],
    ['a duplicate recipient', { token: { ...token, recipients: `${shop} ${shop}` } }, 'token.recipients'],
    ['a payment to the account itself', { native: { ...native, recipients: account } }, 'native.recipients'],
    ['a call of the session contract', { calls: [{ ...call, target: sessionKeys }] }, 'call0.target'],
    [
      'a call of a token with an allowance',
      { token, calls: [{ ...call, target: usdc.token }] },
      'call0.target',
    ],
    ['no function', { calls: [call, { ...call, functions: '' }] }, 'call1.functions'],
    ['not a function', { calls: [{ ...call, functions: 'buy' }] }, 'call0.functions'],
    ['an approval', { calls: [{ ...call, functions: 'approve(address,uint256)' }] }, 'call0.functions'],
    ['value without an allowance', { calls: [{ ...call, maxValue: '1' }] }, 'call0.maxValue'],
    ['no fees', { token, fees: '0' }, 'fees'],
    ['fees that are zero for each operation', { token, fees: '0.000000000000000001' }, 'fees'],
    ['no operations', { token, operations: '0' }, 'operations'],
  ])('error: %s', (_, draft, place) => {
    const result = read(draft)
    expect(Object.keys(result.ok ? {} : result.errors)).toEqual([place])
  })
})
