import { describe, expect, test } from 'vitest'
import { emptyDraft, readDraft } from './draft.ts'

const someone = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const usdc = { symbol: 'USDC', decimals: 6, token: '0x5FbDB2315678afecb367f032d93F642f64180aa3' } as const
const currencies = [{ symbol: 'ETH', decimals: 18 }, usdc]

describe('readDraft', () => {
  test('default', () => {
    expect(readDraft({ ...emptyDraft, recipient: someone, amount: '0.5' }, currencies)).toEqual({
      ok: true,
      call: { to: someone, value: 5n * 10n ** 17n, data: '0x' },
    })
  })

  test('behavior: a token amount has the decimals of the token', () => {
    expect(
      readDraft({ ...emptyDraft, asset: 1, recipient: someone, amount: '10' }, currencies),
    ).toMatchObject({
      call: { to: usdc.token, value: 0n, data: expect.stringMatching(/^0xa9059cbb.*989680$/) },
    })
  })

  test('behavior: reads a contract call by function, by data, and without either', () => {
    const call = { ...emptyDraft, asset: 'call', recipient: someone } as const
    expect(readDraft({ ...call, signature: 'deposit()', amount: '1' }, currencies)).toMatchObject({
      call: { to: someone, value: 10n ** 18n, data: '0xd0e30db0' },
    })
    expect(readDraft({ ...call, data: '0xd0e30db0' }, currencies)).toMatchObject({ call: { value: 0n } })
    expect(readDraft(call, currencies)).toMatchObject({ errors: { data: expect.any(String) } })
  })

  test('error: more than the balance', () => {
    const draft = { ...emptyDraft, asset: 1, recipient: someone, amount: '5000' }
    expect(readDraft(draft, currencies, 200_000_000n)).toEqual({
      ok: false,
      errors: { amount: 'You have 200 USDC on this network.' },
    })
    expect(readDraft({ ...draft, amount: '200' }, currencies, 200_000_000n).ok).toBe(true)
  })

  test('error: reports all invalid fields at once', () => {
    expect(readDraft(emptyDraft, currencies)).toMatchObject({
      errors: { recipient: expect.any(String), amount: expect.any(String) },
    })
    expect(readDraft({ ...emptyDraft, recipient: someone, amount: '0' }, currencies)).toEqual({
      ok: false,
      errors: { amount: 'Enter more than zero.' },
    })
  })
})
