import { expect, test } from 'vitest'
import { ownerConsentText } from './owner-consent.ts'

test('ownerConsentText', () => {
  const [account, owner] = [
    '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65',
    '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  ] as const
  expect(ownerConsentText({ account, owner })).toMatchInlineSnapshot(`
    "I hold the key of this address, and it may own this account.

    Key: 0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC
    Account: 0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65"
  `)
})
