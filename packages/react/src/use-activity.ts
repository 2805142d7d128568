import type { LanyardClient } from '@lanyard/client'
import { type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query'
import {
  type Address,
  decodeFunctionData,
  getAddress,
  type Hash,
  type Hex,
  isAddressEqual,
  zeroAddress,
} from 'viem'
import { callService } from './actions/call-service.ts'
import { useLanyardContext } from './lanyard-context.ts'
import { type LanyardReactError, toReactError } from './react-error.ts'
import { hasDecimals } from './safe-values.ts'
import { transferAbi } from './transfer-abi.ts'
import { useAccount } from './use-account.ts'

/** A currency of the service. */
export interface ActivityCurrency {
  readonly symbol: string
  readonly decimals: number
  /** Absent for the native coin. */
  readonly address?: Address
}

/** Something that happened to the account. */
export interface ActivityEntry {
  readonly id: string
  /** `sent` has one payment. `other`: several payments, or calls of a contract. */
  readonly kind: 'sent' | 'received' | 'other'
  readonly network: number
  readonly at: Date
  /** `failed`: included, and its calls reverted. `expired`: never included, so nothing moved. */
  readonly state: 'pending' | 'done' | 'failed' | 'expired'
  /** In base units of `currency`. Absent for `other`. */
  readonly amount?: bigint
  /** Absent for a token that the service does not name. */
  readonly currency?: ActivityCurrency
  /** The recipient, or the sender. */
  readonly party?: Address
  /** wei. Absent if it is not known, or if a paymaster paid. */
  readonly fee?: bigint
  readonly userOpHash?: Hash
  readonly transactionHash?: Hash
}

type Page = Awaited<ReturnType<typeof readPage>>
type Operation = Page['operations'][number]
type Transfer = Page['transfers'][number]['transfers'][number]
type Network = Page['networks'][number]

const pageSize = 20

/** Milliseconds between polls. */
const pollInterval = { pending: 2_000, usual: 15_000 }

async function readPage(client: LanyardClient, walletAddress: Address, before: Cursor, signal: AbortSignal) {
  const isFirst = Object.keys(before).length === 0
  const [{ activity }, { networks }, transfers] = await Promise.all([
    client.wallet.activity({ walletAddress, limit: pageSize, ...before }, { signal }),
    client.system.networks({}, { signal }),
    isFirst ? client.wallet.transfers({ walletAddress }, { signal }) : { networks: [] },
  ])
  return { operations: activity, networks, transfers: transfers.networks }
}

interface Cursor {
  readonly before?: string
  readonly beforeId?: string
}

/**
 * What the signed-in account paid and received, newest first, in pages of 20 operations (`fetchNextPage`). Amounts come from the
 * calls that were signed; a payment that the account makes to itself is `other`. Entries older than the oldest loaded
 * operation appear with the next page.
 */
export function useActivity(): UseInfiniteQueryResult<readonly ActivityEntry[], LanyardReactError> {
  const { service, client } = useLanyardContext()
  const account = useAccount()?.address
  return useInfiniteQuery({
    queryKey: ['lanyard', service, 'activity', account],
    queryFn: ({ pageParam, signal }) =>
      callService(readPage(client, account as Address, pageParam, signal)).catch((error: unknown) => {
        throw toReactError(error, service)
      }),
    initialPageParam: {} as Cursor, // widens the literal type
    getNextPageParam: ({ operations }): Cursor | undefined => {
      const last = operations.length < pageSize ? undefined : operations.at(-1)
      return last && { before: last.signedAt, beforeId: last.userOpHash }
    },
    select: ({ pages }) => toEntries(pages, account as Address),
    enabled: account !== undefined,
    networkMode: 'always',
    retry: false,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ operations }) =>
        operations.some(({ state }) => stateOf({ state }) === 'pending'),
      )
        ? pollInterval.pending
        : pollInterval.usual,
  })
}

