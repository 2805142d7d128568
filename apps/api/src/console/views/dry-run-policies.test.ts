import { defaultDeployment, encodeCalls } from '@lanyard/accounts'
import { createEoaAccount } from '@lanyard/database'
import { freshDatabase, type TestDatabase } from '@lanyard/database/testing'
import { createNetworks, networkConfig } from '@lanyard/networks'
import { predictTokenPaymasterAddress } from '@lanyard/onchain'
import { encodeTokenFee, encodeTokenFeeApproval } from '@lanyard/smart-balance'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { account, operationRow, orderRow } from '../../../test/rows.ts'
import { toStoredDeployment } from '../../domain/accounts/safe/safe-kind.ts'
import { openPolicies } from '../../domain/gas-policies/live-policies.ts'
import { dryRunPolicies } from './dry-run-policies.ts'

const chainId = 31337
const hash = (index: number): string => `0x${String(index).padStart(64, '0')}`
const budgets = { day: { wei: '1000000000000000000' } }
const draft = (...policies: object[]) => JSON.stringify({ policies })

const smartBalance = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const usdc = { address: '0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512', symbol: 'USDC', decimals: 6 } as const
const paymaster = predictTokenPaymasterAddress({ smartBalance, entryPoint: defaultDeployment.entryPoint })
/** A payment, and before it the approval that pays for gas: no rule of a policy names that. */
const paidCalls = encodeCalls([
  ...encodeTokenFeeApproval({ token: usdc.address, paymaster, maximum: 1n, resetFirst: false }),
  { to: paymaster, value: 1n, data: '0x' },
])
const tokenFee = encodeTokenFee({
  ...{ paymaster, token: usdc.address, rate: 1n, extraGas: 1, validUntil: 1 },
  ...{ paymasterVerificationGasLimit: 1n, paymasterPostOpGasLimit: 1n },
  operatorSignature: `0x${'00'.repeat(65)}`,
})
const charge = { token: 'USDC', markup: 5 }

let database: TestDatabase
let services: Parameters<typeof dryRunPolicies>[0]
beforeAll(async () => {
  database = await freshDatabase()
  const { db } = database
  const networks = createNetworks([
    networkConfig.parse({
      ...{ chainId, name: 'Local', rpcUrls: ['http://127.0.0.1:9'], local: true, smartBalance },
      ...{ settlementToken: usdc, nativePrice: { kind: 'fixed', price: '2000000000' } },
    }),
  ])
  const policies = await openPolicies([], {
    ...{ database: db, networks: [], log: pino({ level: 'silent' }), onEdit: () => {} },
  })
  services = { database: db, networks, now: () => new Date(100_000), project: { policies } }
  await createEoaAccount(db, {
    ...{
      address: account,
      eoaAddress: account,
      deployment: toStoredDeployment(defaultDeployment),
      createdAt: new Date(0),
    },
  })
  const userOp = {
    ...{ sender: account, nonce: '0', initCode: '0x', callData: '0x', callGasLimit: '1' },
    ...{ verificationGasLimit: '1', preVerificationGas: '1', maxFeePerGas: '1', maxPriorityFeePerGas: '1' },
  }
  const signed = (index: number, changed: object = {}) =>
    operationRow({
      ...{ user_op_hash: hash(index), state: 'included', success: true, signed_at: new Date(index * 1_000) },
      ...{ nonce_sequence: BigInt(index), txn_hash: hash(90), block_number: 1, block_hash: hash(91) },
      ...{ included_at: new Date(50_000), signature: '0x', gas_cost: 1_000n, sent_by: 'key:shop' },
      user_op: userOp,
      ...changed,
    })
  await db
    .insertInto('operations')
    .values([
      signed(1),
      signed(2), // sponsored
      signed(3), // an order
      signed(4, { user_op: { ...userOp, paymasterAndData: `0x${'ee'.repeat(52)}` } }),
      signed(5, { sent_by: null }), // the row no longer says who sent it
      signed(6, { user_op: { ...userOp, callData: paidCalls, paymasterAndData: tokenFee } }), // in USDC
    ])
    .execute()
  await db
    .insertInto('sponsorships')
    .values(
      (
        [
          ['sponsored', 2],
          ['token', 6],
        ] as const
      ).map(([kind, index]) => ({
        ...{ user_op_hash: hash(index), network: chainId, account, kind, policy: 'old' },
        ...{ caller: 'shop', builder: null, day: '1970-01-01', reserved: 2_000n, taken: true },
        ...{ charged: 1_000n, valid_until: 1, built_at_block: 1, created_at: new Date(0) },
      })),
    )
    .execute()
  await db
    .insertInto('orders')
    .values(orderRow({ user_op_hash: hash(3), state: 'CLAIMED', order_hash: hash(80) }))
    .execute()
})
afterAll(() => database?.[Symbol.asyncDispose]())

