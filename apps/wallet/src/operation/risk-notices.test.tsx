// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { renderWallet } from '../../test/render-wallet.tsx'
import { RiskNotices } from './risk-notices.tsx'

test('behavior: a batch repeats no warning, and begins with the worst', () => {
  const payment = { kind: 'first-payment', level: 'note' } as const
  const { container } = renderWallet(
    <RiskNotices risks={[payment, payment, { kind: 'unlimited-approval', level: 'high' }]} />,
  )
  const titles = [...container.querySelectorAll('p.font-medium')].map(({ textContent }) => textContent)
  expect(titles).toEqual(['This allows spending without a limit.', 'First payment to this address.'])
})
