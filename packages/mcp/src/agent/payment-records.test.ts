import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createPaymentRecords, isSamePayment, type PaymentRecord } from './payment-records.ts'

async function open() {
  const folder = await mkdtemp(join(tmpdir(), 'lanyard-payments-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return { folder, records: createPaymentRecords(join(folder, 'payments')) }
}

const record: PaymentRecord = {
  reference: 'invoice 17 / ../..',
  request: { network: 1, to: '0xAb', amount: '5' },
  operation: { userOpHash: '0x01', signature: '0x02' },
  at: '2026-11-25T20:00:00.000Z',
}

test('default: a record is found again, and by another server', async () => {
  const { folder, records } = await open()
  expect(await records.find(record.reference)).toBeUndefined()
  expect(await records.create(record)).toBe(true)
  expect(await createPaymentRecords(join(folder, 'payments')).find(record.reference)).toEqual(record)
})

test('behavior: of many that create one reference, one succeeds', async () => {
  const { folder, records } = await open()
  const attempts = Array.from({ length: 20 }, (_, index) => ({
    ...record,
    operation: { userOpHash: `0x${index}`, signature: '0x02' } as const,
  }))
  const created = await Promise.all(attempts.map((attempt) => records.create(attempt)))
  expect(created.filter(Boolean)).toHaveLength(1)
  expect(await records.find(record.reference)).toEqual(attempts[created.indexOf(true)])
  expect(await readdir(join(folder, 'payments'))).toHaveLength(1) // no temporary files stay behind
})

test('behavior: a record that is set aside frees its reference, and stays in the list', async () => {
  const { records } = await open()
  await records.create(record)
  await records.setAside(record)
  expect(await records.find(record.reference)).toBeUndefined()
  const later = { ...record, at: '2026-11-25T21:00:00.000Z' }
  expect(await records.create(later)).toBe(true)
  expect((await records.list()).map(({ at, outcome }) => [at, outcome])).toEqual([
    [later.at, undefined],
    [record.at, 'dropped'],
  ])
})

test('isSamePayment: compares addresses as numbers, and everything else exactly', () => {
  const { request } = record
  expect(isSamePayment(request, { ...request, to: '0xaB' })).toBe(true)
  const others = [
    { network: 2 },
    { to: '0xcd' },
    { token: '0x01' },
    { amount: '6' },
    { url: 'https://a.example/' },
  ]
  for (const other of others) expect(isSamePayment(request, { ...request, ...other })).toBe(false)
})
