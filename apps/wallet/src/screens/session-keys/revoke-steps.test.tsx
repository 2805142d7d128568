// @vitest-environment happy-dom
import { encodeRevoke, sessionKeyId } from '@lanyard/session-keys'
import { screen } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { proposeOperation } from '../../../test/propose-operation.ts'
import {
  account,
  expectNoBarriers,
  firstOwner,
  friend,
  networks,
  renderWallet,
  sessionKeys,
  withFakeService,
} from '../../../test/render-wallet.tsx'
import { toTransactionDetails } from '../../passkey/verify-operation.ts'
import { toGrantedSession } from '../../session-keys/granted-session.ts'
import { hasSessionKeys } from '../../session-keys/use-sessions.ts'
import { RevokeSteps } from './revoke-steps.tsx'

const { service } = withFakeService()
const network = networks.filter(hasSessionKeys)[0]
if (!network) throw new TypeError('there are networks')

const session = toGrantedSession({
  network: 1,
  keyId: sessionKeyId(friend),
  state: 'active',
  validAfter: 1_000,
  validUntil: 2_000,
  maxOperations: 100,
  operationsLeft: 99,
  feePerOperation: '10000',
  allowances: [],
  rules: [],
  description: [],
})

const renderSteps = (calls = encodeRevoke({ account, sessionKeys, key: friend })) => {
  service().answers['sessionKey.disable'] = () => ({ transactionDetails: toTransactionDetails(calls) })
  service().answers['webauthn.transactionOptions'] = proposeOperation(account)
  const onClose = vi.fn()
  return { onClose, ...renderWallet(<RevokeSteps session={session} network={network} onClose={onClose} />) }
}
/** The calls shown for signing. */
const reviewed = () =>
  service().requested.findLast(({ procedure }) => procedure === 'webauthn.transactionOptions')?.input
    .transactionDetails

describe('RevokeSteps', () => {
  test('default: builds one call, which the review decodes from the bytes', async () => {
    const { user, container, onClose } = renderSteps()
    await screen.findByText('This key can do nothing after that.')
    expect(reviewed()).toEqual(toTransactionDetails(encodeRevoke({ account, sessionKeys, key: friend })))
    await expectNoBarriers(container)
    await user.click(screen.getByRole('button', { name: 'Back' }))
    await screen.findByRole('heading', { name: 'Revoke a session key on Net 1' })
    expect(screen.queryByRole('button', { name: 'Revoke only' })).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Back' }))
    expect(onClose).toHaveBeenCalled()
  })

  test('behavior: revoking the last key offers, but does not require, removing the contract', async () => {
    const whole = encodeRevoke({
      account,
      sessionKeys,
      key: friend,
      remove: { owners: [sessionKeys, firstOwner.address], modules: [sessionKeys] },
    })
    const { user, container } = renderSteps(whole)
    await screen.findByText('This key can do nothing after that.')
    expect(reviewed()).toEqual(toTransactionDetails(whole))
    await user.click(screen.getByRole('button', { name: 'Back' }))
    await screen.findByText(/It is the last one here/)
    screen.getByRole('button', { name: 'Revoke and remove the contract' })
    await user.click(screen.getByRole('button', { name: 'Revoke only' }))
    await screen.findByText('This key can do nothing after that.')
    expect(reviewed()).toEqual(toTransactionDetails(whole.slice(0, 1)))
    await expectNoBarriers(container)
  })

  test('error: a plan that ends another session is not shown for signing', async () => {
    const { container } = renderSteps(encodeRevoke({ account, sessionKeys, key: account }))
    await screen.findByText('The service built something other than what you asked for.')
    expect(screen.queryByRole('button', { name: 'Review' })).toBeNull()
    await expectNoBarriers(container)
  })
})
