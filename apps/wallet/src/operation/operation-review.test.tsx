// @vitest-environment happy-dom
import type { Call } from '@lanyard/accounts'
import { sessionKeysAbi, smartBalanceAbi } from '@lanyard/onchain'
import { screen, waitFor } from '@testing-library/react'
import {
  type Address,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  maxUint256,
  parseEther,
  zeroAddress,
} from 'viem'
import { describe, expect, test, vi } from 'vitest'
import { fakePasskey } from '../../test/fake-passkey.ts'
import { ServiceFailure } from '../../test/fake-service.ts'
import { proposeOperation } from '../../test/propose-operation.ts'
import {
  account,
  expectNoBarriers,
  friend,
  networks,
  renderWallet,
  usdcToken,
  withFakeService,
} from '../../test/render-wallet.tsx'
import { rememberRecipient } from '../recipients/known-recipients.ts'
import { PendingTray } from '../shell/pending-tray.tsx'
import { trackedOperations } from '../sign-in/tracked-operations.ts'
import { OperationReview } from './operation-review.tsx'
import { prepareOperation } from './prepare-operation.ts'

const { service } = withFakeService()
const txnHash = `0x${'ab'.repeat(32)}` as const
const payment: Call = { to: friend, value: parseEther('0.25'), data: '0x' }

async function renderReview(
  calls: readonly Call[] = [payment],
  names: ReadonlyMap<string, string> = new Map(),
) {
  const [network] = networks
  if (!network) throw new TypeError('there are networks')
  service().answers['webauthn.transactionOptions'] = proposeOperation(account)
  const session = { username: 'alice', account, token: 'token' }
  const prepared = await prepareOperation(session, network, calls, AbortSignal.timeout(60_000))
  const onBack = vi.fn()
  const review = <OperationReview prepared={prepared} names={names} onBack={onBack} next={<p>What next</p>} />
  return {
    onBack,
    prepared,
    ...renderWallet(
      <>
        {review}
        <PendingTray />
      </>,
    ),
  }
}
const sign = () => screen.getByRole('button', { name: 'Sign with passkey' })

