import { describe, expect, test } from 'vitest'
import { removalRisks } from './removal-risks.ts'
import type { Owner } from './use-owners.ts'

const titles = (...parameters: Parameters<typeof removalRisks>) =>
  removalRisks(...parameters).map(({ title }) => title)
const isInUse = 'You signed in with this passkey.'
const isLastPasskey = 'This is the last passkey.'

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
    expect(titles(laptop, { owners: [phone, laptop, paper] }, 'phone')).toEqual([])
  })

  test('behavior: reports the passkey in use, and the last of a kind', () => {
    expect(titles(phone, { owners: [phone, laptop, paper] }, 'phone')).toEqual([isInUse])
    expect(titles(phone, { owners: [phone, paper] }, 'phone')).toEqual([isInUse, isLastPasskey])
    expect(titles(phone, { owners: [phone, paper] }, undefined)).toEqual([isLastPasskey])
    expect(titles(paper, { owners: [phone, paper] }, 'phone')).toEqual(['This is the last recovery address.'])
    // An address that is no owner has no credential, and neither has an unknown sign-in.
    expect(titles(paper, { owners: [paper, owner('eoa', '4')] }, undefined)).toEqual([])
  })
})
