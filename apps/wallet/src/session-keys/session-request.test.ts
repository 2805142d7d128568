import { parseEther } from 'viem'
import { describe, expect, test } from 'vitest'
import { readSessionRequest, toGrantRequest } from './session-request.ts'
import type { SessionKeysNetwork } from './use-sessions.ts'

const account = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
const key = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const shop = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'
const network: SessionKeysNetwork = {
  chainId: 31_337,
  name: 'Local 1',
  explorerUrl: undefined,
  local: true,
  currencies: [{ symbol: 'ETH', decimals: 18 }],
  smartBalance: undefined,
  sessionKeys: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
}
const honest = {
  v: 1,
  name: 'Chess Club',
  origin: 'https://chess.example',
  network: 31_337,
  key,
  duration: 86_400,
  permissions: [
    { type: 'native-token-allowance', allowance: '500', period: 86_400, to: [shop] },
    { type: 'gas-fee-allowance', allowance: parseEther('0.1').toString() },
  ],
}
const encode = (body: unknown) =>
  `#request=${Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)).toString('base64url')}`
const read = (changed: object = {}) => readSessionRequest(encode({ ...honest, ...changed }))

describe('readSessionRequest', () => {
  test('default', () => {
    const { v: _, network: chainId, ...rest } = honest
    expect(read()).toEqual({ ok: true, request: { ...rest, chainId } })
  })

  test('behavior: a name with direction marks or invisible characters is escaped', () => {
    expect(read({ name: 'Che\u202ess\u200b' })).toMatchObject({
      request: { name: 'Che\\u{202e}ss\\u{200b}' },
    })
    expect(read({ name: 'x'.repeat(199) })).toMatchObject({ request: { name: `${'x'.repeat(40)}…` } })
  })

  test.each([
    ['nothing', ''],
    ['no request', '#other=1'],
    ['not base64url', '#request=%00'],
    ['not UTF-8', `#request=${Buffer.from([0xff, 0xfe]).toString('base64url')}`],
    ['not JSON', encode('{')],
    ['not an object', encode('[]')],
    ['null', encode('null')],
    ['too much data', encode({ ...honest, name: 'x'.repeat(20_000) })],
  ])('error: %s', (_, fragment) => {
    expect(readSessionRequest(fragment)).toMatchObject({ ok: false, message: expect.any(String) })
  })

  test.each<[string, object]>([
    ['another version', { v: 2 }],
    ['an unknown member', { 'also\u202e': true }],
    ['no name', { name: ' ' }],
    ['a name that is not a string', { name: { toString: 'x' } }],
    ['an origin with a path', { origin: 'https://chess.example/' }],
    ['an origin with credentials', { origin: 'https://bank.example@chess.example' }],
    ['an origin with lookalike letters', { origin: 'https://сhess.example' }],
    ['a script as an origin', { origin: 'javascript:alert(1)' }],
    ['an origin without encryption', { origin: 'http://chess.example' }],
    ['the null origin', { origin: 'null' }],
    ['an invalid key', { key: '0x12' }],
    ['a key that is not a string', { key: 7 }],
    ['a network that is not a number', { network: '31337' }],
    ['a fractional network', { network: 1.5 }],
    ['no end time', { duration: 0 }],
    ['an unlimited time', { duration: 1e12 }],
    ['a time that is not a number', { duration: null }],
  ])('error: %s', (_, changed) => {
    const result = read(changed)
    expect(result.ok).toBe(false)
    expect(JSON.stringify(result)).not.toMatch(/[\u202a-\u202e]/)
  })

  test("behavior: accepts a site on the user's own machine", () => {
    expect(read({ origin: 'http://localhost:5173' }).ok).toBe(true)
  })
})

describe('toGrantRequest', () => {
  const now = 1_800_000_000
  const compile = (permissions: unknown) => {
    const result = read({ permissions })
    if (!result.ok) throw new TypeError(result.message)
    return toGrantRequest(result.request, { account, network, now })
  }

  test('default', () => {
    expect(compile(honest.permissions)).toMatchObject({
      ok: true,
      grant: { key, session: { validUntil: now + 86_400, allowances: [{ amount: 500n, period: 86_400 }] } },
    })
  })

  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['not a list', 'all'],
    ['an empty list', []],
    ['something else', [null]],
    ['an unknown kind', [{ type: 'everything' }]],
    ['only fees', [honest.permissions[1]]],
    ['an amount that is not a string', [{ type: 'native-token-allowance', allowance: 5 }]],
    ['the account itself', [{ type: 'contract-call', target: account, functions: ['f()'] }]],
    ['an approval', [{ type: 'contract-call', target: shop, functions: ['approve(address,uint256)'] }]],
    ['a name with a control character', [{ type: 'contract-call', target: shop, functions: ['f\u202e()'] }]],
  ])('error: %s', (_, permissions) => {
    const result = compile(permissions)
    expect(result.ok).toBe(false)
    expect(JSON.stringify(result)).not.toMatch(/[\u202a-\u202e]/)
  })

  test.each([
    [String(2n ** 128n), /This amount is larger than a limit can be\.$/],
    ['0', /Enter more than zero\.$/],
    ['1,5', /This is not an amount\.$/],
  ])('error: a limit of %s is named in words for people', (allowance, text) => {
    const [payments, fees] = honest.permissions
    const result = compile([{ ...payments, allowance }, fees])
    expect(result).toMatchObject({ ok: false, message: expect.stringMatching(text) })
  })
})
