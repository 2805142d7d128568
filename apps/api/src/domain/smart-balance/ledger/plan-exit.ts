import type { Call } from '@lanyard/accounts'
import { LanyardError } from '@lanyard/contracts'
import type { Network } from '@lanyard/networks'
import { smartBalanceAbi } from '@lanyard/onchain'
import { encodeCancelExit, encodeFinalizeExit, encodeRequestExit } from '@lanyard/smart-balance'
import type { Address } from 'viem'
import { getSmartBalance } from '../get-smart-balance.ts'
import { requireAmount } from './require-amount.ts'

export interface ExitRequest {
  readonly account: Address
  readonly network: Network
  readonly action: 'request' | 'cancel' | 'finalize'
  /** 6 decimals, for `request`; absent: the whole balance. */
  readonly amount?: bigint | undefined
  /** For `finalize`; absent: the account. */
  readonly to?: Address | undefined
}

/**
 * Plans the call for one step of an exit, checked against the head of the chain.
 *
 * @throws NO_SMART_BALANCE, AMOUNT_REFUSED, INSUFFICIENT_FUNDS, EXIT_REFUSED, NETWORK_UNAVAILABLE,
 * NETWORK_FAILED
 */
export async function planExit(request: ExitRequest): Promise<Call> {
  const { account, network, action, amount, to = account } = request
  const { address } = getSmartBalance(network)
  const exit = await readExit(network, account)
  if (action === 'request') return encodeRequestExit(address, requireRequestable(exit, amount))
  if (exit.exiting === 0n) {
    throw new LanyardError('EXIT_REFUSED', { message: `No exit was requested on ${network.config.name}.` })
  }
  if (action === 'cancel') return encodeCancelExit(address)
  if (exit.timestamp >= exit.readyAt) return encodeFinalizeExit(address, to)
  const readyAt = new Date(exit.readyAt * 1000).toISOString()
  throw new LanyardError('EXIT_REFUSED', {
    message: `The exit can be finalised from ${readyAt}.`,
    details: { exitReadyAt: readyAt },
  })
}

interface Exit {
  /** 6 decimals. */
  readonly balance: bigint
  readonly exiting: bigint
  /** Unix seconds, by the chain's clock, as is `timestamp` of the head. */
  readonly readyAt: number
  readonly timestamp: number
}

async function readExit(network: Network, account: Address): Promise<Exit> {
  const { address } = getSmartBalance(network)
  return network.call(async (client) => {
    const [[balance, exiting, readyAt], { timestamp }] = await Promise.all([
      client.readContract({ address, abi: smartBalanceAbi, functionName: 'accounts', args: [account] }),
      client.getBlock(),
    ])
    return { balance, exiting, readyAt, timestamp: Number(timestamp) }
  })
}

function requireRequestable({ balance }: Exit, amount = balance): bigint {
  if (amount > balance) {
    throw new LanyardError('INSUFFICIENT_FUNDS', {
      message: `Only ${balance} is deposited there.`,
      details: { available: String(balance), missing: String(amount - balance) },
    })
  }
  requireAmount(amount)
  return amount
}
