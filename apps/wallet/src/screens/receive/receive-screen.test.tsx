// @vitest-environment happy-dom
import { QrCode } from '@lanyard/ui'
import { screen } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import {
  account,
  expectNoBarriers,
  networks,
  renderWallet,
  usdcToken,
  withFakeService,
} from '../../../test/render-wallet.tsx'
import { paymentUri } from '../../recipients/payment-uri.ts'
import { ReceiveScreen } from './receive-screen.tsx'

withFakeService()
const usdc = networks[1]?.currencies[1]
if (!usdc) throw new TypeError('there is a token')

const amount = () => screen.getByLabelText<HTMLInputElement>('Amount')
/** The SVG path of a QR code for this text. */
const drawingOf = (text: string) => {
  const { container, unmount } = renderWallet(<QrCode text={text} label="expected" />)
  const path = container.querySelector('path')?.getAttribute('d')
  unmount()
  return path
}
const drawn = (label: string) =>
  screen.getByRole('img', { name: label }).querySelector('path')?.getAttribute('d')

describe('ReceiveScreen', () => {
  test('default: shows the full address, as text and as a QR code', async () => {
    const { container } = renderWallet(<ReceiveScreen />)
    expect(container.textContent).toContain(account)
    expect(drawn('QR code of your address')).toBe(drawingOf(account))
    await expectNoBarriers(container)
  })

  test('behavior: requests an amount of a token on a network, and keeps it on reload', async () => {
    const uri = paymentUri({ to: account, chainId: 2, currency: usdc, amount: 12_500_000n })
    expect(uri).toBe(`ethereum:${usdcToken}@2/transfer?address=${account}&uint256=12500000`)
    const { user, container, unmount } = renderWallet(<ReceiveScreen />)
    await user.click(screen.getByText('Request an amount'))
    await user.selectOptions(screen.getByLabelText('Network'), 'Net 2')
    await user.selectOptions(screen.getByLabelText('Currency'), 'USDC')
    await user.type(amount(), '12.5')
    expect(drawn('QR code of your request')).toBe(drawingOf(uri))
    screen.getByText(`${location.origin}/send?request=${encodeURIComponent(uri)}`)
    screen.getByRole('button', { name: 'Copy the link of your request' })
    await expectNoBarriers(container)
    unmount()
    const again = renderWallet(<ReceiveScreen />)
    expect(drawn('QR code of your request')).toBe(drawingOf(uri))
    // Settings that change the code are not hidden.
    expect(again.container.querySelector('details')?.open).toBe(true)
    expect(amount().value).toBe('12.5')
  })

  test('behavior: another network starts with its own currency, and an empty amount is not a request', async () => {
    const { user } = renderWallet(<ReceiveScreen />)
    await user.click(screen.getByText('Request an amount'))
    await user.selectOptions(screen.getByLabelText('Currency'), 'USDC')
    await user.selectOptions(screen.getByLabelText('Network'), 'Net 2')
    expect(screen.getByLabelText<HTMLSelectElement>('Currency').value).toBe('0')
    await user.type(amount(), '0')
    screen.getByRole('img', { name: 'QR code of your address' })
  })

  test('error: for an invalid number, the code still shows the address', async () => {
    const { user, container } = renderWallet(<ReceiveScreen />)
    await user.click(screen.getByText('Request an amount'))
    await user.type(amount(), '1,000.5')
    await screen.findByText('Leave out thousands separators.')
    expect(drawn('QR code of your address')).toBe(drawingOf(account))
    await expectNoBarriers(container)
  })
})
