import type { z } from 'zod'
import { toCsvText } from '../csv.ts'
import type { ledgerEntry } from './ledger.ts'

export type LedgerEntryOutput = z.output<typeof ledgerEntry>

/** A cell: its heading, its value, and whether people chose the text. */
type Column = readonly [name: string, value: (entry: LedgerEntryOutput) => string | null, isText?: true]

const columns: readonly Column[] = [
  ['time', ({ at }) => at],
  ['network', ({ network }) => network],
  ['kind', ({ kind }) => kind],
  ['holding', ({ holding }) => holding],
  ['direction', ({ units }) => (units.startsWith('-') ? 'out' : units === '0' ? 'none' : 'in')],
  ['token', ({ token }) => token.symbol, true],
  ['token_address', ({ token }) => token.address],
  ['amount', ({ amount }) => amount],
  ['units', ({ units }) => units],
  ['counterparty', ({ counterparty }) => counterparty],
  ['username', ({ username }) => username, true],
  ['price', ({ price }) => price],
  ['gas_cost_wei', ({ gasCost }) => gasCost],
  ['gas_paid_by', ({ payer }) => payer],
  ['transaction', ({ txnHash }) => txnHash],
  ['user_operation', ({ userOpHash }) => userOpHash],
  ['order', ({ orderId }) => orderId],
  ['order_fee', ({ orderFee }) => orderFee],
  ['block', ({ block }) => block],
  ['since_block', ({ sinceBlock }) => sinceBlock],
  ['status', () => 'final'],
]

const line = (cells: readonly string[]) => `${cells.join(',')}\r\n`

/** The first line of a ledger as CSV (RFC 4180). */
export const ledgerCsvHeader: string = line(columns.map(([name]) => name))

/** An entry of a ledger as a line of CSV (RFC 4180). Text that people chose cannot be a formula of a spreadsheet. */
export const toLedgerCsv = (entry: LedgerEntryOutput): string =>
  line(
    columns.map(([, value, isText]) => {
      const text = value(entry) ?? ''
      // Numbers are not text: a negative one stays as it is.
      return isText && text !== '' ? toCsvText(text) : text
    }),
  )