function toEntries(pages: readonly Page[], account: Address): readonly ActivityEntry[] {
  const operations = pages.flatMap((page) => page.operations)
  const networks = pages[0]?.networks ?? []
  const find = (id: string) => networks.find(({ network }) => String(network) === id)
  const own = operations.flatMap((operation) =>
    readable(() => ofOperation(operation, account, find(operation.network))),
  )
  const ownTransactions = new Set(own.map(({ transactionHash }) => transactionHash?.toLowerCase()))
  const hasOlder = pages.at(-1)?.operations.length === pageSize
  const oldest = hasOlder ? own.at(-1)?.at : undefined
  const received = (pages[0]?.transfers ?? []).flatMap(({ network, transfers }) =>
    transfers
      // What an own transaction brought in is part of that operation.
      .filter(
        ({ txnHash, from }) =>
          !ownTransactions.has(txnHash.toLowerCase()) && from.toLowerCase() !== account.toLowerCase(),
      )
      .flatMap((transfer, position) =>
        readable(() => ofTransfer(transfer, position, network, find(network))),
      ),
  )
  return [...own, ...received.filter(({ at }) => oldest === undefined || at >= oldest)].sort(
    (a, b) => b.at.getTime() - a.at.getTime(),
  )
}

/** An entry, or none for one that the service garbled: it must not hide the others. */
function readable(read: () => ActivityEntry): readonly ActivityEntry[] {
  try {
    return [read()]
  } catch {
    return []
  }
}

function stateOf({ state, success }: { readonly state: string; readonly success?: boolean | undefined }) {
  if (state === 'included') return success === false ? 'failed' : 'done'
  return state === 'dropped' || state === 'expired' ? 'expired' : 'pending'
}

function ofOperation(operation: Operation, account: Address, network: Network | undefined): ActivityEntry {
  const { userOpHash, txnHash, gasCost, paymaster } = operation
  const [call, ...others] = operation.calls.map((one) => paymentOf(one, network))
  const payment = others.length === 0 && call && !isAddressEqual(call.party, account) ? call : undefined
  return {
    id: userOpHash,
    kind: payment ? 'sent' : 'other',
    network: Number(operation.network),
    at: new Date(operation.signedAt),
    state: stateOf(operation),
    userOpHash: userOpHash as Hash,
    ...payment,
    ...(txnHash && { transactionHash: txnHash as Hash }),
    ...(gasCost && !paymaster && { fee: BigInt(gasCost) }),
  }
}

interface Payment {
  readonly amount: bigint
  readonly party: Address
  readonly currency?: ActivityCurrency
}

function paymentOf(
  { encodedData, targetContractAddress, value }: Operation['calls'][number],
  network: Network | undefined,
): Payment | undefined {
  const to = getAddress(targetContractAddress)
  if (encodedData === '0x') return { amount: BigInt(value), party: to, ...currencyOf(null, network) }
  const decoded = decodeTransfer(encodedData as Hex)
  return decoded && BigInt(value) === 0n ? { ...decoded, ...currencyOf(to, network) } : undefined
}

function decodeTransfer(data: Hex) {
  try {
    const { args } = decodeFunctionData({ abi: transferAbi, data })
    return { party: args[0], amount: args[1] }
  } catch {
    return undefined // a call of another contract
  }
}

function currencyOf(
  token: string | null,
  network: Network | undefined,
): { readonly currency?: ActivityCurrency } {
  if (!network) return {}
  if (token === null) return hasDecimals(network.nativeCurrency) ? { currency: network.nativeCurrency } : {}
  const known = network.settlementToken
  const isKnown = known && hasDecimals(known) && isAddressEqual(known.address as Address, token as Address)
  return isKnown ? { currency: { ...known, address: getAddress(known.address) } } : {}
}

const ofTransfer = (
  { txnHash, at, from, token, amount, pending }: Transfer,
  position: number,
  id: string,
  network: Network | undefined,
): ActivityEntry => ({
  id: `${id} ${txnHash} ${position}`, // one transaction can contain equal transfers
  kind: 'received',
  network: Number(id),
  at: new Date(at),
  state: pending ? 'pending' : 'done',
  amount: BigInt(amount),
  // Tokens that were issued have no sender.
  ...(!isAddressEqual(from as Address, zeroAddress) && { party: getAddress(from) }),
  transactionHash: txnHash as Hash,
  ...currencyOf(token, network),
})
