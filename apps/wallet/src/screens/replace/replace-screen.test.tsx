// @vitest-environment happy-dom
import { act, screen } from '@testing-library/react'
import { Route, Routes } from 'react-router'
import { expect, test } from 'vitest'
import { proposeOperation } from '../../../test/propose-operation.ts'
import {
  account,
  expectNoBarriers,
  friend,
  renderWallet,
  withFakeService,
} from '../../../test/render-wallet.tsx'
import { PendingTray } from '../../shell/pending-tray.tsx'
import { trackedOperations } from '../../sign-in/tracked-operations.ts'
import { ReplaceScreen } from './replace-screen.tsx'

const { service } = withFakeService()
const userOpHash = `0x${'12'.repeat(32)}` as const

function renderPending(nonce = '0') {
  service().answers['webauthn.transactionOptions'] = proposeOperation(account)
  service().answers['smartAccount.status'] = () => ({ userOpHash, state: 'submitted', final: false })
  trackedOperations.add({
    userOpHash,
    summary: 'Send 0.25 ETH to Grandma on Net 1',
    signedAt: Date.now(),
    replaceable: {
      chainId: 1,
      nonce,
      maxFee: '500000000000000',
      calls: [{ to: friend, value: '250000000000000000', data: '0x' }],
    },
  })
  return renderWallet(
    <>
      <Routes>
        <Route path="replace/:userOpHash/:how" element={<ReplaceScreen />} />
        <Route path="*" element={null} />
      </Routes>
      <PendingTray />
    </>,
  )
}

test('behavior: a cancellation sends nothing, names what it cancels, and shows both fees', async () => {
  const { user, container } = renderPending()
  await user.click(screen.getByRole('link', { name: 'Cancel payment' }))
  await screen.findByText('This cancels: Send 0.25 ETH to Grandma on Net 1')
  screen.getByText('Network fee so far, at most')
  screen.getByText('0.0005 ETH')
  expect(screen.getAllByText('0.0007 ETH').length).toBeGreaterThan(0)
  const { input } =
    service().requested.find(({ procedure }) => procedure === 'webauthn.transactionOptions') ?? {}
  expect(input).toMatchObject({
    replaces: userOpHash,
    transactionDetails: [{ targetContractAddress: account, value: '0', encodedData: '0x' }],
  })
  await expectNoBarriers(container)
})

test('behavior: a payment that is sped up keeps its calls', async () => {
  const { user } = renderPending()
  await user.click(screen.getByRole('link', { name: 'Speed up' }))
  await screen.findByText('This takes the place of: Send 0.25 ETH to Grandma on Net 1')
  screen.getByText('0.25')
  await act(async () => trackedOperations.clear())
})

test('error: an operation with another nonce is not signed, since both could be included', async () => {
  const { user } = renderPending('7')
  await user.click(screen.getByRole('link', { name: 'Speed up' }))
  await screen.findByText('The service built a transaction that would not take the place of the first one.')
  expect(screen.queryByRole('button', { name: 'Sign with passkey' })).toBeNull()
})
