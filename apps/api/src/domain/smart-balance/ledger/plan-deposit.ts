import type { Call } from '@lanyard/accounts'
import { LanyardError } from '@lanyard/contracts'
import { type Database, findAccount } from '@lanyard/database'
import type { Network } from '@lanyard/networks'
import { smartBalanceAbi } from '@lanyard/onchain'
import {
  encodeAddSigner,
  encodeCancelExit,
  encodeDeposit,
  encodeFinalizeExit,
  encodeRemoveSigner,
  encodeRequestExit,
  type OrderSigner,
  pinned,
  signerId,
} from '@lanyard/smart-balance'
import type { Kysely } from 'kysely'
import { type Address, erc20Abi, getAddress, type Hex } from 'viem'
import type { Wallet } from '../../accounts/accounts/kind.ts'
import { findOwnedWallet } from '../../accounts/owners/owned-wallet.ts'
import { readOwners } from '../../accounts/owners/read-owners.ts'
import { getSmartBalance } from '../model/get-smart-balance.ts'
import type { SmartBalanceServices } from '../model/services.ts'
import { toOrderSigners } from '../model/signers.ts'

/**
 * The calls that deposit, according to the head of the chain: approve, deposit, and a pin for each owner
 * there who can sign orders and is not pinned, the first owner first.
 *
 * @param amount - 6 decimals
 * @throws NO_SMART_BALANCE, AMOUNT_REFUSED, INSUFFICIENT_FUNDS, NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function planDeposit(
  { database }: Pick<SmartBalanceServices, 'database'>,
  {
    wallet,
    network,
    amount,
  }: { readonly wallet: Wallet; readonly network: Network; readonly amount: bigint },
): Promise<Call[]> {
  const { address: smartBalance, token, scale } = getSmartBalance(network)
  requireAmount(amount)
  const [held, { owners }] = await Promise.all([
    network.call((client) =>
      client.readContract({
        address: token.address,
        abi: erc20Abi,
        functionName: 'balanceOf',
        args: [wallet.address],
      }),
    ),
    readOwners(network, wallet),
  ])
  if (held < amount * scale) {
    throw new LanyardError('INSUFFICIENT_FUNDS', {
      message: `The account has ${held / scale} on ${network.config.name}, in units of 6 decimals, and cannot deposit ${amount}.`,
      details: {
        network: network.chainId,
        available: String(held / scale),
        missing: String(amount - held / scale),
      },
    })
  }
  const { credentials } = await findOwnedWallet(database, wallet.address)
  const signers = await toOrderSigners(network, wallet, owners, credentials)
  const ids = signers.map(signerId)
  const isPinned = await readPins(network, wallet.address, ids)
  const unpinned = ids.filter((_, index) => !isPinned[index])
  return [
    ...encodeDeposit({ token: token.address, smartBalance, amount, decimals: token.decimals }),
    ...unpinned.map((signer) => encodeAddSigner(smartBalance, signer)),
  ]
}

/** The account that an address names, or the address itself when this service does not have the account. */
export async function findBalanceAccount(database: Kysely<Database>, address: Address): Promise<Address> {
  const row = await findAccount(database, address)
  return row ? getAddress(row.address) : address
}

/**
 * Rejects amounts that SmartBalance cannot hold: it counts in uint128.
 *
 * @throws AMOUNT_REFUSED
 */
export function requireAmount(amount: bigint): void {
  if (amount > 0n && amount < 2n ** 128n) return
  throw new LanyardError('AMOUNT_REFUSED', { message: 'The amount must be above 0 and below 2^128.' })
}

/** Calls in the form of the interface, for use in a build. */
export const toTransactions = (calls: readonly Call[]) => ({
  transactions: calls.map(({ to, value, data }) => ({
    encodedData: data,
    targetContractAddress: getAddress(to),
    value: String(value),
  })),
})

interface ExitRequest {
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

/**
 * The call that pins a new owner, on networks with a smart balance. It has no effect if the owner is already
 * pinned.
 */
export function planPin({ config: { smartBalance } }: Network, signer: OrderSigner): Call[] {
  return smartBalance ? [encodeAddSigner(smartBalance, signerId(signer))] : []
}

/**
 * The call that ends the pin of a removed owner, if the head of the chain has one: SmartBalance reverts if
 * there is no pin.
 *
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function planUnpin(network: Network, account: Address, signer: OrderSigner): Promise<Call[]> {
  const { smartBalance } = network.config
  if (!smartBalance) return []
  const id = signerId(signer)
  const [isPinned] = await readPins(network, account, [id])
  return isPinned ? [encodeRemoveSigner(smartBalance, id)] : []
}

/**
 * Reads which signers are pinned without an expiry, at the head of the chain.
 *
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
async function readPins(network: Network, account: Address, signers: readonly Hex[]): Promise<boolean[]> {
  const { smartBalance: address } = network.config
  if (!address) return signers.map(() => false)
  const until = await network.call((client) =>
    client.multicall({
      allowFailure: false,
      contracts: signers.map(
        (signer) =>
          ({ address, abi: smartBalanceAbi, functionName: 'signerUntil', args: [account, signer] }) as const,
      ),
    }),
  )
  return until.map((time) => BigInt(time) === pinned)
}
