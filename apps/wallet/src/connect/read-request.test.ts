import { defaultDeployment } from '@lanyard/accounts'
import { numberToHex, stringToHex, zeroAddress } from 'viem'
import { createSiweMessage, parseSiweMessage } from 'viem/siwe'
import { describe, expect, test } from 'vitest'
import { account, friend, networks, sessionKeys } from '../../test/render-wallet.tsx'
import { readRequest } from './read-request.ts'
import { Rejection } from './rejection.ts'

const origin = 'https://app.example'
const now = new Date('2026-06-01T12:00:00Z')
const requested = { origin, account: { username: 'alice', account }, networks, now }
const [network, second] = networks

const read = (method: string, params: readonly unknown[], chainId = 1) =>
  readRequest({ jsonrpc: '2.0', id: 1, method, params, chainId }, requested)

function rejectionOf(run: () => unknown) {
  try {
    run()
  } catch (error) {
    if (error instanceof Rejection) return { code: error.failure.code, isShown: error.isShown }
    throw error
  }
  return 'read'
}

describe('personal_sign', () => {
  test('default: shows hex of UTF-8 as text, and other hex as bytes', () => {
    expect(read('personal_sign', [stringToHex('grüezi'), account])).toMatchObject({
      kind: 'message',
      network,
      message: { message: 'grüezi' },
      signIn: undefined,
    })
    for (const data of ['0xff', '0xefbbbf41', '0xc3'])
      expect(read('personal_sign', [data, account])).toMatchObject({
        message: data === '0xefbbbf41' ? { message: '\uFEFFA' } : { rawMessage: data },
      })
    expect(read('personal_sign', ['plain', account])).toMatchObject({ message: { message: 'plain' } })
  })

  test('error: another account, a missing message, another network', () => {
    expect(rejectionOf(() => read('personal_sign', ['0x68', friend]))).toMatchObject({ code: 4100 })
    expect(rejectionOf(() => read('personal_sign', ['0x68', 'alice']))).toMatchObject({ code: -32602 })
    expect(rejectionOf(() => read('personal_sign', [7, account]))).toMatchObject({ code: -32602 })
    expect(rejectionOf(() => read('personal_sign', ['0x123', account]))).toMatchObject({ code: -32602 })
    expect(rejectionOf(() => read('personal_sign', ['0x68', account], 5))).toMatchObject({ code: 5710 })
  })

  const siwe = {
    address: account,
    chainId: 1,
    domain: 'app.example',
    uri: `${origin}/login`,
    version: '1',
    nonce: 'abcdefgh',
    issuedAt: now,
  } as const

  test('behavior: signs a sign-in on the network that it names', () => {
    const text = createSiweMessage({ ...siwe, chainId: 2 })
    expect(read('personal_sign', [text, account], 1)).toMatchObject({
      network: second,
      signIn: { domain: 'app.example' },
    })
  })

  test.each([
    ['another domain', { domain: 'bank.example' }],
    ['another URI', { uri: 'https://bank.example' }],
    ['another account', { address: friend }],
    ['a network that the wallet does not have', { chainId: 9 }],
    ['an expiry in the past', { expirationTime: new Date('2026-05-01') }],
  ] as const)('error: a sign-in with %s is rejected, and shown', (_name, change) => {
    const text = createSiweMessage({ ...siwe, ...change })
    expect(rejectionOf(() => read('personal_sign', [text, account]))).toEqual({ code: -32602, isShown: true })
  })

  test('error: text that only resembles a sign-in is rejected', () => {
    const text = createSiweMessage({ ...siwe, domain: 'bank.example' }).replace(/URI: .*\n/, '')
    expect(rejectionOf(() => read('personal_sign', [text, account]))).toEqual({ code: -32602, isShown: true })
  })
})

describe('eth_signTypedData_v4', () => {
  const typedData = {
    domain: { name: 'Shop', chainId: 1 },
    types: { Greeting: [{ name: 'text', type: 'string' }] },
    primaryType: 'Greeting',
    message: { text: 'Hello' },
  }

  test('default: accepts JSON and objects', () => {
    for (const data of [typedData, JSON.stringify(typedData)])
      expect(read('eth_signTypedData_v4', [account, data])).toEqual({
        kind: 'typed-data',
        network,
        typedData,
      })
  })

  test.each([
    ['another network', { ...typedData, domain: { chainId: '0x2' } }],
    ['an invalid network', { ...typedData, domain: { chainId: {} } }],
    ['a value that does not fit its type', { ...typedData, message: {} }],
    ['no types', { ...typedData, types: undefined }],
    ['invalid types', { ...typedData, types: { Greeting: ['text'] } }],
    ['not JSON', '{'],
    ['a hash', `0x${'11'.repeat(32)}`],
  ])('error: %s', (_name, data) => {
    expect(rejectionOf(() => read('eth_signTypedData_v4', [account, data]))).toMatchObject({ code: -32602 })
  })

  test('error: another account', () => {
    expect(rejectionOf(() => read('eth_signTypedData_v4', [friend, typedData]))).toMatchObject({ code: 4100 })
  })
})

