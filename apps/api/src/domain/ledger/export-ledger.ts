import type { EndpointResult, endpoints } from '@lanyard/contracts'
import {
  type Database,
  type LedgerPosition,
  type LedgerRow,
  readAccountLedgers,
  readLedgerEntries,
} from '@lanyard/database'
import type { Networks } from '@lanyard/networks'
import type { Kysely } from 'kysely'
import { type Address, formatUnits, getAddress, type Hex } from 'viem'

type Ledger = EndpointResult<typeof endpoints.wallet.ledger>
type Entry = Ledger['entries'][number]
type Token = Entry['token']

interface Query {
  readonly account: Address
  readonly network?: number | undefined
  readonly from?: Date | undefined
  readonly to?: Date | undefined
  /** The `next` of the page before. */
  readonly after?: string | undefined
  readonly limit: number
}

interface Dependencies {
  readonly database: Kysely<Database>
  readonly networks: Pick<Networks, 'list'>
}

/** A page of an account's ledger, and how far it is complete. */
export async function readLedgerPage(
  { database, networks }: Dependencies,
  { after, ...query }: Query,
): Promise<Ledger> {
  const [rows, ledgers] = await Promise.all([
    readLedgerEntries(database, { ...query, ...(after !== undefined && { after: toPosition(after) }) }),
    readAccountLedgers(database, query.account),
  ])
  const last = rows.at(-1)
  return {
    entries: rows.map((row) => toEntry(networks, row)),
    next: last && rows.length === query.limit ? toCursor(last) : null,
    networks: ledgers
      .filter(({ network }) => query.network === undefined || network === query.network)
      .map((ledger) => ({
        network: String(ledger.network),
        completeFrom: String(ledger.complete_from),
        completeFromTime: ledger.complete_at.toISOString(),
        completeTo: String(ledger.complete_to),
        reconciledTo: ledger.reconciled_block === null ? null : String(ledger.reconciled_block),
        balances: Object.entries(ledger.balances).flatMap(([key, units]) => {
          const [holding, asset = ''] = key.split(':')
          const { token } = describeAsset(networks, ledger.network, asset)
          // Of a token that the configuration no longer names, the balance is not compared, and may be old.
          if (token.symbol === '') return []
          return { holding: holding === 'smart_balance' ? 'smart_balance' : 'account', token, units }
        }),
      })),
  }
}

const toCursor = ({ at, network, block_number, log_index, part }: LedgerRow): string =>
  [at.getTime(), network, block_number, log_index, part].join('.')

function toPosition(cursor: string): LedgerPosition {
  const [at = 0, network = 0, block = 0, logIndex = 0, part = 0] = cursor.split('.').map(Number)
  return { at: new Date(at), network, block, logIndex, part }
}

/** The token of an entry, and its decimals in an account's balance. */
function describeAsset(
  networks: Dependencies['networks'],
  chainId: number,
  asset: string,
): { readonly token: Token; readonly decimals: number } {
  const config = networks.list().find((network) => network.chainId === chainId)?.config
  // Wallets show native coin with other decimals; a unit is 10^-18 all the same.
  if (asset === 'native')
    return { token: { symbol: config?.nativeCurrency.symbol ?? '', address: null }, decimals: 18 }
  const token = config?.settlementToken
  const address = getAddress(asset)
  if (token?.address.toLowerCase() !== asset) return { token: { symbol: '', address }, decimals: 0 }
  return { token: { symbol: token.symbol, address }, decimals: token.decimals }
}

/** Amounts in the smart balance, whatever its token has. */
const balanceDecimals = 6

const toChecksum = (address: string | null) => (address === null ? null : getAddress(address))

function toEntry(networks: Dependencies['networks'], row: LedgerRow): Entry {
  const { token, decimals } = describeAsset(networks, row.network, row.asset)
  return {
    ...{
      at: row.at.toISOString(),
      network: String(row.network),
      kind: row.kind,
      holding: row.holding,
      token,
    },
    amount: formatUnits(row.amount, row.holding === 'smart_balance' ? balanceDecimals : decimals),
    units: String(row.amount),
    counterparty: toChecksum(row.counterparty),
    username: row.counterparty_name,
    price: null,
    gasCost: row.gas_cost === null ? null : String(row.gas_cost),
    payer: toChecksum(row.payer),
    // The columns hold hex.
    txnHash: row.txn_hash as Hex | null,
    userOpHash: row.user_op_hash as Hex | null,
    orderId: row.order_id as Hex | null,
    orderFee: row.order_fee === null ? null : String(row.order_fee),
    block: String(row.block_number),
    sinceBlock: row.since_block === null ? null : String(row.since_block),
    final: true,
  }
}
