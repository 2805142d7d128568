import {
  type Call,
  computeAccountAddress,
  encodeCalls,
  getSafeOperationHash,
  getUserOperationHash,
  toWireUserOperation,
  type UserOperation,
} from '@lanyard/accounts'
import { encodePaymasterAndData, type Order, stubOperatorSignature, toDebits } from '@lanyard/smart-balance'
import { randomPrivateKey } from '@lanyard/testing'
import type { Hash } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import {
  nonce,
  outputNetwork,
  plan,
  smartBalance,
  solutionOf,
  thirdParty,
  withdrawal,
} from '../../test/solutions.ts'
import { createLanyardClient } from '../client.ts'
import { type CallRequest, toCall } from '../to-call.ts'
import { spend } from './spend.ts'
import { toTransactionDetail } from './to-transaction-detail.ts'

const signer = privateKeyToAccount(randomPrivateKey())
const account = computeAccountAddress({ kind: 'eoa', address: signer.address })
const own: Call = { to: thirdParty, value: 0n, data: '0x12' }

interface Answers {
  readonly quote?: object
  readonly solution?: object
  readonly order?: Partial<Order>
}

/** A service reached over HTTP that returns the given answers and records requests. */
function service({ quote, solution, order }: Answers = {}) {
  const requested: { path: string; body: Record<string, unknown> }[] = []
  const built: Hash[] = []
  const hashes: Hash[] = []
  const validUntil = Math.floor(Date.now() / 1000) + 600
  const honest = solutionOf(plan, nonce, { ...withdrawal, to: account, deadline: validUntil + 600 })

  function build(body: Record<string, unknown>) {
    const details = body.transactionDetails as CallRequest[] // the type that the client under test sends
    const operation: UserOperation = {
      sender: account,
      nonce,
      initCode: '0x',
      callData: encodeCalls(details.map(toCall)),
      callGasLimit: 1n,
      verificationGasLimit: 1n,
      preVerificationGas: 1n,
      maxFeePerGas: 1n,
      maxPriorityFeePerGas: 1n,
      paymasterAndData: encodePaymasterAndData({
        paymaster: smartBalance,
        paymasterVerificationGasLimit: 1n,
        paymasterPostOpGasLimit: 120_000n,
        claimAmount: plan.claimAmount,
        validUntil,
        debits: toDebits(plan.debits),
        signer: { kind: 'eoa', address: signer.address },
        operatorSignature: stubOperatorSignature,
        ...order,
      }),
    }
    const messageToSign = getSafeOperationHash(operation, { chainId: outputNetwork })
    built.push(messageToSign)
    hashes.push(getUserOperationHash(operation, { chainId: outputNetwork }))
    return { userOp: toWireUserOperation(operation), messageToSign, signMode: 'ECDSA' }
  }

  const answers: Record<string, (body: Record<string, unknown>) => object> = {
    '/v3/smartbalance/getquote': () => ({ quote: { amount: '1000', fee: '30', total: '1030', ...quote } }),
    '/v3/smartbalance/computesolution': () => ({ ...honest, ...solution }),
    '/smart-account/transaction/build': build,
    '/smart-account/transaction/submit': () => ({ userOpHash: '0x01', txnHash: '0x02', success: true }),
  }
  const client = createLanyardClient({
    baseUrl: 'http://service.example',
    fetch: async (input, init) => {
      const request = new Request(input, init)
      const path = new URL(request.url).pathname
      const body: Record<string, unknown> = JSON.parse(await request.text())
      requested.push({ path, body })
      return Response.json(answers[path]?.(body) ?? {})
    },
  })
  return { client, requested, built, hashes }
}

const request = {
  outputNetwork,
  amount: '1000',
  limit: 1_030,
  transactionDetails: [toTransactionDetail(own)],
}

describe('spend', () => {
  test('default', async () => {
    const { client, requested, built, hashes } = service()
    expect(await spend(client, { signer, smartBalance, request })).toMatchObject({
      txnHash: '0x02',
      success: true,
      amount: 1_000n,
      fee: 30n,
      total: 1_030n,
    })
    expect(requested.map(({ path }) => path)).toEqual([
      '/v3/smartbalance/getquote',
      '/v3/smartbalance/computesolution',
      '/smart-account/transaction/build',
      '/smart-account/transaction/submit',
    ])
    const [quote, solution, build, submit] = requested.map(({ body }) => body)
    expect(quote).toEqual({ walletAddress: account, outputNetwork, amount: '1000', limit: 1_030 })
    expect(solution).toEqual(quote)
    expect(build).toMatchObject({ network: '31337', walletAddress: account })
    const [raw] = built
    if (!raw) throw new TypeError('Nothing was built')
    expect(submit).toEqual({
      walletAddress: account,
      signature: await signer.signMessage({ message: { raw } }),
      userOpHash: hashes[0],
    })
  })

  test('args: type, without limit and transactionDetails', async () => {
    const { client, requested } = service()
    const into = { outputNetwork: 'eip155:31337', amount: 1_030n, type: 'AMOUNT_IN' } as const
    // a bigint is accepted too
    await spend(client, { signer, smartBalance, request: into as unknown as typeof request })
    const [quote, , build] = requested.map(({ body }) => body)
    expect(quote).toEqual({ walletAddress: account, outputNetwork, amount: '1030', type: 'AMOUNT_IN' })
    expect(build?.transactionDetails).toHaveLength(2)
  })

  test.each<[string, Answers, string]>([
    ['a solution that costs more than quoted', { quote: { fee: '29', total: '1029' } }, 'solution.fee'],
    [
      'less than requested',
      { solution: { tokenToClaim: { address: thirdParty, amount: '899' } } },
      'solution.amount',
    ],
    [
      'an extra debit',
      { order: { debits: [...toDebits(plan.debits), { chainId: 31340, amount: 1n, failFee: 0n }] } },
      'userOp.paymasterAndData.debits',
    ],
  ])('error: signs nothing for %s', async (_, answers, field) => {
    const { client, requested } = service(answers)
    await expect(spend(client, { signer, smartBalance, request })).rejects.toMatchObject({
      name: 'BuildVerificationError',
      field,
    })
    expect(requested.map(({ path }) => path)).not.toContain('/smart-account/transaction/submit')
  })
})