describe('OperationReview', () => {
  test('default: shows payer, amount, recipient, remaining balance, and that it was recomputed here', async () => {
    rememberRecipient(account, { address: friend, contact: 'Grandma', paidAt: 1 })
    const { container } = await renderReview()
    screen.getByText('alice’s account')
    screen.getByText('0.25')
    screen.getByText(/^Recomputed on this device/)
    // 1 ETH minus 0.25, minus a fee of 0.0007.
    screen.getByText('0.7493 ETH')
    expect(screen.queryByText('First payment to this address.')).toBeNull()
    await expectNoBarriers(container)
  })

  test.each<[string, Call, string]>([
    ['a first payment', payment, 'First payment to this address.'],
    ['the zero address', { ...payment, to: zeroAddress }, 'Nobody owns this address.'],
    [
      'a token contract as recipient',
      { ...payment, to: usdcToken },
      'This is the address of a contract, not of a person.',
    ],
    [
      'an unlimited approval',
      {
        to: usdcToken,
        value: 0n,
        data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [friend, maxUint256] }),
      },
      'This allows spending without a limit.',
    ],
  ])('behavior: warns of %s', async (_, call, title) => {
    const { container } = await renderReview([call])
    screen.getByText(title)
    await expectNoBarriers(container)
  })

  test('behavior: signs, and follows the operation until it is included', async () => {
    fakePasskey()
    let include = () => {}
    service().answers['webauthn.transactionVerify'] = () =>
      new Promise((resolve) => {
        include = () => resolve({ success: true, txnHash })
      })
    service().answers['smartAccount.status'] = () => ({ state: 'submitted', final: false })
    const { user, container, prepared } = await renderReview()
    await user.click(sign())
    await screen.findByText(/so far, usually less than a minute on Net 1$/)
    screen.getByText(`${prepared.verified.userOpHash.slice(0, 10)}…${prepared.verified.userOpHash.slice(-8)}`)
    await expectNoBarriers(container)
    include()
    await screen.findByRole('heading', { name: 'Done' })
    screen.getByText('What next')
    expect(document.activeElement?.textContent).toBe('Done')
    await expectNoBarriers(container)
  })

  test('behavior: the result names a contact beside its address', async () => {
    fakePasskey()
    service().answers['webauthn.transactionVerify'] = () => ({ success: true, txnHash })
    const { user } = await renderReview([payment], new Map([[friend.toLowerCase(), 'Grandma']]))
    await user.click(sign())
    await screen.findByText('Sent 0.25 ETH to Grandma (0x7099…79C8) on Net 1.')
  })

  test('behavior: a closed prompt changes nothing', async () => {
    fakePasskey({ agrees: false })
    const { user, onBack } = await renderReview()
    await user.click(sign())
    await screen.findByText('The passkey prompt was closed or timed out.')
    await waitFor(() => expect(document.activeElement).toBe(sign()))
    await user.click(screen.getByRole('button', { name: 'Back' }))
    await waitFor(() => expect(onBack).toHaveBeenCalled())
  })

  /** Pays, so that this browser remembers it, and leaves. */
  async function pay(value: bigint) {
    service().answers['webauthn.transactionVerify'] = () => ({ success: true, txnHash })
    const { user, unmount } = await renderReview([{ ...payment, value }])
    await user.click(sign())
    await screen.findByRole('heading', { name: 'Done' })
    unmount()
  }

  test('behavior: more than three times the usual amount is sent only with an extra consent', async () => {
    fakePasskey()
    await pay(parseEther('0.05'))
    const { user, container } = await renderReview([{ ...payment, value: parseEther('0.16') }])
    screen.getByText('This is much more than you usually send.')
    screen.getByText(/is 0\.05 ETH\.$/)
    const sent = () =>
      service().requested.filter(({ procedure }) => procedure === 'webauthn.transactionVerify')
    await user.click(sign())
    screen.getByText('Confirm the amount first.')
    await expectNoBarriers(container)
    expect(sent()).toHaveLength(1)
    await user.click(screen.getByLabelText('I want to send 0.16 ETH.'))
    await user.click(sign())
    await screen.findByRole('heading', { name: 'Done' })
    expect(sent()).toHaveLength(2)
  })

  test.each([
    ['three times as much', '0.05', [{ ...payment, value: parseEther('0.15') }]],
    ['what goes to the own account', '0.05', [{ ...payment, to: account, value: parseEther('0.9') }]],
  ])('behavior: %s is usual', async (_, before, calls) => {
    fakePasskey()
    await pay(parseEther(before))
    await renderReview(calls)
    sign()
    expect(screen.queryByText('This is much more than you usually send.')).toBeNull()
  })

  const usdc = (to: Address, amount: bigint): Call => ({
    to: usdcToken,
    value: 0n,
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] }),
  })
  const transferFrom: Call = {
    to: usdcToken,
    value: 0n,
    data: encodeFunctionData({
      abi: erc20Abi,
      functionName: 'transferFrom',
      args: [account, friend, 90_000_000n],
    }),
  }
  /** A call of the combined balance's contract. */
  const ofSmartBalance = (data: Hex): Call => {
    const to = networks[0]?.smartBalance?.address
    if (!to) throw new TypeError('the network has a combined balance')
    return { to, value: 0n, data }
  }
  const depositFor = (beneficiary: Address) =>
    ofSmartBalance(
      encodeFunctionData({
        abi: smartBalanceAbi,
        functionName: 'depositFor',
        args: [beneficiary, 90_000_000n],
      }),
    )
  const inSession = (call: Call): Call => {
    const to = networks[0]?.sessionKeys
    if (!to) throw new TypeError('the network has session keys')
    const data = encodeFunctionData({
      abi: sessionKeysAbi,
      functionName: 'execute',
      args: [`0x${'01'.repeat(32)}`, [call]],
    })
    return { to, value: 0n, data }
  }

  test.each([
    ['coins with data', '0.9 ETH', { ...payment, value: parseEther('0.9'), data: '0x00' as const }],
    ['a small part of a large balance', '0.09 ETH', { ...payment, value: parseEther('0.09') }],
    ['transferFrom of the own tokens', '90 USDC', transferFrom],
    [
      'a selector in capitals',
      '90 USDC',
      { ...transferFrom, data: `0x${transferFrom.data.slice(2).toUpperCase()}` as Hex },
    ],
    ['a deposit for another', '90 USDC', depositFor(friend)],
    ['a call in a session', '90 USDC', inSession(transferFrom)],
  ])('attack: %s needs the consent, too', async (_, amount, call) => {
    fakePasskey()
    service().answers['webauthn.transactionVerify'] = () => ({ success: true, txnHash })
    const { user, unmount } = await renderReview([
      { ...payment, value: parseEther('0.01') },
      usdc(friend, 1_000_000n),
    ])
    await user.click(sign())
    await screen.findByRole('heading', { name: 'Done' })
    unmount()
    await renderReview([call])
    screen.getByText('This is much more than you usually send.')
    screen.getByLabelText(`I want to send ${amount}.`)
  })

  test('attack: the consent names each unusual currency', async () => {
    fakePasskey()
    service().answers['webauthn.transactionVerify'] = () => ({ success: true, txnHash })
    const { user, unmount } = await renderReview([
      { ...payment, value: parseEther('0.01') },
      usdc(friend, 1_000_000n),
    ])
    await user.click(sign())
    await screen.findByRole('heading', { name: 'Done' })
    unmount()
    await renderReview([{ ...payment, value: parseEther('0.5') }, usdc(friend, 20_000_000n)])
    screen.getByText(/is 0\.01 ETH and 1 USDC\.$/)
    screen.getByLabelText('I want to send 0.5 ETH and 20 USDC.')
  })

  const finalizeExit = (to: Address) =>
    ofSmartBalance(encodeFunctionData({ abi: smartBalanceAbi, functionName: 'finalizeExit', args: [to] }))

  test('attack: an exit to another address needs the consent also without a payment before', async () => {
    fakePasskey()
    service().answers['webauthn.transactionVerify'] = () => ({ success: true, txnHash })
    const { user, container } = await renderReview([finalizeExit(friend)])
    screen.getByText('The transaction does not say how much it sends.')
    await user.click(sign())
    screen.getByText('Confirm the amount first.')
    await expectNoBarriers(container)
    await user.click(screen.getByLabelText('I want to send everything that leaves the combined balance.'))
    await user.click(sign())
    await screen.findByRole('heading', { name: 'Done' })
  })

  test.each([
    ['an exit', finalizeExit(account)],
    ['a deposit', depositFor(account)],
  ])('behavior: %s of the account to itself needs no consent', async (_, call) => {
    fakePasskey()
    service().answers['webauthn.transactionVerify'] = () => ({ success: true, txnHash })
    const { user, unmount } = await renderReview([usdc(friend, 1_000_000n)])
    await user.click(sign())
    await screen.findByRole('heading', { name: 'Done' })
    unmount()
    await renderReview([call])
    sign()
    expect(screen.queryByRole('checkbox')).toBeNull()
  })

  test('behavior: payments of one operation count together', async () => {
    fakePasskey()
    await pay(parseEther('0.05'))
    await renderReview([1, 2].map(() => ({ ...payment, value: parseEther('0.08') })))
    screen.getByText('This is much more than you usually send.')
  })

  test('error: an outdated operation must be reviewed again', async () => {
    fakePasskey()
    service().answers['webauthn.transactionVerify'] = () => {
      throw new ServiceFailure('REBUILD')
    }
    const { user } = await renderReview()
    await user.click(sign())
    await screen.findByText('This transaction is out of date.')
    screen.getByRole('button', { name: 'Review again' })
  })
})

