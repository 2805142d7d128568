import { smartBalanceAbi } from '@lanyard/onchain'
import type { Address } from 'viem'
import { expect } from 'vitest'
import { inclusionsOf } from '../inclusions-of.ts'
import type { orderChains } from './order-chains.ts'

interface Order {
  readonly network: number
  readonly account: Address
  /** What it sends, and what the account had of it before. */
  readonly amount: bigint
  readonly own: bigint
}

/**
 * Expects that the order of an account was included, claimed and settled from its deposit once, and lent the rest.
 *
 * @returns the hash of its operation
 */
export async function expectOneClaim(
  chains: ReturnType<typeof orderChains>,
  { network, account, amount, own }: Order,
) {
  const { chain, smartBalance } = chains.on(network)
  const inclusions = await inclusionsOf(chain, account)
  expect(inclusions).toHaveLength(1)
  const claims = await chain.getContractEvents({
    address: smartBalance,
    abi: smartBalanceAbi,
    eventName: 'OrderClaimed',
    args: { account },
    fromBlock: 0n,
  })
  expect(claims).toHaveLength(1)
  // The rest was withdrawn once, with the operator's co-signature.
  const [claimed = 0n] = claims.map(({ args }) => args.amount)
  const withdrawn = own - (await chains.depositOf(network, account))
  expect(withdrawn).toBeGreaterThanOrEqual(amount - claimed)
  expect(withdrawn).toBeLessThanOrEqual(own)
  return { userOpHash: inclusions[0]?.args.userOpHash, claimed }
}
