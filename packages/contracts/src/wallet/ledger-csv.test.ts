import { expect, test } from 'vitest'
import { type LedgerEntryOutput, ledgerCsvHeader, toLedgerCsv } from './ledger-csv.ts'

const entry: LedgerEntryOutput = {
  ...{ at: '2026-01-02T03:04:05.000Z', network: '8453', kind: 'transfer_out', holding: 'account' },
  token: { symbol: 'USDC', address: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913' },
  ...{ amount: '-1.5', units: '-1500000', counterparty: null, username: null, price: null },
  ...{ gasCost: null, payer: null, txnHash: '0x12', userOpHash: null, orderId: null, orderFee: null },
  ...{ block: '7', sinceBlock: null, final: true },
}
const cellsOf = (one: LedgerEntryOutput) => {
  const names = ledgerCsvHeader.trimEnd().split(',')
  const values = toLedgerCsv(one).trimEnd().split(',')
  expect(values).toHaveLength(names.length)
  return Object.fromEntries(names.map((name, index) => [name, values[index]]))
}

test('default: numbers are exact, and what is unknown is empty', () => {
  expect(cellsOf(entry)).toMatchObject({
    ...{ time: '2026-01-02T03:04:05.000Z', direction: 'out', amount: '-1.5', units: '-1500000' },
    ...{ price: '', username: '', status: 'final' },
  })
  expect(toLedgerCsv(entry)).toMatch(/final\r\n$/)
})

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx'])('behavior: the name %j is no formula', (username) => {
  expect(cellsOf({ ...entry, username }).username).toBe(`"'${username}"`)
})

test('attack: a name is no formula where semicolons separate cells, either', () => {
  expect(cellsOf({ ...entry, username: 'Anna;=1' }).username).toBe(`"Anna;'=1"`)
})

test('behavior: quotes, commas and lines stay in their cell', () => {
  expect(toLedgerCsv({ ...entry, username: 'a"b,c\nd' })).toContain(',"a""b,c\nd",')
  expect(toLedgerCsv({ ...entry, username: '="x,y"' })).toContain(`,"'=""x,y""",`)
})
