// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { parseEther } from 'viem'
import { expect, test, vi } from 'vitest'
import { fakePasskey } from '../../test/fake-passkey.ts'
import { proposeOperation } from '../../test/propose-operation.ts'
import {
  account,
  expectNoBarriers,
  friend,
  networks,
  renderWallet,
  withFakeService,
} from '../../test/render-wallet.tsx'
import { RequestScreen } from './request-screen.tsx'

const { service } = withFakeService()

/** A page asks for a payment. */
function renderRequest(value: bigint) {
  const [network] = networks
  if (!network) throw new TypeError('there are networks')
  service().answers['webauthn.transactionOptions'] = proposeOperation(account)
  service().answers['webauthn.transactionVerify'] = () => ({ success: true, txnHash: `0x${'ab'.repeat(32)}` })
  const onDone = vi.fn()
  const rendered = renderWallet(
    <RequestScreen
      origin="https://shop.example"
      account={{ account, username: 'alice' }}
      requested={{ kind: 'calls', network, calls: [{ to: friend, value, data: '0x' }] }}
      networks={networks}
      onDone={onDone}
      onDecline={() => {}}
    />,
  )
  return { ...rendered, onDone }
}

/** The button accepts a press once the window was in front for a moment. */
async function sign({ user }: ReturnType<typeof renderRequest>) {
  const button = await screen.findByRole('button', { name: 'Sign with passkey' })
  await vi.waitFor(() => expect(button.getAttribute('aria-disabled')).toBe('false'), { timeout: 60_000 })
  await user.click(button)
}

test('behavior: a page gets an unusual amount only with an extra consent', async () => {
  vi.spyOn(document, 'hasFocus').mockReturnValue(true)
  fakePasskey()
  const usual = renderRequest(parseEther('0.05'))
  await sign(usual)
  await vi.waitFor(() => expect(usual.onDone).toHaveBeenCalledOnce())
  usual.unmount()

  const unusual = renderRequest(parseEther('0.16'))
  await sign(unusual)
  await screen.findByText('Confirm the amount first.')
  screen.getByText('This is much more than you usually send.')
  await expectNoBarriers(unusual.container)
  const signed = () =>
    service().requested.filter(({ procedure }) => procedure === 'webauthn.transactionVerify')
  expect(signed()).toHaveLength(1)
  expect(unusual.onDone).not.toHaveBeenCalled()

  await unusual.user.click(screen.getByLabelText('I want to send 0.16 ETH.'))
  await sign(unusual)
  await vi.waitFor(() => expect(unusual.onDone).toHaveBeenCalledOnce())
  expect(signed()).toHaveLength(2)
})
