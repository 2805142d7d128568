// @vitest-environment happy-dom
import {
  defaultDeployment,
  encodeAddOwner,
  encodeInitializer,
  encodeOwnerChange,
  encodeRemoveOwner,
  getOwnerChangeHash,
  type OwnerChange,
} from '@lanyard/accounts'
import { knownModule } from '@lanyard/calls'
import { endSessionsCall } from '@lanyard/session-keys'
import { cleanup, screen, within } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { fakePasskey } from '../../../test/fake-passkey.ts'
import { ServiceFailure } from '../../../test/fake-service.ts'
import { proposeOperation } from '../../../test/propose-operation.ts'
import {
  account,
  expectNoBarriers,
  firstOwner,
  friend,
  networks,
  renderWallet,
  withFakeService,
} from '../../../test/render-wallet.tsx'
import { toTransactionDetails } from '../../passkey/verify-operation.ts'
import { ProtectionHint } from '../home/protection-hint.tsx'
import { ProtectionScreen } from '../protection/protection-screen.tsx'
import { OwnerRun } from './owner-run.tsx'

const { service } = withFakeService()

const add = { kind: 'add', candidate: { kind: 'eoa', address: friend } } as const
const remove = { kind: 'remove', owner: friend } as const
const txnHash = `0x${'ab'.repeat(32)}`

/** The service's plan, by chain id. */
function plan(statuses: Readonly<Record<number, 'pending' | 'done' | 'down'>>) {
  const answer =
    (...calls: Parameters<typeof toTransactionDetails>[0]) =>
    () => ({
      networks: Object.entries(statuses).map(([network, status]) => ({
        network: Number(network),
        status,
        ...(status === 'pending' && { transactionDetails: toTransactionDetails(calls) }),
      })),
    })
  service().answers['owner.add'] = answer(encodeAddOwner({ account, owner: friend }))
  service().answers['owner.remove'] = answer(
    encodeRemoveOwner({ account, owner: friend, owners: [account, friend] }),
    endSessionsCall,
  )
  const { factory, singleton, module, entryPoint } = defaultDeployment
  service().answers['owner.recoveryKit'] = () => ({
    walletAddress: account,
    factory,
    singleton,
    module,
    entryPoint,
    saltNonce: '0',
    initializer: encodeInitializer(firstOwner),
    eoaAddress: firstOwner.address,
    networks: [],
  })
  service().answers['owner.list'] = () => ({ networks: [] })
  service().answers['ownership.status'] = () => ({ ...nothingSigned, networks: [] })
}
const nothingSigned = { split: false, ownersDiffer: false, changes: [] } as const

/** The account has the module on these networks, and the service takes what is signed. Returns what was signed. */
function withModule(enabled: readonly number[], change: OwnerChange) {
  const [network] = networks
  const module = network && knownModule(network)
  if (!module) throw new TypeError('no network')
  const fields = { ...encodeOwnerChange(change), sequence: '0' }
  const messageToSign = getOwnerChangeHash(change, { module, account, sequence: 0n })
  const status = (states?: Readonly<Record<number, object>>) => ({
    ...nothingSigned,
    module,
    networks: networks.map(({ chainId }) => ({
      network: chainId,
      status: 'up',
      enabled: enabled.includes(chainId),
      sequence: '0',
    })),
    ...(states && {
      changes: [
        {
          ...fields,
          signature: '0x',
          messageToSign,
          networks: enabled.map((chainId) => ({ network: chainId, ...states[chainId] })),
        },
      ],
    }),
  })
  service().answers['ownership.status'] = () => status()
  service().answers['owner.list'] = () => ({
    networks: networks.map(({ chainId }) => ({
      network: chainId,
      status: 'up',
      owners: [
        { address: friend, kind: 'eoa', label: 'Paper key' },
        { address: defaultDeployment.sharedSigner, kind: 'passkey', credentialId: 'AQID' },
      ],
    })),
  })
  service().answers['ownership.prepare'] = () => ({ module, ...fields, messageToSign })
  service().answers['webauthn.authenticateOptions'] = () => ({
    passkeyAuthenticationOptions: { challenge: 'AQID', allowCredentials: [] },
  })
  return {
    submits: (states: Readonly<Record<number, object>>) => {
      service().answers['ownership.submit'] = () => status(states)
    },
    arrives: (states: Readonly<Record<number, object>>) => {
      service().answers['ownership.status'] = () => status(states)
    },
  }
}
const requestedOf = (procedure: string) =>
  service()
    .requested.filter((one) => one.procedure === procedure)
    .map(({ input }) => input)
