// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { lazy, Suspense } from 'react'
import { describe, expect, test, vi } from 'vitest'
import { renderWallet, withFakeService } from '../../test/render-wallet.tsx'
import { LoadFailure } from './load-failure.tsx'

describe('LoadFailure', () => {
  withFakeService()

  test('behavior: offers to reload a screen whose file is missing after an upgrade', async () => {
    // React logs the errors that it catches.
    const report = vi.spyOn(console, 'error').mockImplementation(() => {})
    const Gone = lazy(() => Promise.reject(new TypeError('Failed to fetch dynamically imported module')))
    renderWallet(
      <LoadFailure>
        <Suspense fallback="Loading">
          <Gone />
        </Suspense>
      </LoadFailure>,
    )
    await screen.findByText('This page could not be loaded.')
    expect(screen.getByRole('button', { name: 'Reload' })).toBeDefined()
    report.mockRestore()
  })
})
