import type { EndpointOutput, endpoints } from '@lanyard/contracts'
import { type Database, type OperationRow, readOperationEvents } from '@lanyard/database'
import type { Kysely } from 'kysely'
import type { Hash } from 'viem'

type Step = NonNullable<EndpointOutput<typeof endpoints.smartAccount.status>['history']>[number]

/** What an event of the database's trigger (migration 0020) is called here. */
const stepOfEvent: Readonly<Record<string, Step['what']>> = {
  'operation.included': 'included',
  'operation.reverted': 'reverted',
  'operation.reorged': 'reorged',
  'operation.dropped': 'dropped',
  'operation.replaced': 'replaced',
  'operation.final': 'final',
}

/**
 * The life of a signed operation, oldest step first. Events are deleted after 30 days: then the row says when it was
 * included. The transactions of archived operations are not read.
 */
export async function readOperationHistory(
  database: Kysely<Database>,
  row: OperationRow,
): Promise<readonly Step[]> {
  const [sent, events] = await Promise.all([
    database
      .selectFrom('relayer_transaction_operations as part')
      .innerJoin('relayer_transactions as sent', 'sent.txn_hash', 'part.txn_hash')
      .select(['sent.txn_hash', 'sent_at'])
      .where('part.user_op_hash', '=', row.user_op_hash)
      .where('sent_at', 'is not', null)
      .orderBy('sent_at')
      .limit(maxSteps)
      .execute(),
    readOperationEvents(database, row.user_op_hash, maxSteps),
  ])
  const steps: { what: Step['what']; at: Date; txnHash?: string | null }[] = [
    { what: 'built', at: row.built_at },
    ...(row.signed_at ? [{ what: 'signed' as const, at: row.signed_at }] : []),
    ...sent.flatMap(({ txn_hash, sent_at }) =>
      sent_at ? [{ what: 'sent' as const, at: sent_at, txnHash: txn_hash }] : [],
    ),
    ...events.flatMap(({ type, created_at, txnHash }) => {
      const what = stepOfEvent[type]
      return what ? [{ what, at: created_at, txnHash }] : []
    }),
  ]
  const isIncluded = steps.some(({ what }) => what === 'included' || what === 'reverted')
  if (!isIncluded && row.included_at)
    steps.push({
      ...{ what: row.success === false ? 'reverted' : 'included', at: row.included_at },
      txnHash: row.txn_hash,
    })
  return steps
    .toSorted((a, b) => a.at.getTime() - b.at.getTime())
    .map(({ what, at, txnHash }) => ({
      ...{ what, at: at.toISOString() },
      ...(typeof txnHash === 'string' && { txnHash: txnHash as Hash }), // the columns hold 0x and 64 digits
    }))
}

/** Transactions and events that are read at most: an operation has few, unless reorgs repeat. */
const maxSteps = 50
