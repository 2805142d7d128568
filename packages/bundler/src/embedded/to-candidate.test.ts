import type { SignedUserOperation } from '@lanyard/accounts'
import { createNetworks, type Fees, networkConfig } from '@lanyard/networks'
import { randomAddress } from '@lanyard/testing'
import { type Address, type Hex, keccak256, pad, parseEther, parseGwei } from 'viem'
import { describe, expect, test } from 'vitest'
import { planBundles, toCandidate } from './plan-bundles.ts'
import type { WaitingOperation } from './waiting-operations.ts'

const network = createNetworks([
  networkConfig.parse({ chainId: 31337, name: 'Test', rpcUrls: ['http://127.0.0.1:9'], local: true }),
]).get(31337)
const market: Fees = {
  baseFeePerGas: parseGwei('1'),
  minTip: 0n,
  maxFeePerGas: parseGwei('3'),
  maxPriorityFeePerGas: parseGwei('1'),
}

const operationOf = (sender: Address): SignedUserOperation => ({
  sender,
  nonce: 0n,
  initCode: '0x',
  callData: '0x',
  callGasLimit: 50_000n,
  verificationGasLimit: 100_000n,
  preVerificationGas: 60_000n,
  maxFeePerGas: parseGwei('5'),
  maxPriorityFeePerGas: parseGwei('1'),
  paymasterAndData: '0x',
  signature: pad('0x', { size: 77 }),
})

type SenderState = Pick<WaitingOperation, 'owed' | 'callerLosses' | 'hasPaid' | 'sentBy'>
const nothingOwed: SenderState = { owed: 0n, callerLosses: 0, hasPaid: false, sentBy: 'key:a' }

/** Senders in the order in which their bundles go. */
function bundlesOf(waiting: readonly (readonly [sender: Address, standing?: Partial<SenderState>])[]) {
  const candidates = waiting.map(([sender, standing], index) =>
    toCandidate(
      {
        network,
        rememberedSenders: {
          partOf: (one) => (external.has(one) ? 'handler' : undefined),
          read: async () => new Map(),
        },
      },
      {
        hash: keccak256(sender) as Hex,
        version: '1',
        operation: operationOf(sender),
        signedAt: new Date(index),
        signedAtBlock: undefined,
        attempts: 0,
        reasonCode: null,
        ...nothingOwed,
        ...standing,
      },
    ),
  )
  const { bundles } = planBundles(candidates, { market, maxOperations: 32, funds: parseEther('10'), turn: 0 })
  return bundles.map(({ members }) => members.map(({ stored }) => stored.operation.sender))
}

const canonical = [randomAddress(), randomAddress(), randomAddress()] as const
const others = [randomAddress(), randomAddress()] as const
const external: ReadonlySet<string> = new Set(others)

describe('who shares a bundle', () => {
  test('default: senders as this service deploys them share one, and each other sender goes alone', () => {
    const [first, second] = others
    const [a, b, c] = canonical
    expect(bundlesOf([[a], [first], [b], [second], [c]])).toEqual([[a, b, c], [first], [second]])
    // Without any that could share one, too.
    expect(bundlesOf([[first], [second]])).toEqual([[first], [second]])
  })

  test('behavior: another sender goes only while its account and its caller owe nothing', () => {
    const [sender] = others
    const [beside] = canonical
    expect(bundlesOf([[sender, { owed: 1n }], [beside]])).toEqual([[beside]])
    expect(bundlesOf([[sender, { callerLosses: 1 }], [beside]])).toEqual([[beside]])
    // A sender that the service knows does not answer for one loss of its caller.
    expect(bundlesOf([[sender], [beside, { callerLosses: 1 }]])).toEqual([[beside], [sender]])
  })

  test('behavior: an account that answers for three losses of an address gets nothing sent, and a key with many users does', () => {
    const [sender] = canonical
    expect(bundlesOf([[sender, { callerLosses: 3, sentBy: 'address:192.0.2.1' }]])).toEqual([])
    expect(bundlesOf([[sender, { callerLosses: 3, sentBy: 'key:a' }]])).toEqual([[sender]])
    const paid = { callerLosses: 3, hasPaid: true, sentBy: 'address:192.0.2.1' }
    expect(bundlesOf([[sender, paid]])).toEqual([[sender]])
    // Its own code could behave until it has paid.
    expect(bundlesOf([[others[0], paid]])).toEqual([])
  })
})
