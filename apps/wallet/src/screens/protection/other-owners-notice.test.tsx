// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderWallet, withFakeService } from '../../../test/render-wallet.tsx'
import { OtherOwnersNotice } from './other-owners-notice.tsx'

withFakeService()

test.each([
  [{ split: true, ownersDiffer: true }, /^They took different changes/],
  [{ split: false, ownersDiffer: true }, /^One network refused an owner/],
])('behavior: %j', (status, text) => {
  renderWallet(<OtherOwnersNotice status={status} />)
  expect(screen.getByText('Your networks have different owners.')).toBeDefined()
  expect(screen.getByText(text)).toBeDefined()
})

test('behavior: says nothing while networks agree, or nothing is known', () => {
  for (const status of [{ split: false, ownersDiffer: false }, undefined]) {
    const { container, unmount } = renderWallet(<OtherOwnersNotice status={status} />)
    expect(container.textContent).not.toContain('different owners')
    unmount()
  }
})
