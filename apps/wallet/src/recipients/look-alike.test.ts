import { describe, expect, test } from 'vitest'
import { compareGroups, findLookAlike, firstDifference } from './look-alike.ts'

const nils = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const poison = '0x70994c1e90Ab3F07d2c88e516B93f0A422e779C8'
const other = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'

describe('findLookAlike', () => {
  test('default: somebody else looks like nobody', () => {
    expect(findLookAlike({ address: other }, [{ address: nils, paidAt: 1 }])).toBeUndefined()
  })

  test('behavior: an address with the same first and last digits looks like the one that was paid', () => {
    const known = { address: nils, paidAt: 1 } as const
    expect(findLookAlike({ address: poison }, [known])).toEqual({ by: 'ends', known })
  })

  test.each(['niIs', 'nіls', 'ni1s'])('behavior: the name %s looks like nils', (username) => {
    const known = { address: nils, contact: 'nils' } as const
    expect(findLookAlike({ address: other, username }, [known])).toEqual({ by: 'name', known })
    expect(findLookAlike({ address: nils, username }, [known])).toBeUndefined()
  })

  test.each([
    ['Ian', 'ian'],
    ['Nils', 'NILS'],
    ['LISA', 'lisa'],
  ])('behavior: the contact %s looks like the username %s', (contact, username) => {
    const known = { address: nils, contact } as const
    expect(findLookAlike({ address: other, username }, [known])).toEqual({ by: 'name', known })
  })

  test('behavior: who is a contact, or was paid, was decided about', () => {
    const people = [
      { address: nils, paidAt: 1 },
      { address: poison, contact: 'Other' },
    ] as const
    expect(findLookAlike({ address: poison }, people)).toBeUndefined()
    expect(findLookAlike({ address: nils }, people)).toBeUndefined()
  })
})

test('compareGroups: the ends, which are the same, are not what differs', () => {
  expect(compareGroups(poison, nils).map(({ isSame }) => isSame)).toEqual([
    ...[true, ...Array<boolean>(8).fill(false), true],
  ])
  expect(firstDifference(poison, nils)).toEqual({ before: '7099', digits: '4c1e' })
})
