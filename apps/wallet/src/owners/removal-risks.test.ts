import { describe, expect, test } from 'vitest'
import { removalRisks } from './removal-risks.ts'
import type { Owner } from './use-owners.ts'

const owner = (kind: Owner['kind'], last: string, credentialId?: string): Owner => ({
  kind,
  address: `0x${last.padStart(40, '0')}`,
  label: undefined,
  credentialId,
  chainIds: [1],
})
const phone = owner('passkey', '1', 'phone')
const laptop = owner('passkey', '2', 'laptop')
const paper = owner('eoa', '3')

describe('removalRisks', () => {
  test('default: none for one of several passkeys that is not in use', () => {
    expect(removalRisks(laptop, { owners: [phone, laptop, paper] }, 'phone')).toEqual([])
  })

  test('behavior: reports the passkey in use, and the last of a kind', () => {
    expect(removalRisks(phone, { owners: [phone, laptop, paper] }, 'phone')).toEqual(['in-use'])
    expect(removalRisks(phone, { owners: [phone, paper] }, 'phone')).toEqual(['in-use', 'last-passkey'])
    expect(removalRisks(phone, { owners: [phone, paper] }, undefined)).toEqual(['last-passkey'])
    expect(removalRisks(paper, { owners: [phone, paper] }, 'phone')).toEqual(['last-address'])
    // An address that is no owner has no credential, and neither has an unknown sign-in.
    expect(removalRisks(paper, { owners: [paper, owner('eoa', '4')] }, undefined)).toEqual([])
  })
})
