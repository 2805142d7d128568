import {
  encodeOwnerChange,
  getOwnerChangeHash,
  getRecoveryHash,
  type RecoveryContext,
  recoveryTypedData,
  toModuleOwner,
} from '@lanyard/accounts'
import { expect, test } from 'vitest'
import { verifyPreparedChange } from './verify-prepared-change.ts'
import { verifyPreparedRecovery } from './verify-prepared-recovery.ts'

const mine = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const thief = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const context: RecoveryContext = {
  module: '0x1000000000000000000000000000000000000001',
  account: '0x2000000000000000000000000000000000000002',
  sequence: 3n,
  number: 2n,
}
const { account } = context

const prepareChange = (address: typeof mine | typeof thief, at = context) => {
  const change = { kind: 'addOwner', owner: { kind: 'eoa', address } } as const
  const messageToSign = getOwnerChangeHash(change, at)
  return { module: at.module, sequence: String(at.sequence), ...encodeOwnerChange(change), messageToSign }
}

const prepareRecovery = (address: typeof mine | typeof thief, at = context) => {
  const owners = [{ kind: 'eoa', address }] as const
  const { types } = recoveryTypedData(owners, at)
  return {
    ...{ account, module: at.module, sequence: String(at.sequence), number: String(at.number) },
    newOwners: [{ address }],
    messageToSign: getRecoveryHash(owners, at),
    typedData: {
      domain: { name: 'Ownership', version: '1', verifyingContract: at.module },
      types: { Recovery: [...types.Recovery], Owner: [...types.Owner] },
      primaryType: 'Recovery' as const,
      message: {
        ...{ account, sequence: String(at.sequence), number: String(at.number) },
        ...{ newOwners: owners.map(toModuleOwner), newThreshold: '1' },
      },
    },
    guardians: { members: [], threshold: 0, delay: 0 },
  }
}

const later = { ...context, sequence: 4n }
const elsewhere = { ...context, module: account }

test('verifyPreparedChange', () => {
  const request = { change: { kind: 'addOwner', owner: { address: mine } } } as const
  const honest = prepareChange(mine)
  expect(verifyPreparedChange({ prepared: honest, request, context })).toBe(honest.messageToSign)
})

test.each([
  ['data', prepareChange(thief)],
  ['sequence', prepareChange(mine, later)],
  ['module', prepareChange(mine, elsewhere)],
  ['messageToSign', { ...prepareChange(mine), messageToSign: prepareChange(thief).messageToSign }],
])('verifyPreparedChange: a service that lies about %s', (field, prepared) => {
  const request = { change: { kind: 'addOwner', owner: { address: mine } } } as const
  expect(() => verifyPreparedChange({ prepared, request, context })).toThrow(
    expect.objectContaining({ name: 'BuildVerificationError', field }),
  )
})

test('verifyPreparedRecovery', () => {
  const request = { newOwners: [{ address: mine }] } as const
  const honest = prepareRecovery(mine)
  expect(
    verifyPreparedRecovery({ prepared: honest, request: { newOwners: [...request.newOwners] }, context }),
  ).toBe(honest.messageToSign)
})

test.each([
  ['newOwners', prepareRecovery(thief)],
  ['sequence', prepareRecovery(mine, later)],
  ['number', prepareRecovery(mine, { ...context, number: 3n })],
  ['module', prepareRecovery(mine, elsewhere)],
  ['messageToSign', { ...prepareRecovery(mine), messageToSign: prepareRecovery(thief).messageToSign }],
  ['typedData', { ...prepareRecovery(mine), typedData: prepareRecovery(thief).typedData }],
])('verifyPreparedRecovery: a service that lies about %s', (field, prepared) => {
  const request = { newOwners: [{ address: mine }] }
  expect(() => verifyPreparedRecovery({ prepared, request, context })).toThrow(
    expect.objectContaining({ name: 'BuildVerificationError', field }),
  )
})
