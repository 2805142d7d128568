// @vitest-environment happy-dom
import { sessionKeyId } from '@lanyard/session-keys'
import { screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import {
  account,
  expectNoBarriers,
  friend,
  networks,
  renderWallet,
  withFakeService,
} from '../../../test/render-wallet.tsx'
import { forgetRequest, rememberApp, rememberDraft } from '../../session-keys/known-apps.ts'
import { emptySessionDraft } from '../../session-keys/session-draft.ts'
import { EndedKeys } from './ended-keys.tsx'

withFakeService()

const keyId = sessionKeyId(friend)
const app = { name: 'Chess', origin: 'https://chess.example' }
const request = {
  v: 1,
  ...app,
  network: 1,
  key: friend,
  duration: 86_400,
  permissions: [{ type: 'gas-fee-allowance', allowance: '1' }],
}
const fragment = `#request=${btoa(JSON.stringify(request)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}`
const ago = (seconds: number) => Math.floor(Date.now() / 1_000) - seconds
const remember = (grantedAt: number) => rememberApp(account, 1, keyId, app, { fragment, grantedAt })
const none = { sessions: [], unavailable: [] }
const renew = vi.fn()
const render = (granted: Parameters<typeof EndedKeys>[0]['granted'] = none) =>
  renderWallet(<EndedKeys granted={granted} networks={networks} onRenew={renew} />)
const heading = () => screen.queryByRole('heading', { name: 'Ended before their time' })

test('default: an app whose key ended can be renewed by its own request, or forgotten', async () => {
  remember(ago(3_600))
  const { user, container } = render()
  const link = screen.getByRole('link', { name: 'Renew Chess on Net 1' })
  expect(link.getAttribute('href')).toBe(`/sessions/request${fragment}`)
  await expectNoBarriers(container)
  await user.click(screen.getByRole('button', { name: 'Forget Chess on Net 1' }))
  expect(heading()).toBeNull()
})

test('behavior: a key that was granted by hand opens its form again, or is forgotten', async () => {
  const draft = { ...emptySessionDraft, key: friend, fees: '0.3' }
  rememberDraft(account, 1, keyId, draft, ago(3_600))
  const { user, container } = render()
  await expectNoBarriers(container)
  await user.click(screen.getByRole('button', { name: 'Renew the key granted by hand on Net 1' }))
  expect(renew).toHaveBeenCalledExactlyOnceWith({ ...draft, chainId: 1 })
  await user.click(screen.getByRole('button', { name: 'Forget the key granted by hand on Net 1' }))
  expect(heading()).toBeNull()
  expect(localStorage.length).toBe(0)
})

test('behavior: a key that was granted by hand is not offered once its time is over', () => {
  rememberDraft(account, 1, keyId, { ...emptySessionDraft, key: friend }, ago(86_401))
  render()
  expect(heading()).toBeNull()
})

test.for([
  ['under way', ago(60), none],
  ['over by now', ago(86_401), none],
  ['on a network that does not answer', ago(3_600), { sessions: [], unavailable: [1] }],
  ['still there', ago(3_600), { sessions: [{ chainId: 1, keyId }], unavailable: [] }],
] as const)('behavior: nothing is offered for a key that is %s', ([, grantedAt, granted]) => {
  remember(grantedAt)
  render(granted as never) // of a session, only what names it counts
  expect(heading()).toBeNull()
})

test('behavior: one that the person revoked is not offered', () => {
  remember(ago(3_600))
  forgetRequest(account, 1, keyId)
  render()
  expect(heading()).toBeNull()
})
