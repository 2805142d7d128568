import type { Call } from '@lanyard/accounts'
import type { Database } from '@lanyard/database'
import type { Network, Networks } from '@lanyard/networks'
import type { Kysely } from 'kysely'
import { type Address, decodeFunctionData, getAddress, type Hash, isAddressEqual } from 'viem'
import { entryPoint07Abi } from 'viem/account-abstraction'
import type { Shared } from '../../../platform/shared-reads.ts'
import { withReadTimeout } from '../../../platform/timeouts.ts'
import { type AnyWallet, accountOf } from '../../accounts/accounts/wallet.ts'
import {
  type EventFilter,
  type EventLog,
  type Inclusion,
  readRecentEvents,
  toInclusions,
} from './inclusion.ts'

/** Maximum number for one account on one network, the newest ones. */
const maxOperations = 25

/**
 * An operation of an account that this service did not send: another bundler, or another caller of
 * `handleOps`, sent it.
 */
export interface ExternalOperation extends Inclusion {
  readonly network: number
  readonly account: Address
  readonly nonce: bigint
  /** The zero address: the account itself paid the gas. */
  readonly paymaster: Address
  /** True when no reorg can remove it any more. */
  readonly final: boolean
}

interface Reads {
  readonly database: Kysely<Database>
  readonly networks: Networks
  readonly sharedReads: { readonly externalOperations: Shared<readonly ExternalOperation[]> }
}

/**
 * Recent operations of an account on all networks that were sent without this service, according to
 * EntryPoint's events. They are read from the chain each time, so they follow reorgs. A network that does not
 * answer contributes none.
 */
export async function readExternalOperations(
  reads: Reads,
  account: Address,
): Promise<readonly ExternalOperation[]> {
  const search = { sender: [account] }
  const found = await onAllNetworks(reads, account, (network) => readNetwork(reads.database, network, search))
  return found.flat()
}

/**
 * Finds the operation with a hash if EntryPoint included it recently, for any account, without this service.
 */
export async function findExternalOperation(
  reads: Reads,
  userOpHash: Hash,
): Promise<ExternalOperation | undefined> {
  const search = { userOpHash: [userOpHash] }
  const found = await onAllNetworks(reads, userOpHash, (network) =>
    readNetwork(reads.database, network, search),
  )
  return found.flat()[0]
}

const onAllNetworks = (
  { networks, sharedReads }: Reads,
  key: string,
  read: (network: Network) => Promise<readonly ExternalOperation[]>,
) =>
  Promise.all(
    networks.list().map((network) =>
      withReadTimeout(
        network,
        sharedReads.externalOperations(`${network.chainId}:${key.toLowerCase()}`, () => read(network)),
      ).catch(() => []),
    ),
  )

async function readNetwork(
  database: Kysely<Database>,
  network: Network,
  filter: EventFilter,
): Promise<readonly ExternalOperation[]> {
  const events = await readRecentEvents(network, filter)
  const external = await withoutOwn(database, events.toSorted(byPosition))
  if (external.length === 0) return []
  const [inclusions, finalized] = await Promise.all([
    toInclusions(network, external.slice(0, maxOperations)),
    network.finalizedBlock(),
  ])
  return inclusions.map((inclusion, index) => {
    const { sender, nonce, paymaster } = (external[index] as EventLog).args // one inclusion for each event
    const final = inclusion.blockNumber <= finalized
    return { ...inclusion, network: network.chainId, account: getAddress(sender), nonce, paymaster, final }
  })
}

/** Newest first. */
const byPosition = (a: EventLog, b: EventLog) =>
  a.blockNumber === b.blockNumber ? b.logIndex - a.logIndex : a.blockNumber < b.blockNumber ? 1 : -1

/** Leaves out operations that were signed here, because their rows contain more. */
async function withoutOwn(
  database: Kysely<Database>,
  events: readonly EventLog[],
): Promise<readonly EventLog[]> {
  if (events.length === 0) return []
  const hashes = events.map(({ args }) => args.userOpHash)
  const rows = await database
    .selectFrom('every_operation')
    .select('user_op_hash')
    .where('user_op_hash', 'in', hashes)
    .where('signed_at', 'is not', null)
    .execute()
  const own = new Set(rows.map(({ user_op_hash }) => user_op_hash))
  return events.filter(({ args }) => !own.has(args.userOpHash))
}

/**
 * The calls of an operation, decoded from the transaction that included it. None if the transaction is not a
 * direct `handleOps` call, or if the operation does not call through the account's module.
 *
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function readExternalCalls(
  network: Network,
  { txnHash, nonce }: ExternalOperation,
  wallet: AnyWallet,
): Promise<readonly Call[]> {
  const { to, input } = await network.call((client) => client.getTransaction({ hash: txnHash }))
  if (to === null || !isAddressEqual(to, accountOf(wallet).entryPoint)) return []
  try {
    // The same functions in v0.7 and v0.8.
    const { functionName, args } = decodeFunctionData({ abi: entryPoint07Abi, data: input })
    if (functionName !== 'handleOps') return []
    const operation = args[0].find((one) => isAddressEqual(one.sender, wallet.address) && one.nonce === nonce)
    const decoded = operation && accountOf(wallet).decodeCalls(operation.callData)
    return decoded?.ok ? decoded.calls : []
  } catch {
    return [] // viem throws on data that it cannot decode
  }
}
