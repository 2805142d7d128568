// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { expectNoBarriers, renderWallet, withFakeService } from '../test/render-wallet.tsx'
import { App } from './app.tsx'
import { de } from './i18n/de.ts'
import { places } from './shell/layout.tsx'

withFakeService()

test('behavior: an address without a screen says so, and leads back', async () => {
  const { user } = renderWallet(<App />, { path: '/no/such/page' })
  await screen.findByRole('heading', { name: 'There is no such page' })
  screen.getByText('/no/such/page')
  await expectNoBarriers(screen.getByRole('main'))
  await user.click(screen.getByRole('link', { name: 'Go to Home' }))
  await screen.findByRole('region', { name: 'Total balance' })
})

test.each([
  ['/guardian', 'On this page, a guardian helps', '/recover'],
  ['/become-guardian', 'On this page, you answer a person', '/protection'],
])(
  'behavior: %s without a link says what it is for, and a damaged link is an error',
  async (path, text, other) => {
    const opened = renderWallet(<App />, { path })
    await screen.findByText(text, { exact: false })
    expect(screen.queryByRole('alert')).toBeNull()
    expect(screen.getAllByRole('link').map((link) => link.getAttribute('href'))).toContain(other)
    await expectNoBarriers(opened.container)
    opened.unmount()
    renderWallet(<App />, { path: `${path}#account=0x12` })
    await screen.findByText('This link cannot be used.')
  },
)

test.each(['/owners', '/guardians'])(
  'behavior: %s leads to the screen that has taken its place',
  async (path) => {
    renderWallet(<App />, { path })
    await screen.findByRole('heading', { name: 'Protection', level: 1 })
  },
)

test('behavior: the labels of the phone’s navigation fit 72 px in each language', () => {
  for (const { label } of places) {
    expect(label.length, label).toBeLessThanOrEqual(12)
    expect((de[label] ?? label).length, de[label]).toBeLessThanOrEqual(12)
  }
})