const run = (text: string, feeToken?: string) =>
  dryRunPolicies(services, { text, operations: 100, feeToken, role: 'support' })
const payersOf = async (text: string, feeToken?: string) =>
  (await run(text, feeToken)).judged
    .toSorted((a, b) => (a.hash < b.hash ? -1 : 1))
    .map(({ today, would }) => [today, would].map(({ kind, policy }) => policy ?? kind))

test('default: who paid, and who would, is true for each kind of payer', async () => {
  expect(await payersOf(draft({ id: 'all', budgets }))).toEqual([
    ['account', 'all'],
    ['old', 'all'],
    // No policy is asked about an order, nor about an operation with a paymaster of its own.
    ['smart-balance', 'smart-balance'],
    ['paymaster', 'paymaster'],
    ['account', 'all'],
    // It asked to pay in a token, which no policy takes.
    ['old', 'account'],
  ])
  expect(await payersOf(draft())).toEqual([
    ['account', 'account'],
    ['old', 'account'],
    ['smart-balance', 'smart-balance'],
    ['paymaster', 'paymaster'],
    ['account', 'account'],
    ['old', 'account'],
  ])
})

test('behavior: an operation that pays in a token is judged by its token, and without the approval', async () => {
  const rule = { calls: [{ contract: paymaster, functions: ['0x'] }] }
  const policies = draft(
    { id: 'usdc', charge, budgets, ...rule },
    { id: 'dai', charge: { token: 'DAI' }, budgets },
  )
  const { judged } = await run(policies)
  expect(judged.find(({ hash: one }) => one === hash(6))).toMatchObject({
    today: { kind: 'token', policy: 'old' },
    would: { kind: 'token', policy: 'usdc' },
    verdicts: [{ result: 'pays' }, { result: 'does_not_match', reason: 'It takes another token.' }],
  })
  expect(judged.find(({ hash: one }) => one === hash(1))).toMatchObject({
    would: { kind: 'account' },
    verdicts: [
      { reason: 'It takes a token for the gas: ask for it by feeToken.' },
      { reason: 'It takes a token for the gas: ask for it by feeToken.' },
    ],
  })
})

test('behavior: every account may be judged as if it asked to pay in a token', async () => {
  const policies = draft({ id: 'all', budgets }, { id: 'usdc', charge, budgets })
  expect((await payersOf(policies, 'USDC')).map(([, would]) => would)).toEqual([
    'usdc',
    'usdc',
    'smart-balance',
    'paymaster',
    'usdc',
    'usdc',
  ])
  // What accounts pay back is no cost of the draft.
  expect(await run(policies, 'USDC')).toMatchObject({ cost: '0' })
})

test('behavior: where a condition names keys, an operation of an unknown key has no answer', async () => {
  expect(await payersOf(draft({ id: 'all', apiKeys: ['shop'], budgets }))).toEqual([
    ['account', 'all'],
    ['old', 'all'],
    ['smart-balance', 'smart-balance'],
    ['paymaster', 'paymaster'],
    ['account', 'unknown'],
    ['old', 'account'],
  ])
})

test('behavior: only what the draft would change differs, and costs are those of policies', async () => {
  const result = await run(draft({ id: 'all', budgets }))
  expect(result.judged.filter(({ differs }) => differs).map(({ hash: one }) => one)).toEqual(
    [5, 2, 1].map(hash),
  )
  expect(result).toMatchObject({ cost: '3000', inForce: '0', paid: '1000' })
  expect(result.changes).toMatchObject([{ policy: 'all', kind: 'new' }])
})
