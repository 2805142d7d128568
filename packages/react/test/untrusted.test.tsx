// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, configure, fireEvent, render, screen, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { Activity, Guardians } from '../src/account.ts'
import { Balance, ConnectButton, LanyardProvider, Pay } from '../src/index.ts'
import { canned, signInAs } from './canned-answers.ts'
import { type FakeService, startFakeService } from './fake-service.ts'

/* What an attacker found: services that lie, pages that change under a payment, people who take turns. */

const account = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const hash = (digit: string) => `0x${digit.repeat(64)}`

// Limits how long a test can hang.
configure({ asyncUtilTimeout: 180_000 })

let service: FakeService
beforeAll(async () => {
  service = await startFakeService()
})
afterAll(() => service[Symbol.asyncDispose]())
beforeEach(() => {
  localStorage.clear()
  for (const path of Object.keys(service.answers)) delete service.answers[path]
  service.requested.length = 0
  Object.assign(service.answers, canned)
  vi.stubGlobal('PublicKeyCredential', class {})
})
afterEach(() => {
  cleanup()
  document.documentElement.lang = ''
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const wrap = (element: ReactNode) => (
  <LanyardProvider service={service.url} network={31_337}>
    {element}
  </LanyardProvider>
)
const show = (element: ReactNode) => render(wrap(element))
const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }))
const answerOf = (path: string) => structuredClone(canned[path]?.({}, {})) as Record<string, never>

/** An intent that this browser has sent, and that is included: 1 ETH to `account`. */
async function payOnce(intent: string) {
  signInAs('ken', service.url)
  service.answers['/smart-account/transaction/status'] = (_body, { userOpHash }) => ({
    ...{ userOpHash, network: '31337', state: 'included', final: true, success: true, txnHash: hash('f') },
  })
  const { keccak256, stringToBytes } = await import('viem')
  const details = [{ targetContractAddress: account, value: String(10n ** 18n), encodedData: '0x' }]
  const calls = keccak256(stringToBytes(JSON.stringify(details)))
  const sent = {
    userOpHash: hash('1'),
    account,
    network: 31_337,
    key: intent,
    signedAt: 1,
    ended: true,
    calls,
  }
  localStorage.setItem(`lanyard.react.operations.${service.url}`, JSON.stringify([sent]))
}

describe('Pay', () => {
  test('behavior: an intent that was paid is not paid again', async () => {
    await payOnce('a')
    show(<Pay to={account} amount="1" intent="a" />)
    press('Pay 1 ETH')
    expect(await screen.findByText('Paid · 1 ETH')).toBeTruthy()
    expect(service.requested.filter((path) => path.includes('generate-options'))).toEqual([])
  })

  test('error: KEY_REUSED for another amount under the number of a paid intent', async () => {
    vi.spyOn(console, 'error').mockReturnValue()
    await payOnce('a')
    const onPaid = vi.fn()
    show(<Pay to={account} amount="5000" intent="a" onPaid={onPaid} />)
    press('Pay 5000 ETH')
    expect(await screen.findByText('Something else was paid under this number.')).toBeTruthy()
    expect(document.body.textContent).not.toContain('Paid ·')
    expect(onPaid).not.toHaveBeenCalled()
  })

  test('behavior: the next payment in the same place is not paid yet', async () => {
    await payOnce('a')
    const { rerender } = show(<Pay to={account} amount="1" intent="a" />)
    press('Pay 1 ETH')
    await screen.findByText('Paid · 1 ETH')
    rerender(wrap(<Pay to={account} amount="7" intent="b" />))
    expect(screen.getByRole('button', { name: 'Pay 7 ETH' })).toBeTruthy()
  })

  test('behavior: what one person paid is not said to the next', async () => {
    await payOnce('a')
    show(
      <>
        <Pay to={account} amount="1" intent="a" />
        <ConnectButton />
      </>,
    )
    press('Pay 1 ETH')
    await screen.findByText('Paid · 1 ETH')
    press('Account of ken')
    press('Sign out')
    expect(screen.getByRole('button', { name: 'Pay 1 ETH' })).toBeTruthy()
  })

  test.each(['javascript:alert(1)//', 'data:text/html,x', 'http://['])(
    'behavior: a receipt does not link to %s',
    async (explorerUrl) => {
      const { networks } = answerOf('/networks') as unknown as { networks: object[] }
      service.answers['/networks'] = () => ({ networks: networks.map((one) => ({ ...one, explorerUrl })) })
      await payOnce('a')
      show(<Pay to={account} amount="1" intent="a" />)
      press('Pay 1 ETH')
      await screen.findByText('Paid · 1 ETH')
      await waitFor(() => expect(service.requested).toContain('/networks'))
      expect(document.querySelector('a')).toBeNull()
    },
  )
})