describe('PendingTray', () => {
  test('behavior: does not call a signature lost while its request can still arrive', async () => {
    service().answers['smartAccount.status'] = () => {
      throw new ServiceFailure('UNKNOWN_OPERATION')
    }
    const lost = 'The service has not received your signature'
    const operation = { userOpHash: txnHash, summary: 'Send 1 ETH', signedAt: Date.now() }
    trackedOperations.add(operation)
    const { user, queryClient } = renderWallet(<PendingTray />)
    const ask = () => queryClient.refetchQueries({ queryKey: ['operation', txnHash] })
    for (let count = 0; count < 6; count++) await ask()
    screen.getByText('Pending')
    expect(screen.queryByText(lost)).toBeNull()
    // A request ends after half a minute.
    trackedOperations.add({ ...operation, signedAt: Date.now() - 31_000 })
    await screen.findByText(lost)
    await user.click(screen.getByRole('button', { name: 'Hide' }))
  })

  test('behavior: after leaving the review, says that a payment is paid once it is included', async () => {
    fakePasskey()
    let status = { state: 'submitted', final: false, success: true }
    service().answers['smartAccount.status'] = () => status
    service().answers['webauthn.transactionVerify'] = () => {
      throw new ServiceFailure('INCLUSION_TIMEOUT')
    }
    const { user, rerender, prepared } = await renderReview()
    await user.click(sign())
    await screen.findByText(/^Still pending/)
    // Simulates leaving the review for another screen.
    const { tray } = { tray: renderWallet(<PendingTray />) }
    rerender(<p>Elsewhere</p>)
    await tray.findByText('Send 0.25 ETH to 0x7099…79C8 on Net 1')
    tray.getByText(/so far$/)
    status = { ...status, state: 'included' }
    await tray.findByText('Paid')
    tray.getByText('Sent 0.25 ETH to 0x7099…79C8 on Net 1')
    await expectNoBarriers(tray.container)
    expect(prepared.verified.userOpHash).toMatch(/^0x/)
  })
})
