import { encodeAddOwner } from '@lanyard/accounts'
import { compilePermissions, encodeGrant } from '@lanyard/session-keys'
import { type Address, zeroAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import { toTransactionDetail } from '../smart-balance/to-transaction-detail.ts'
import { type VerifySessionPlanParameters, verifySessionPlan } from './verify-session-plan.ts'

const sessionKeys: Address = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'
const account: Address = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
const key: Address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const payee: Address = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const smartBalance: Address = '0x1de369C050d12c59EAB848C938932a347eaFa68c'

const permissionsOf = (allowance: string) => [
  { type: 'native-token-allowance' as const, allowance, to: [payee] },
  { type: 'contract-call' as const, target: payee, functions: ['play(uint256)'] },
  { type: 'gas-fee-allowance' as const, allowance: '1000', operations: 10 },
]
const permissions = permissionsOf('1000')
const request = {
  network: '31337',
  walletAddress: account,
  sessionKey: key,
  validAfter: 1_800_000_000,
  validUntil: 1_800_003_600,
  permissions,
}

interface Granted {
  readonly allowance?: string
  readonly validUntil?: number
  readonly paymaster?: Address
  readonly to?: Address
  readonly account?: Address
  readonly of?: Address
  readonly isOwner?: boolean
  readonly isModule?: boolean
}

/** The calls in the service's response. */
function granting({ allowance = '1000', validUntil = request.validUntil, ...granted }: Granted = {}) {
  const compiled = compilePermissions(permissionsOf(allowance), {
    validAfter: request.validAfter,
    validUntil,
    ...(granted.paymaster && { paymaster: granted.paymaster }),
  })
  if (!compiled.ok) throw new TypeError(JSON.stringify(compiled.problems))
  return encodeGrant({
    account: granted.account ?? account,
    sessionKeys: granted.to ?? sessionKeys,
    key: granted.of ?? key,
    session: compiled.session,
    isOwner: granted.isOwner ?? false,
    isModule: granted.isModule ?? false,
  })
}

const verify = (calls = granting(), changed: Partial<VerifySessionPlanParameters> = {}) =>
  verifySessionPlan({
    plan: { transactionDetails: calls.map(toTransactionDetail) },
    request,
    account,
    sessionKeys,
    ...changed,
  })
const rejection = (field: string) => expect.objectContaining({ name: 'BuildVerificationError', field })

describe('verifySessionPlan', () => {
  test('default: returns the limits, and describes them in plain words', () => {
    const { session, description } = verify()
    expect(session).toMatchObject({
      validAfter: request.validAfter,
      validUntil: request.validUntil,
      maxOperations: 10,
      feePerOperation: 100n,
      paymaster: zeroAddress,
      allowances: [{ token: zeroAddress, amount: 1000n, period: 0 }],
    })
    expect(description).toEqual([
      'From 2027-01-15T08:00:00Z until 2027-01-15T09:00:00Z.',
      `Up to 0.000000000000001 of the native coin in total: send to ${payee}.`,
      `Call play(uint256) on ${payee} with any arguments.`,
      'At most 10 operations, with fees of at most 0.0000000000000001 of the native coin each, 0.000000000000001 of the native coin in total.',
    ])
  })

  test('args: terms', () => {
    const native = { symbol: 'wei', decimals: 0 }
    expect(verify(granting(), { terms: { native } }).description).toContain(
      `Up to 1000 wei in total: send to ${payee}.`,
    )
  })

  test.each([
    [true, true, 1],
    [true, false, 2],
    [false, true, 2],
    [false, false, 3],
  ])('behavior: the contract is already an owner: %s, a module: %s', (isOwner, isModule, length) => {
    const calls = granting({ isOwner, isModule })
    expect(calls).toHaveLength(length)
    expect(() => verify(calls)).not.toThrow()
  })

  test('args: paymaster', () => {
    const named = { request: { ...request, paymaster: payee } }
    expect(verify(granting({ paymaster: payee }), named).session.paymaster).toBe(payee)
    expect(() => verify(granting(), named)).toThrow(rejection('transactionDetails'))
    const sponsored = { request: { ...request, paymaster: 'sponsored' as const }, smartBalance }
    expect(verify(granting({ paymaster: smartBalance }), sponsored).session.paymaster).toBe(smartBalance)
    expect(() => verify(granting({ paymaster: payee }), sponsored)).toThrow(rejection('transactionDetails'))
    expect(() => verify(granting({ paymaster: smartBalance }))).toThrow(rejection('transactionDetails'))
  })

  test.each<[string, Granted]>([
    ['another amount', { allowance: '1001' }],
    ['another end time', { validUntil: request.validUntil + 1 }],
    ['another contract', { to: payee }],
    ['another key', { of: payee }],
    ['another account', { account: payee }],
  ])('error: transactionDetails, %s', (_, granted) => {
    expect(() => verify(granting(granted))).toThrow(rejection('transactionDetails'))
  })

  test('error: transactionDetails, with extra, missing or reordered calls, or with value', () => {
    const calls = granting()
    const last = calls.slice(-1)
    const wrong = [
      [],
      calls.slice(0, 2),
      [...calls, ...last],
      [encodeAddOwner({ account, owner: payee }), ...last],
      calls.toReversed(),
      calls.map((call) => ({ ...call, value: 1n })),
    ]
    for (const each of wrong) expect(() => verify(each)).toThrow(rejection('transactionDetails'))
  })

  test('behavior: upper-case hex is the same call', () => {
    const calls = granting().map(({ data, ...call }) => ({
      ...call,
      data: `0x${data.slice(2).toUpperCase()}` as const,
    }))
    expect(() => verify(calls)).not.toThrow()
  })

  test('error: permissions', () => {
    const impossible = { ...request, permissions: permissions.slice(0, 2) }
    expect(() => verify(granting(), { request: impossible })).toThrow(rejection('permissions'))
    expect(() => verify(granting(), { request: impossible })).toThrow('gas-fee-allowance')
  })
})