describe('wallet_sendCalls', () => {
  const request = { version: '2.0.0', chainId: '0x1', from: account, calls: [{ to: friend, value: '0x1' }] }
  const send = (change: object) => read('wallet_sendCalls', [{ ...request, ...change }])

  test('default: reads calls with defaults, on the network that they name', () => {
    expect(
      send({ chainId: '0x2', calls: [{ to: friend }, { to: friend, value: '0xff', data: '0xcafe' }] }),
    ).toEqual({
      kind: 'calls',
      network: second,
      calls: [
        { to: friend, value: 0n, data: '0x' },
        { to: friend, value: 255n, data: '0xcafe' },
      ],
    })
  })

  test.each([
    ['another version', { version: '1.0' }, -32602],
    ['no calls', { calls: [] }, -32602],
    ['a call without a recipient', { calls: [{ data: '0x00' }] }, -32602],
    ['an incomplete byte', { calls: [{ to: friend, data: '0x0' }] }, -32602],
    ['a decimal value', { calls: [{ to: friend, value: '1' }] }, -32602],
    ['65 calls', { calls: Array.from({ length: 65 }, () => ({ to: friend })) }, 5740],
    ['another network', { chainId: '0x5' }, 5710],
    ['another account', { from: friend }, 4100],
    ['a paymaster', { capabilities: { paymasterService: { url: 'https://pay.example' } } }, 5700],
    ['a capability of a call', { calls: [{ to: friend, capabilities: { x: {} } }] }, 5700],
  ])('error: %s', (_name, change, code) => {
    expect(rejectionOf(() => send(change))).toEqual({ code, isShown: false })
  })

  test.each([
    ['the account', account],
    ['its module', defaultDeployment.module],
    ['the combined balance', network?.smartBalance?.address],
    ['the session keys', sessionKeys],
    ['the entry point', defaultDeployment.entryPoint],
  ])('error: a call to %s is rejected, and shown, at any position', (_name, to) => {
    for (const calls of [[{ to }], [{ to: friend }, { to: to?.toLowerCase() }]])
      expect(rejectionOf(() => send({ calls }))).toEqual({ code: -32602, isShown: true })
  })
})

describe('wallet_grantPermissions', () => {
  const second = Math.floor(now.getTime() / 1_000)
  const token = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
  const fees = { type: 'gas-limit', data: { limit: '0x38d7ea4c68000' } }
  const request = {
    chainId: '0x1',
    expiry: second + 86_400,
    signer: { type: 'account', data: { address: friend } },
    permissions: [
      { type: 'native-token-transfer', data: { allowance: '0x64' } },
      {
        type: 'erc20-token-periodic',
        data: { tokenAddress: token, periodAmount: '0x5', periodDuration: 3_600 },
      },
      { type: 'contract-call', data: { address: friend, calls: ['claim()'] } },
      fees,
    ],
  }
  const grant = (change: object) => read('wallet_grantPermissions', [{ ...request, ...change }])

  test('default: compiles each permission to what the chain enforces', () => {
    expect(grant({})).toMatchObject({
      kind: 'permissions',
      network,
      grant: {
        key: friend,
        session: {
          validUntil: second + 86_400,
          allowances: [
            { token: zeroAddress, period: 0, amount: 100n },
            { token, period: 3_600, amount: 5n },
          ],
          rules: [{ kind: 'native' }, { kind: 'token' }, { kind: 'call', target: friend }],
        },
      },
      answer: request,
    })
  })

  test('behavior: leaves out what is not required and cannot be enforced', () => {
    const optional = { type: 'native-token-stream', data: {}, required: false }
    const [kept] = request.permissions
    expect(grant({ permissions: [kept, fees, optional] })).toMatchObject({
      answer: { permissions: [kept, fees] },
    })
  })

  test.each([
    ['another permission', { permissions: [{ type: 'native-token-stream', data: {} }] }, 5700],
    ['a policy', { permissions: [{ ...fees, policies: [{ type: 'rate-limit', data: {} }] }] }, 5700],
    ['another signer', { signer: { type: 'wallet', data: {} } }, 5700],
    ['another curve', { signer: { type: 'key', data: { type: 'ed25519', publicKey: '0x00' } } }, 5700],
    [
      'a key that is no point',
      { signer: { type: 'key', data: { type: 'secp256r1', publicKey: '0x04' } } },
      -32602,
    ],
    ['a time in the past', { expiry: second }, -32602],
    ['more than a year', { expiry: second + 400 * 86_400 }, -32602],
    ['no permissions', { permissions: [] }, -32602],
    ['nobody who pays fees', { permissions: request.permissions.slice(0, 1) }, -32602],
    ['an amount that is none', { permissions: [{ type: 'gas-limit', data: { limit: 'much' } }] }, -32602],
    ['another account', { address: friend }, 4100],
    ['another network', { chainId: '0x9' }, 5710],
  ])('error: %s', (_name, change, code) => {
    expect(rejectionOf(() => grant(change))).toEqual({ code, isShown: false })
  })
})

