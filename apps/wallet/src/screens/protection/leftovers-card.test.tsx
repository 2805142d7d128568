// @vitest-environment happy-dom
import {
  defaultDeployment,
  encodeDisableModule,
  encodeOwnerChange,
  getOwnerChangeHash,
  toGuardianSet,
} from '@lanyard/accounts'
import { knownModule } from '@lanyard/calls'
import { endSessionsCall } from '@lanyard/session-keys'
import { screen } from '@testing-library/react'
import { type Address, getAddress, keccak256 } from 'viem'
import { expect, test } from 'vitest'
import { fakePasskey } from '../../../test/fake-passkey.ts'
import { ServiceFailure } from '../../../test/fake-service.ts'
import { proposeOperation } from '../../../test/propose-operation.ts'
import {
  account,
  expectNoBarriers,
  friend,
  networks,
  renderWallet,
  withFakeService,
} from '../../../test/render-wallet.tsx'
import { rememberDeparture } from '../../owners/departures.ts'
import { toTransactionDetails } from '../../passkey/verify-operation.ts'
import { LeftoversCard } from './leftovers-card.tsx'

const { service } = withFakeService()

const thief: Address = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'
const [network] = networks
if (!network) throw new TypeError('no network')
const module = knownModule(network)
const usual = toGuardianSet({ members: [friend], threshold: 1, delay: 86_400 })
const change = { kind: 'setGuardians', guardians: usual } as const
const hash = keccak256(encodeOwnerChange(change).data)
const status = {
  module,
  split: false,
  ownersDiffer: false,
  changes: [],
  networks: networks.map(({ chainId }) => ({
    network: chainId,
    status: 'up' as const,
    enabled: true,
    sequence: '0',
    guardians: hash,
  })),
}
const render = () =>
  renderWallet(<LeftoversCard status={status} inForce={{ hash, guardians: usual }} networks={networks} />)
const inputsOf = (procedure: string) =>
  service()
    .requested.filter((one) => one.procedure === procedure)
    .map(({ input }) => input)

test('behavior: guardians who count later are named, and one signature ends them on all networks', async () => {
  fakePasskey()
  const set = { hash, guardians: usual }
  const later = {
    hash: '0x02',
    from: 1_800_000_000,
    guardians: { members: [thief], threshold: 1, delay: 86_400 },
  }
  service().answers['guardian.list'] = () => ({
    account,
    networks: [
      { network: 1, status: 'up', current: set, next: later },
      { network: 2, status: 'up', current: set },
    ],
    guardians: [{ guardian: getAddress(thief), kind: 'eoa', username: 'mallory', networks: [] }],
  })
  const fields = { ...encodeOwnerChange(change), sequence: '0' }
  service().answers['ownership.prepare'] = () => ({
    module,
    ...fields,
    messageToSign: getOwnerChangeHash(change, { module, account, sequence: 0n }),
  })
  service().answers['owner.list'] = () => ({
    networks: networks.map(({ chainId }) => ({
      network: chainId,
      status: 'up',
      owners: [{ address: defaultDeployment.sharedSigner, kind: 'passkey', credentialId: 'AQID' }],
    })),
  })
  service().answers['webauthn.authenticateOptions'] = () => ({
    passkeyAuthenticationOptions: { challenge: 'AQID', allowCredentials: [] },
  })
  service().answers['ownership.submit'] = () => status
  const { user, container } = render()
  await screen.findByText(/^Other guardians on Net 1 from/)
  screen.getByText('1 of mallory could give your account to another passkey.')
  await user.click(screen.getByRole('button', { name: 'Remove the other guardians on Net 1' }))
  screen.getByText(/^You sign once, for all networks: 1 of 0x7099…79C8 stay/)
  await expectNoBarriers(container)
  await user.click(screen.getByRole('button', { name: 'Sign with passkey' }))
  await screen.findByRole('button', { name: 'Remove the other guardians on Net 1' })
  expect(inputsOf('ownership.submit')).toMatchObject([{ kind: fields.kind, data: fields.data }])
})

test('behavior: where an owner left without ending the session keys, one press ends them', async () => {
  const open = {
    network: 1,
    keyId: '0x01',
    state: 'active',
    operationsLeft: 1,
    feePerOperation: '0',
    validAfter: 0,
    validUntil: 1,
    maxOperations: 1,
    rules: [],
    allowances: [],
  }
  service().answers['sessionKey.list'] = () => ({ sessions: [open] })
  service().answers['webauthn.transactionOptions'] = proposeOperation(account)
  const session = { validAfter: 0, validUntil: 1 }
  rememberDeparture(account, 1, [{ chainId: 1, keyId: '0x01', state: 'active', session }])
  const { user, container } = render()
  await screen.findByText('Session keys on Net 1')
  await expectNoBarriers(container)
  await user.click(screen.getByRole('button', { name: 'End all session keys on Net 1' }))
  await screen.findByRole('button', { name: 'Sign with passkey' })
  expect(inputsOf('webauthn.transactionOptions')).toMatchObject([
    { network: 1, transactionDetails: toTransactionDetails([endSessionsCall]) },
  ])
})

test('behavior: a module that the wallet does not know is removed by its button', async () => {
  const modules = [getAddress(thief), module, defaultDeployment.module]
  service().answers['owner.list'] = () => ({
    networks: [
      { network: 1, status: 'up', parts: { modules, fallbackHandler: defaultDeployment.module } },
      { network: 2, status: 'up' },
    ],
  })
  let paysFee = false
  service().answers['webauthn.transactionOptions'] = (input) => {
    if (!paysFee) throw new ServiceFailure(input.paymasterData ? 'PAYMASTER_REFUSED' : 'INSUFFICIENT_FUNDS')
    return proposeOperation(account)(input)
  }
  const { user } = render()
  await screen.findByText('A module on Net 1')
  await user.click(screen.getByRole('button', { name: `Remove ${getAddress(thief)} on Net 1` }))
  // The account has nothing there: it can be funded in place.
  await screen.findByText('Your account needs a network fee on Net 1.')
  paysFee = true
  await user.click(screen.getByRole('button', { name: 'Try again on Net 1' }))
  await screen.findByRole('button', { name: 'Sign with passkey' })
  const call = encodeDisableModule({ account, module: thief, modules })
  expect(inputsOf('webauthn.transactionOptions').at(-1)).toMatchObject({
    transactionDetails: toTransactionDetails(call ? [call] : []),
  })
})
