import { describe, expect, test } from 'vitest'
import { readCombinedDraft, readPaymentRequest } from './combined-draft.ts'
import { emptyDraft } from './draft.ts'

const recipient = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const draft = { ...emptyDraft, recipient, amount: '250.5' } as const

describe('readCombinedDraft', () => {
  test('default', () => {
    expect(readCombinedDraft(draft, 31337)).toEqual({
      ok: true,
      recipient,
      request: { chainId: 31337, type: 'AMOUNT_OUT', amount: 250_500_000n },
    })
  })

  test('behavior: a chosen user takes precedence over the typed text', () => {
    const chosen = { address: recipient, username: 'bob' } as const
    expect(readCombinedDraft({ ...draft, recipient: '', chosen }, 1)).toMatchObject({ ok: true, recipient })
  })

  test.each([
    [{ recipient: '' }, { recipient: 'Enter an address or a username.' }],
    [{ recipient: '0x12' }, { recipient: expect.stringContaining('40 digits') }],
    [{ amount: '0' }, { amount: 'Enter more than zero.' }],
    [{ amount: '1.0000001' }, { amount: 'At most 6 decimals.' }],
    [{ amount: '' }, { amount: 'Enter an amount.' }],
  ])('error: %o', (changed, errors) => {
    expect(readCombinedDraft({ ...draft, ...changed }, 1)).toEqual({ ok: false, errors })
  })
})

describe('readPaymentRequest', () => {
  test('behavior: undefined without a complete amount', () => {
    for (const amount of ['', '0', '1,500', 'x'])
      expect(readPaymentRequest({ amount, type: 'AMOUNT_IN' }, 1)).toBeUndefined()
    expect(readPaymentRequest({ amount: '1.', type: 'AMOUNT_IN' }, 1)?.amount).toBe(1_000_000n)
  })
})