describe('wallet_connect', () => {
  test('default: connects with and without a sign-in, which the wallet writes for this page', () => {
    expect(read('eth_requestAccounts', [])).toEqual({ kind: 'connect', signIn: undefined })
    const signInWithEthereum = { nonce: 'abcdefgh', chainId: '0x2', statement: 'Welcome' }
    const connect = read('wallet_connect', [{ version: '1', capabilities: { signInWithEthereum } }])
    if (connect.kind !== 'connect' || !connect.signIn) throw new TypeError('no sign-in')
    expect(connect.signIn.network).toBe(second)
    expect(parseSiweMessage(connect.signIn.text)).toEqual({
      address: account,
      chainId: 2,
      domain: 'app.example',
      issuedAt: now,
      nonce: 'abcdefgh',
      statement: 'Welcome',
      uri: origin,
      version: '1',
    })
  })

  test.each([
    ['another domain', { nonce: 'abcdefgh', domain: 'bank.example' }, -32602],
    ['another URI', { nonce: 'abcdefgh', uri: 'https://bank.example' }, -32602],
    ['no nonce', {}, -32602],
    ['another network', { nonce: 'abcdefgh', chainId: '0x9' }, 5710],
  ])('error: a sign-in with %s', (_name, signInWithEthereum, code) => {
    const run = () => read('wallet_connect', [{ capabilities: { signInWithEthereum } }])
    expect(rejectionOf(run)).toMatchObject({ code })
  })

  test('error: another capability, unless it is optional', () => {
    expect(rejectionOf(() => read('wallet_connect', [{ capabilities: { x: {} } }]))).toMatchObject({
      code: 5700,
    })
    expect(read('wallet_connect', [{ capabilities: { x: { optional: true } } }])).toMatchObject({
      kind: 'connect',
    })
  })
})

test('wallet_showCallsStatus: reads hash and network from the id', () => {
  const userOpHash = `0x${'ab'.repeat(32)}` as const
  const id = userOpHash + numberToHex(2, { size: 32 }).slice(2)
  expect(read('wallet_showCallsStatus', [id])).toEqual({ kind: 'status', network: second, userOpHash })
  expect(rejectionOf(() => read('wallet_showCallsStatus', [userOpHash]))).toMatchObject({ code: 5730 })
})

test('error: any other method fails with 4200', () => {
  expect(rejectionOf(() => read('eth_sign', [account, `0x${'11'.repeat(32)}`]))).toMatchObject({ code: 4200 })
})

const malformed = [[], [null], [7, 'x'], ['0x', {}], [{}], [[[]], []], [account], [{ calls: [null] }]]
test.each([
  ['personal_sign', [stringToHex('hello'), account]],
  ['eth_signTypedData_v4', [account, null]],
  ['wallet_sendCalls', [{ version: '2.0.0', chainId: '0x1', from: account, calls: [null] }]],
  ['wallet_connect', [{ capabilities: { signInWithEthereum: null } }]],
  ['wallet_showCallsStatus', [`0x${'zz'.repeat(64)}`]],
])('error: %s with malformed parameters is rejected without an exception', (method, almost) => {
  for (const params of [...malformed, [...almost.slice(0, 1), ...almost.slice(1).map(() => null)], almost]) {
    const rejection = rejectionOf(() => read(method, params))
    if (rejection !== 'read') expect(rejection).toMatchObject({ code: expect.any(Number) })
  }
})