const rowOf = (name: string) => {
  const row = screen.getAllByRole('listitem').find((item) => within(item).queryByText(name))
  if (!row) throw new TypeError(`no row of ${name}`)
  return within(row)
}

describe('OwnerRun', () => {
  test('default: asks for one signature on each network, and prepares the next one automatically', async () => {
    fakePasskey()
    plan({ 1: 'pending', 2: 'pending' })
    service().answers['webauthn.transactionOptions'] = proposeOperation(account)
    service().answers['webauthn.transactionVerify'] = () => ({ success: true, txnHash })
    const { user, container } = renderWallet(<OwnerRun change={add} networks={networks} onClose={() => {}} />)
    await screen.findByText('0 of 2 networks done')
    await user.click(screen.getByRole('button', { name: 'Start with Net 1' }))
    await screen.findByText('Waiting for your signature')
    await expectNoBarriers(container)
    await user.click(screen.getByRole('button', { name: 'Sign with passkey' }))
    await screen.findByText('1 of 2 networks done')
    await screen.findByRole('button', { name: 'Sign with passkey' })
    expect(requestedOf('webauthn.transactionOptions').map(({ network }) => network)).toEqual([1, 2])
    await user.click(screen.getByRole('button', { name: 'Sign with passkey' }))
    await screen.findByText('This owner can act for your account on every network.')
    expect(screen.getByRole('button', { name: 'Done' })).toBeDefined()
  })

  test('behavior: asks the service to pay if the account cannot pay the fee', async () => {
    plan({ 1: 'pending', 2: 'done' })
    service().answers['webauthn.transactionOptions'] = (input) => {
      if (input.paymasterData !== 'sponsored') throw new ServiceFailure('INSUFFICIENT_FUNDS')
      return proposeOperation(account)(input)
    }
    const { user } = renderWallet(<OwnerRun change={add} networks={networks} onClose={() => {}} />)
    await user.click(await screen.findByRole('button', { name: 'Continue with Net 1' }))
    await screen.findByText('Paid by this service')
  })

  test('behavior: if no one pays, the account can be funded in place, and the step retried', async () => {
    plan({ 1: 'pending', 2: 'pending' })
    service().answers['webauthn.transactionOptions'] = ({ paymasterData }) => {
      if (paymasterData === 'sponsored') throw new ServiceFailure('PAYMASTER_REFUSED')
      throw new ServiceFailure('INSUFFICIENT_FUNDS', { required: '1', missing: '300000000000000' })
    }
    service().answers['wallet.faucet'] = () => ({ native: '1', token: '1', txnHashes: [] })
    const { user, container } = renderWallet(<OwnerRun change={add} networks={networks} onClose={() => {}} />)
    await user.click(await screen.findByRole('button', { name: 'Review on Net 2' }))
    const row = rowOf('Net 2')
    await row.findByText('Your account needs a network fee on Net 2.')
    row.getByText(/about 0.0003 more/)
    await expectNoBarriers(container)
    await user.click(row.getByRole('button', { name: 'Get test money on Net 2' }))
    await row.findByText('Test money arrived on Net 2.')
    service().answers['webauthn.transactionOptions'] = proposeOperation(account)
    await user.click(row.getByRole('button', { name: 'Try again on Net 2' }))
    await row.findByText('Waiting for your signature')
  })

  test('behavior: a removal shows where the owner can still sign, and continues there', async () => {
    plan({ 1: 'done', 2: 'pending' })
    const onClose = vi.fn()
    const { user } = renderWallet(<OwnerRun change={remove} networks={networks} onClose={onClose} />)
    await screen.findByText('This owner can still sign on Net 2.')
    screen.getByRole('button', { name: 'Continue with Net 2' })
    await user.click(screen.getByRole('button', { name: 'Finish later' }))
    expect(onClose).toHaveBeenCalledOnce()
  })

  /** The owners of both networks: `friend` is a named recovery address. */
  const owners = (chainIds: readonly number[]) => () => ({
    networks: [1, 2].map((network) => ({
      network,
      status: 'up',
      owners: [
        { address: account, kind: 'passkey', credentialId: 'phone' },
        ...(chainIds.includes(network) ? [{ address: friend, kind: 'eoa', label: 'Paper key' }] : []),
      ],
    })),
  })

  test('behavior: a removal names the owner and what is lost with it, also in the review', async () => {
    plan({ 1: 'pending', 2: 'pending' })
    service().answers['owner.list'] = owners([1, 2])
    service().answers['webauthn.transactionOptions'] = proposeOperation(account)
    const { user, container } = renderWallet(
      <OwnerRun change={remove} networks={networks} onClose={() => {}} />,
    )
    await screen.findByRole('heading', { name: 'Remove Paper key' })
    screen.getByText('This is the last recovery address.')
    await expectNoBarriers(container)
    await user.click(await screen.findByRole('button', { name: 'Start with Net 1' }))
    await screen.findByText('Paper key', { selector: 'strong' })
  })

  test('behavior: Home and Owners remind of a removal until it is finished', async () => {
    fakePasskey()
    plan({ 1: 'pending', 2: 'pending' })
    service().answers['webauthn.transactionOptions'] = proposeOperation(account)
    service().answers['webauthn.transactionVerify'] = () => ({ success: true, txnHash })
    const { user } = renderWallet(<OwnerRun change={remove} networks={networks} onClose={() => {}} />)
    await user.click(await screen.findByRole('button', { name: 'Start with Net 1' }))
    await user.click(await screen.findByRole('button', { name: 'Sign with passkey' }))
    await screen.findByText('1 of 2 networks done')
    cleanup()
    service().answers['owner.list'] = owners([2])
    const { container } = renderWallet(
      <>
        <ProtectionHint />
        <ProtectionScreen />
      </>,
    )
    await screen.findByText('Paper key is only partly removed.')
    await screen.findByText('This owner is only partly removed. It can still act on Net 2.')
    expect(screen.queryByRole('button', { name: 'Add it on the other networks' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Protect all networks' })).toBeNull()
    await expectNoBarriers(container)
    await user.click(screen.getByRole('button', { name: 'Keep this owner' }))
    await screen.findByRole('button', { name: 'Add it on the other networks' })
    expect(screen.queryByText('Paper key is only partly removed.')).toBeNull()
  })

  test('behavior: one signature changes all networks where the account has the module', async () => {
    fakePasskey()
    plan({ 1: 'pending', 2: 'pending' })
    const joint = withModule([1, 2], { kind: 'removeOwner', owner: { kind: 'eoa', address: friend } })
    joint.submits({ 1: { state: 'applied' }, 2: { state: 'pending' } })
    const { user, container } = renderWallet(
      <OwnerRun change={remove} networks={networks} onClose={() => {}} />,
    )
    await screen.findByText('You sign once, for all networks.')
    screen.getByText('All session keys end, also those that other owners granted.')
    expect(screen.queryByRole('button', { name: 'Review on Net 1' })).toBeNull()
    await expectNoBarriers(container)
    joint.arrives({ 1: { state: 'applied' }, 2: { state: 'applied' } })
    await user.click(screen.getByRole('button', { name: 'Sign with passkey' }))
    await screen.findByText('This owner cannot act for your account on any network.')
    expect(requestedOf('ownership.submit')).toHaveLength(1)
    expect(requestedOf('webauthn.transactionOptions')).toEqual([])
  })

  test('behavior: a network without the module is signed in the same list', async () => {
    fakePasskey()
    plan({ 1: 'pending', 2: 'pending' })
    const joint = withModule([1], { kind: 'addOwner', owner: { kind: 'eoa', address: friend } })
    joint.submits({ 1: { state: 'applied' } })
    service().answers['webauthn.transactionOptions'] = proposeOperation(account)
    const { user } = renderWallet(<OwnerRun change={add} networks={networks} onClose={() => {}} />)
    await screen.findByText(/^You sign once for Net 1\. On Net 2 your account cannot do that/)
    await user.click(screen.getByRole('button', { name: 'Sign with passkey' }))
    await screen.findByText('1 of 2 networks done')
    await user.click(screen.getByRole('button', { name: 'Continue with Net 2' }))
    await rowOf('Net 2').findByText('Waiting for your signature')
  })

  test('behavior: names a network that the owner left in another way, where sessions are open', async () => {
    plan({ 1: 'done', 2: 'pending' })
    service().answers['sessionKey.list'] = () => ({
      sessions: [1, 2].map((network) => ({
        network,
        keyId: '0x01',
        state: 'active',
        operationsLeft: 1,
        ...{
          validAfter: 0,
          validUntil: 1,
          maxOperations: 1,
          feePerOperation: '0',
          rules: [],
          allowances: [],
        },
      })),
    })
    renderWallet(<OwnerRun change={remove} networks={networks} onClose={() => {}} />)
    await screen.findByText('This owner is not on Net 1.')
    screen.getByRole('link', { name: 'See your session keys' })
    // The network stays named after the run, with what ends them.
    cleanup()
    renderWallet(<ProtectionScreen />)
    await screen.findByRole('button', { name: 'End all session keys on Net 1' })
    expect(screen.queryByRole('button', { name: 'End all session keys on Net 2' })).toBeNull()
  })

  test('behavior: where the service does not pay for the change, the account can', async () => {
    fakePasskey()
    plan({ 1: 'pending', 2: 'pending' })
    const joint = withModule([1, 2], { kind: 'addOwner', owner: { kind: 'eoa', address: friend } })
    joint.arrives({ 1: { state: 'applied' }, 2: { state: 'pending', reason: 'NOT_SPONSORED' } })
    service().answers['webauthn.transactionOptions'] = proposeOperation(account)
    const { user } = renderWallet(<OwnerRun change={add} networks={networks} onClose={() => {}} />)
    await screen.findByText('This service does not pay for it there')
    // It was signed before: a reload asks for no second signature.
    expect(screen.queryByRole('button', { name: 'Sign with passkey' })).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Review on Net 2' }))
    await rowOf('Net 2').findByText('Waiting for your signature')
  })

  test('behavior: on a network without the module, a new owner comes before the old one leaves', async () => {
    fakePasskey()
    plan({ 1: 'done', 2: 'pending' })
    const { 'owner.add': addition, 'owner.remove': removal } = service().answers
    let isAdded = false
    service().answers['owner.add'] = (input) =>
      isAdded ? { networks: [1, 2].map((network) => ({ network, status: 'done' })) } : addition?.(input)
    service().answers['owner.remove'] = (input) => {
      if (!isAdded) throw new ServiceFailure('LAST_OWNER')
      return removal?.(input)
    }
    service().answers['webauthn.transactionOptions'] = proposeOperation(account)
    service().answers['webauthn.transactionVerify'] = () => {
      isAdded = true
      return { success: true, txnHash }
    }
    const replace = { kind: 'replace', owner: friend, candidate: add.candidate } as const
    const { user } = renderWallet(<OwnerRun change={replace} networks={networks} onClose={() => {}} />)
    await screen.findByText('0 of 2 networks done')
    await user.click(screen.getByRole('button', { name: 'Start with Net 2' }))
    await user.click(await screen.findByRole('button', { name: 'Sign with passkey' }))
    await screen.findByText('1 of 2 networks done')
    await screen.findByRole('button', { name: 'Continue with Net 2' })
  })
})
