import { smartBalanceAbi } from '@lanyard/onchain'
import { type Address, erc20Abi, isAddressEqual, type PublicClient } from 'viem'
import { entryPoint07Abi } from 'viem/account-abstraction'

interface TokenHolding {
  readonly address: Address
  readonly symbol: string
  readonly decimals: number
  /** Base units. */
  readonly amount: bigint
}

/** The deposit in the combined balance on one network, in units of 6 decimals. */
export interface Deposit {
  readonly smartBalance: Address
  readonly balance: bigint
  /** The part of the balance whose exit was requested, and when it can be withdrawn (Unix seconds). */
  readonly exiting: bigint
  readonly readyAt: bigint
}

/** Everything that an account holds on one network. */
export interface Holdings {
  /** Wei. */
  readonly native: bigint
  /** Wei that EntryPoint holds for the account's gas. */
  readonly gasDeposit: bigint
  readonly tokens: readonly TokenHolding[]
  readonly deposit?: Deposit
  /** The chain's own clock, Unix seconds. */
  readonly now: bigint
}

export interface HoldingsQuery {
  readonly account: Address
  readonly entryPoint: Address
  readonly smartBalance?: Address
  /** Tokens to check in addition to the smart balance token. */
  readonly tokens: readonly Address[]
}

/** Reads everything that an account holds on one network. Tokens are limited to the named ones. */
export async function readHoldings(client: PublicClient, question: HoldingsQuery): Promise<Holdings> {
  const { account, entryPoint, smartBalance } = question
  const [native, gasDeposit, { timestamp }, deposit, settlementToken] = await Promise.all([
    client.getBalance({ address: account }),
    client.readContract({
      address: entryPoint,
      abi: entryPoint07Abi,
      functionName: 'balanceOf',
      args: [account],
    }),
    client.getBlock(),
    smartBalance && readDeposit(client, smartBalance, account),
    smartBalance &&
      client.readContract({ address: smartBalance, abi: smartBalanceAbi, functionName: 'token' }),
  ])
  const addresses = [...(settlementToken ? [settlementToken] : []), ...question.tokens]
  const distinct = addresses.filter(
    (address, index) => addresses.findIndex((other) => isAddressEqual(other, address)) === index,
  )
  const tokens = await Promise.all(distinct.map((address) => readToken(client, address, account)))
  return { native, gasDeposit, tokens, now: timestamp, ...(deposit && { deposit }) }
}

async function readDeposit(client: PublicClient, smartBalance: Address, account: Address): Promise<Deposit> {
  const [balance, exiting, readyAt] = await client.readContract({
    address: smartBalance,
    abi: smartBalanceAbi,
    functionName: 'accounts',
    args: [account],
  })
  return { smartBalance, balance, exiting, readyAt: BigInt(readyAt) }
}

async function readToken(client: PublicClient, address: Address, account: Address): Promise<TokenHolding> {
  const token = { address, abi: erc20Abi } as const
  const [symbol, decimals, amount] = await Promise.all([
    // Some old tokens return bytes32, and some return nothing.
    client.readContract({ ...token, functionName: 'symbol' }).catch(() => address),
    client.readContract({ ...token, functionName: 'decimals' }).catch(() => 0),
    client.readContract({ ...token, functionName: 'balanceOf', args: [account] }),
  ])
  return { address, symbol, decimals, amount }
}
