import type { Address } from 'viem'
import { describe, expect, test } from 'vitest'
import type { GuardianOverview } from '../guardians/guardian.ts'
import { answerLoss, overviewOfSet } from './loss-answer.ts'

const account = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const members: Address[] = [
  '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  '0x90F79bf6EB2c4f870365E785982E1f101E93b906',
  '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65',
]
const day = 86_400
const set = { hash: '0x01' as const, guardians: { members, threshold: 2, delay: 3 * day } }
type Problem = NonNullable<GuardianOverview['guardians'][number]['networks'][number]['problem']>

/** Guardians on networks 1 and 2; some cannot sign on 2. */
const overview = (unable: readonly number[] = [], problem: Problem = 'UNPROVEN'): GuardianOverview => ({
  account,
  networks: [1, 2].map((network) => ({ network, status: 'up', current: set })),
  guardians: members.map((guardian, index) => ({
    guardian,
    kind: 'eoa',
    networks: [
      { network: 1, status: 'up' },
      { network: 2, status: 'up', ...(unable.includes(index) && { problem }) },
    ],
  })),
})
const alone = { known: [1, 2], unprotected: [1, 2] }

describe('answerLoss', () => {
  test('default: guardians bring everything back after the delay', () => {
    expect(answerLoss(overview(), alone)).toEqual({
      networks: [
        { network: 1, state: 'ready', able: members },
        { network: 2, state: 'ready', able: members },
      ],
      lost: [],
      delay: 3 * day,
    })
  })

  test('behavior: one who cannot sign leaves none to spare, and two lose the network', () => {
    expect(answerLoss(overview([2]), alone).networks).toMatchObject([{ state: 'ready' }, { state: 'tight' }])
    expect(answerLoss(overview([1, 2]), alone)).toMatchObject({
      networks: [{ able: members }, { able: members.slice(0, 1) }],
      lost: [2],
      delay: 3 * day,
    })
  })

  test('behavior: where another owner remains, nobody is needed', () => {
    const answer = answerLoss(overview([0, 1, 2]), { known: [1, 2], unprotected: [1] })
    expect(answer).toMatchObject({ networks: [{ state: 'ready' }, { state: 'owner' }], lost: [] })
  })

  test('behavior: without an answer on who can sign, a set in force neither covers nor loses its networks', () => {
    const owned = { known: [1, 2, 3], unprotected: [1, 2], down: [4] }
    const answer = answerLoss(overviewOfSet(account, [1], owned), owned)
    const states = answer.networks.map(({ state }) => state)
    expect(states).toEqual(['unknown', 'lost', 'owner', 'unknown'])
    expect(answer).toMatchObject({ lost: [2], delay: undefined })
  })

  test('behavior: a network that does not answer is neither covered nor lost', () => {
    const down: GuardianOverview = {
      ...overview(),
      networks: [
        { network: 1, status: 'up', current: set },
        { network: 2, status: 'down' },
      ],
    }
    const answer = answerLoss(down, { known: [1], unprotected: [1] })
    expect(answer).toMatchObject({ networks: [{ state: 'ready' }, { state: 'unknown' }], lost: [] })
  })

  test('behavior: a guardian who is not in force on a network cannot sign there', () => {
    const pending: GuardianOverview = {
      ...overview(),
      networks: [
        { network: 1, status: 'up', current: set },
        { network: 2, status: 'up' },
      ],
    }
    expect(answerLoss(pending, alone)).toMatchObject({
      networks: [{ able: members }, { state: 'lost', able: [] }],
      lost: [2],
    })
  })

  test('behavior: other guardians than on most networks cover nothing that the person knows of', () => {
    const thief = {
      hash: '0x02' as const,
      guardians: { members: members.slice(0, 1), threshold: 1, delay: day },
    }
    const split: GuardianOverview = {
      ...overview(),
      networks: [
        { network: 2, status: 'up', current: thief },
        { network: 1, status: 'up', current: set },
        { network: 3, status: 'up', current: set },
      ],
    }
    const answer = answerLoss(split, { known: [1, 2, 3], unprotected: [1, 2] })
    expect(answer).toMatchObject({
      networks: [{ state: 'other' }, { state: 'ready' }, { state: 'owner' }],
      lost: [],
      delay: 3 * day,
    })
  })

  test('behavior: without guardians, or with guardians that the service does not know, everything is lost', () => {
    const none: GuardianOverview = {
      ...overview(),
      networks: [
        { network: 1, status: 'up' },
        { network: 2, status: 'up', current: { hash: '0x02' } },
      ],
    }
    expect(answerLoss(none, alone)).toMatchObject({ lost: [1, 2], delay: undefined })
  })
})
