import { sessionKeysAbi } from '@lanyard/onchain'
import { type Address, BaseError, ContractFunctionRevertedError, toFunctionSelector, zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { forbiddenTargets, ruleKinds, type SessionRule } from '../src/index.ts'
import { rejectedSelectors } from '../src/permissions/compile-contract-call.ts'
import { type Chain, ownerAt, sessionKeys, smartBalance, startChain } from './chain.ts'

// The contract also rejects what compilePermissions rejects early.

let chain: Chain
let account: Address
beforeAll(async () => {
  chain = await startChain()
  const owner = ownerAt(1)
  account = await chain.fund(owner)
  await chain.submitAsOwner(owner, [])
})
afterAll(async () => {
  await chain[Symbol.asyncDispose]()
})

const target: Address = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'

/** The error of `grant` with one rule, by simulation. */
async function rejectionOf(rule: Partial<SessionRule>) {
  const now = await chain.now()
  const { kind, ...rest } = {
    kind: 'call' as const,
    target,
    selector: '0x12345678' as const,
    counterparty: zeroAddress,
    maxValue: 0n,
    ...rule,
  }
  try {
    await chain.client.simulateContract({
      account,
      address: sessionKeys,
      abi: sessionKeysAbi,
      functionName: 'grant',
      args: [
        `0x${'00'.repeat(31)}01`,
        {
          validAfter: now,
          validUntil: now + 60,
          maxOperations: 1,
          feePerOperation: 0n,
          paymaster: zeroAddress,
          rules: [{ kind: ruleKinds.indexOf(kind), ...rest }],
          allowances: [],
        },
      ],
    })
    return undefined
  } catch (error) {
    if (!(error instanceof BaseError)) throw error
    const revert = error.walk((cause) => cause instanceof ContractFunctionRevertedError)
    return revert instanceof ContractFunctionRevertedError ? revert.data?.errorName : error.message
  }
}

describe('grant', () => {
  test('default', async () => {
    expect(await rejectionOf({})).toBeUndefined()
  })

  test.each([...rejectedSelectors])('error: OpenApproval, %s', async (selector) => {
    expect(await rejectionOf({ selector: selector as SessionRule['selector'] })).toBe('OpenApproval')
  })

  test('behavior: the list matches the contracts in use', () => {
    for (const signature of [
      'setOperator(address,bool)',
      'approve(address,uint256,uint256)',
      'allow(address,bool)',
      'setAuthorization(address,bool)',
      'setRelayerApproval(address,address,bool)',
    ])
      expect(rejectedSelectors).toContain(toFunctionSelector(signature))
  })

  test('error: ForbiddenTarget', async () => {
    for (const forbidden of forbiddenTargets({ account, sessionKeys, smartBalance }))
      expect(await rejectionOf({ target: forbidden })).toBe('ForbiddenTarget')
  })
})
