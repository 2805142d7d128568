import { inTransaction, type OrderDebitRow, type OrderRow, repairDebit } from '@lanyard/database'
import { readOrderRecord } from '@lanyard/smart-balance'
import type { Address, Hash } from 'viem'
import { lockAccount } from '../../../domain/accounts/accounts/lock-account.ts'
import { toNonce } from '../../../domain/operations/lanes.ts'
import { balanceContract } from './balance-contract.ts'
import { chunksOf, type RepairContext } from './context.ts'
import { type Difference, disagreements } from './difference.ts'

/** A debit on this network of an order with a signed operation. */
interface Debit extends Omit<OrderDebitRow, 'order_id' | 'network'> {
  readonly order_id: string
  readonly account: string
  readonly output_network: number
  readonly nonce_key: bigint
  readonly nonce_sequence: bigint
  readonly order_state: OrderRow['state']
  readonly outcome: OrderRow['outcome']
  readonly order_hash: string
}

/** Compares the settlements of debits in this network's final blocks with their rows. */
export async function compareDebits(context: RepairContext): Promise<Difference[]> {
  const { network, final } = context
  const on = balanceContract(network)
  if (!on) return []
  const found: Difference[] = []
  for (const accounts of chunksOf(context.accounts)) {
    for (const debits of chunksOf(await findDebits(context, accounts))) {
      const records = await network.call((client) =>
        client.multicall({
          allowFailure: false,
          blockNumber: final.number,
          contracts: debits.map(
            (debit) => ({ ...on.contract, functionName: 'settled', args: settledArguments(debit) }) as const,
          ),
        }),
      )
      found.push(
        ...debits.flatMap((debit, index) => {
          const record = records[index]
          // The column holds hex.
          return compare(
            context,
            debit,
            record ? readOrderRecord(record, debit.order_hash as Hash).amount : 0n,
          )
        }),
      )
    }
  }
  return found
}

function settledArguments({ account, output_network, nonce_key, nonce_sequence }: Debit) {
  const nonce = toNonce({ key: nonce_key, sequence: nonce_sequence })
  return [account as Address, BigInt(output_network), nonce] as const // the column holds hex
}

type Expected = Partial<Pick<OrderDebitRow, 'state' | 'due' | 'settled_amount' | 'closed_at'>>

function compare({ network: { chainId } }: RepairContext, debit: Debit, amount: bigint): Difference[] {
  const expected = expectedOf(debit, amount)
  const found = disagreements({ ...debit }, { ...expected })
  if (!found) return []
  return [
    {
      kind: 'DEBIT_DIFFERS',
      network: chainId,
      account: debit.account,
      subject: debit.order_id,
      ...found,
      repair: repairOf(debit, chainId, expected),
    },
  ]
}

/** Repairs a debit. A closed order is reopened if the debit is still due. */
function repairOf(debit: Debit, network: number, expected: Expected): NonNullable<Difference['repair']> {
  return (database) =>
    inTransaction(database, async (transaction) => {
      // The deposit that the debit holds or releases is under the account's lock.
      await lockAccount(transaction, debit.account)
      return repairDebit(transaction, { ...debit, network }, expected)
    })
}

/** The values that the row should have, as far as the settled amount determines them. */
function expectedOf(debit: Debit, amount: bigint): Expected {
  const due = debit.due ?? (debit.outcome === 'failed' ? debit.fail_fee : debit.amount)
  if (amount > 0n) return { state: amount < due ? 'PARTIAL' : 'SETTLED', due, settled_amount: amount }
  const claimsMore = debit.state === 'SETTLED' || debit.state === 'PARTIAL' || debit.settled_amount > 0n
  const isGivenBack = (debit.state === 'RELEASED' || debit.state === 'RESERVED') && due > 0n
  return claimsMore || isGivenBack ? { state: 'DUE', due, settled_amount: 0n, closed_at: null } : {}
}

async function findDebits(
  { database, network }: RepairContext,
  accounts: readonly string[],
): Promise<Debit[]> {
  return (
    database
      .selectFrom('order_debits as debit')
      .innerJoin('orders', 'orders.order_id', 'debit.order_id')
      .select([
        'debit.order_id',
        'debit.amount',
        'debit.fail_fee',
        'debit.state',
        'debit.due',
        'debit.settled_amount',
        'debit.txn_hash',
        'debit.attempts',
        'debit.next_attempt_at',
        'debit.reason',
        'debit.closed_at',
        'orders.account',
        'orders.output_network',
        'orders.nonce_key',
        'orders.nonce_sequence',
        'orders.state as order_state',
        'orders.outcome',
      ])
      .select('orders.order_hash')
      .where('debit.network', '=', network.chainId)
      .where('orders.account', 'in', accounts)
      .where('orders.order_hash', 'is not', null)
      // A settlement follows attestation: earlier states do not depend on a settled amount.
      .where('orders.state', 'in', ['ATTESTED', 'SETTLED'])
      .$narrowType<{ order_hash: string }>()
      .execute()
  )
}