test.each([
  ['ConnectButton', <ConnectButton key="1" />, 'Sign in'],
  ['Pay', <Pay key="1" to={account} amount="1" />, 'Pay 1 ETH'],
])(
  'behavior: the dialog of %s does not return after another tab signed in and out',
  async (_name, one, opener) => {
    show(one)
    press(opener)
    expect(screen.getByRole('dialog')).toBeTruthy()
    const tell = () =>
      window.dispatchEvent(new StorageEvent('storage', { key: `lanyard.react.accounts.${service.url}` }))
    signInAs('ken', service.url)
    tell()
    await waitFor(() => expect(document.querySelector('dialog')).toBeNull())
    localStorage.clear()
    tell()
    await waitFor(() => expect(screen.getByRole('button', { name: opener })).toBeTruthy())
    expect(document.querySelector('dialog')).toBeNull()
  },
)

describe('what a service says does not end the app', () => {
  test.each(['http://[', 'https://a b/', '//'])('behavior: with the logo %s', async (logo) => {
    service.answers['/brand'] = () => ({ name: 'X', logo })
    show(<ConnectButton />)
    press('Sign in')
    expect(await screen.findByText('Sign in to X')).toBeTruthy()
  })

  test.each([-1, 1.5, 4e8])('behavior: with %d decimals of its token', async (decimals) => {
    const { networks } = answerOf('/networks') as unknown as { networks: { settlementToken: object }[] }
    service.answers['/networks'] = () => ({
      networks: networks.map((one) => ({ ...one, settlementToken: { ...one.settlementToken, decimals } })),
    })
    signInAs('ken', service.url)
    show(<Activity />)
    await screen.findAllByText('To 0x3C44…93BC')
    expect(document.body.textContent).not.toContain('USDC')
  })

  test.each([
    ['value', { encodedData: '0x', targetContractAddress: account, value: 'NaN' }],
    ['address', { encodedData: '0x', targetContractAddress: '0x1', value: '1' }],
  ])('behavior: one entry with a bad %s does not hide the others', async (_name, call) => {
    const { activity } = answerOf('/wallet/activity') as unknown as { activity: object[] }
    service.answers['/wallet/activity'] = () => ({
      activity: [...activity, { ...activity[0], userOpHash: hash('9'), calls: [call] }],
    })
    signInAs('ken', service.url)
    show(<Activity />)
    expect(await screen.findAllByText('To 0x3C44…93BC')).toHaveLength(3)
  })
})

test.each(['en_US', 'de_DE', 'x'])('behavior: a page whose language is %s shows amounts', async (lang) => {
  document.documentElement.lang = lang
  signInAs('ken', service.url)
  show(<Balance />)
  await waitFor(() => expect(document.body.textContent).toMatch(/1[.,]23/))
})

describe('Guardians', () => {
  const guardians = () =>
    answerOf('/smart-account/guardians') as unknown as {
      networks: { current: unknown }[]
      guardians: { networks: { network: number }[] }[]
    }

  test('behavior: nobody can sign on networks that did not answer', async () => {
    const all = guardians()
    for (const one of all.guardians)
      one.networks = one.networks.map(({ network }) => ({ network, status: 'down' }))
    service.answers['/smart-account/guardians'] = () => all
    signInAs('ken', service.url)
    show(<Guardians />)
    expect(await screen.findAllByText('Local 1, Local 2 did not answer.')).toHaveLength(2)
    expect(document.body.textContent).not.toContain('can sign')
  })

  test('behavior: no sentence holds for all networks if one has no guardians', async () => {
    const all = guardians()
    delete all.networks[1]?.current
    service.answers['/smart-account/guardians'] = () => all
    signInAs('ken', service.url)
    show(<Guardians />)
    await screen.findByText('mara')
    expect(document.body.textContent).not.toContain('Together')
  })
})

test('behavior: what belongs to an account leaves the memory when it signs out', async () => {
  signInAs('ken', service.url)
  const client = new QueryClient()
  render(
    <QueryClientProvider client={client}>
      {wrap(
        <>
          <Activity />
          <Guardians />
          <ConnectButton />
        </>,
      )}
    </QueryClientProvider>,
  )
  await screen.findAllByText('To 0x3C44…93BC')
  press('Account of ken')
  press('Sign out')
  const left = client
    .getQueryCache()
    .getAll()
    .filter(({ state }) => state.data !== undefined)
  expect(
    left.map(({ queryKey }) => queryKey[2]).filter((what) => /activity|owners|guardians/.test(String(what))),
  ).toEqual([])
})
