// @vitest-environment happy-dom
import { cleanup, configure, fireEvent, render, screen, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { Activity, Guardians, Receive } from '../src/account.ts'
import { german } from '../src/german.ts'
import {
  Balance,
  ConnectButton,
  errorText,
  LanyardProvider,
  Pay,
  SendButton,
  SignIn,
  type Texts,
} from '../src/index.ts'
import { KeepAddressButton } from '../src/keep-address.ts'
import { english } from '../src/texts.ts'
import { canned, signInAs } from './canned-answers.ts'
import { type FakeService, startFakeService } from './fake-service.ts'

const account = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

// Limits how long a test can hang. Within the library's own second, a busy machine may not have answered yet.
configure({ asyncUtilTimeout: 180_000 })

let service: FakeService
beforeAll(async () => {
  service = await startFakeService()
})
afterAll(() => service[Symbol.asyncDispose]())
beforeEach(() => {
  localStorage.clear()
  for (const path of Object.keys(service.answers)) delete service.answers[path]
  vi.stubGlobal('PublicKeyCredential', class {})
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const show = (element: ReactNode, texts?: Texts) =>
  render(
    <LanyardProvider service={service.url} network={31_337} {...(texts && { texts })}>
      {element}
    </LanyardProvider>,
  )

const signedIn = () => {
  signInAs('ken', service.url)
  Object.assign(service.answers, canned)
}

describe('signing in', () => {
  test('behavior: SignIn says a problem in words for people, not for developers', async () => {
    show(<SignIn texts={{ create: 'Konto anlegen' }} />)
    fireEvent.change(screen.getByLabelText('Your name'), { target: { value: 'ken' } })
    fireEvent.click(screen.getByRole('button', { name: 'Konto anlegen' }))
    await waitFor(() => expect(screen.getByRole('alert').textContent).not.toBe(''))
    expect(screen.getByRole('alert').textContent).not.toMatch(/createAccount|signIn|undefined/)
  })

  test('behavior: a missing key is a mistake of the developer, who reads it in the console', async () => {
    const log = vi.spyOn(console, 'error').mockReturnValue()
    service.answers['/v3/webauthn/discover/generate-options'] = () => ({
      status: 401,
      code: 'UNAUTHORIZED',
      message: 'A valid API key is required.',
      missing: 'apiKey',
    })
    show(<SignIn />)
    fireEvent.click(screen.getByRole('button', { name: 'Continue with a passkey' }))
    await waitFor(() =>
      expect(screen.getByRole('alert').textContent).toMatch(/^Accounts do not work on this page yet/),
    )
    await waitFor(() => expect(log.mock.calls.join()).toMatch(/publishableKey.*--kind publishable/))
  })

  test('behavior: a name says whether it is free while it is typed', async () => {
    service.answers['/api/user/check-username'] = (_body, { username }) => ({
      value: username === 'ken',
      message:
        username === 'eve' ? 'This username does not exist, and is unavailable. It looks like "eva".' : '',
    })
    show(<SignIn />)
    const type = (value: string) =>
      fireEvent.change(screen.getByLabelText('Your name'), { target: { value } })
    for (const [name, words] of [
      ['ken', english.taken],
      ['eve', english.unavailable],
      ['mara', english.free],
    ] as const) {
      type(name)
      expect(await screen.findByText(words)).toBeTruthy()
    }
  })

  test('behavior: the dialog has the name and logo of the service, or those of the app', async () => {
    service.answers['/brand'] = () => ({ name: 'Harbour Books', logo: '/brand/logo.svg' })
    const { rerender } = show(<ConnectButton />)
    fireEvent.click(screen.getByRole('button', { name: 'Sign in' }))
    expect(await screen.findByText('Sign in to Harbour Books')).toBeTruthy()
    expect(screen.getByText('Only you can sign. Harbour Books cannot.')).toBeTruthy()
    expect(document.querySelector('img')?.src).toBe(`${service.url}/brand/logo.svg`)
    rerender(
      <LanyardProvider service={service.url} network={31_337} texts={german}>
        <ConnectButton app={{ name: 'Laden' }} />
      </LanyardProvider>,
    )
    expect(screen.getByText('Bei Laden anmelden')).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: 'Schließen' }))
    await waitFor(() => expect(document.querySelector('dialog')).toBeNull())
  })

  test('behavior: the menu of the account closes by Escape, and signs out', () => {
    signedIn()
    show(<ConnectButton />)
    const opener = screen.getByRole('button', { name: 'Account of ken' })
    fireEvent.click(opener)
    expect(opener.getAttribute('aria-expanded')).toBe('true')
    fireEvent.keyDown(document, { key: 'Escape' })
    expect(opener.getAttribute('aria-expanded')).toBe('false')
    expect(document.activeElement).toBe(opener)
    fireEvent.click(opener)
    fireEvent.click(screen.getByRole('button', { name: 'Sign out' }))
    expect(screen.getByRole('button', { name: 'Sign in' })).toBeTruthy()
  })
})

describe('paying', () => {
  test('behavior: signed out, SendButton says so, and ConnectButton offers to sign in', async () => {
    show(
      <>
        <SendButton calls={[{ to: account, value: 1n }]}>Pay</SendButton>
        <ConnectButton />
        <Balance />
      </>,
    )
    expect(document.querySelector('output')).toBeNull()
    fireEvent.click(screen.getByRole('button', { name: 'Pay' }))
    expect(await screen.findByText('You are signed out.')).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Sign in' })).toBeTruthy()
  })

  test('behavior: Pay asks to sign in first, and names the exact amount', () => {
    show(<Pay to={account} amount="12.50" token={{ address: account, symbol: 'USDC', decimals: 6 }} />)
    fireEvent.click(screen.getByRole('button', { name: 'Pay 12.50 USDC' }))
    expect(screen.getByRole('dialog')).toBeTruthy()
  })

  test.each([
    [
      'a token',
      { address: account, symbol: 'USDC', decimals: 6 },
      '12.5',
      { value: '0', encodedData: /^0xa9059cbb.*bebc20$/ },
    ],
    ['the native coin', undefined, '0.25', { value: '250000000000000000', encodedData: /^0x$/ }],
  ] as const)(
    'behavior: Pay asks the service for exactly one transfer of %s',
    async (_name, token, amount, call) => {
      signedIn()
      const bodies: Record<string, unknown>[] = []
      service.answers['/v3/webauthn/transaction/generate-options'] = (body) => {
        bodies.push(body)
        return { status: 400, code: 'INSUFFICIENT_FUNDS', message: 'Not enough.' }
      }
      show(<Pay to={account} amount={amount} {...(token && { token })} />)
      fireEvent.click(screen.getByRole('button', { name: /^Pay/ }))
      expect(await screen.findByText('You do not have enough for this and its fee.')).toBeTruthy()
      expect(bodies[0]?.transactionDetails).toEqual([
        {
          targetContractAddress: account,
          value: call.value,
          encodedData: expect.stringMatching(call.encodedData),
        },
      ])
    },
  )

  test.each(['12,50', '-1', '', '1e3', '0.1234567'])(
    'error: INVALID_REQUEST for the amount %j of a token with six decimals, before anything is asked',
    async (amount) => {
      signedIn()
      service.requested.length = 0
      vi.spyOn(console, 'error').mockReturnValue()
      show(<Pay to={account} amount={amount} token={{ address: account, symbol: 'USDC', decimals: 6 }} />)
      fireEvent.click(screen.getByRole('button', { name: /^Pay/ }))
      await waitFor(() => expect(screen.getByRole('alert').textContent).not.toBe(''))
      expect(service.requested.filter((path) => path.includes('transaction'))).toEqual([])
    },
  )
})

describe('the account', () => {
  test('behavior: Activity names amounts, people, states and the fee', async () => {
    signedIn()
    show(<Activity />)
    expect(await screen.findAllByText('To 0x3C44…93BC')).toHaveLength(3)
    for (const words of ['−12.5 USDC', '+0.25 ETH', 'Fee 0.000021 ETH', english.failed, english.other])
      await waitFor(() => expect(document.body.textContent).toContain(words))
  })

  test('behavior: Guardians says where a guardian cannot sign, and owners that differ by network', async () => {
    signedIn()
    show(<Guardians />)
    expect(await screen.findByText('cannot sign on Local 2 yet')).toBeTruthy()
    expect(
      screen.getByText('Together, 1 of 2 can give the account a new passkey, after a delay.'),
    ).toBeTruthy()
    expect(screen.getByText('only on Local 1')).toBeTruthy()
    expect(screen.getByText('on every network')).toBeTruthy()
  })

  test('behavior: Receive shows the whole address and copies it', async () => {
    signedIn()
    const writeText = vi.fn(() => Promise.resolve())
    vi.stubGlobal('navigator', { ...navigator, clipboard: { writeText } })
    show(<Receive />)
    expect(document.querySelector('.lanyard-address')?.textContent).toBe(account)
    fireEvent.click(screen.getByRole('button', { name: 'Copy the address' }))
    expect(await screen.findByText('Copied')).toBeTruthy()
    expect(writeText).toHaveBeenCalledWith(account)
  })
})

describe('words', () => {
  test('behavior: German has each word and each error', () => {
    expect(Object.keys(german).filter((key) => key !== 'errors')).toEqual(Object.keys(english))
    for (const [key, text] of Object.entries(english))
      expect([key, german[key as keyof typeof english].match(/\{\w+\}/g)?.sort()]).toEqual([
        key,
        text.match(/\{\w+\}/g)?.sort(),
      ])
    for (const code of Object.keys(german.errors) as (keyof typeof german.errors)[])
      expect(errorText({ code }), code).not.toEqual(german.errors[code])
  })

  test('behavior: own texts come before those of the package, and each code has one', () => {
    const own = { DROPPED: { title: 'Nicht gesendet.', advice: 'Noch einmal.' } }
    expect(errorText({ code: 'DROPPED' }, own)).toBe(own.DROPPED)
    expect(errorText({ code: 'TOO_EXPENSIVE' }).title).toBe('Network fees are too high right now.')
    expect(errorText({ code: 'UNEXPECTED' }).title).toBe('Something went wrong.')
  })
})

test('behavior: KeepAddressButton signs nothing that the service changed', async () => {
  const signer = { address: account, signTypedData: vi.fn(), signAuthorization: vi.fn() } as const
  service.answers['/smart-account/create'] = () => ({})
  service.answers['/smart-account/transaction/build'] = () => ({
    userOp: { sender: account },
    messageToSign: '0x',
  })
  show(<KeepAddressButton signer={signer}>Keep my address</KeepAddressButton>)
  fireEvent.click(screen.getByRole('button', { name: 'Keep my address' }))
  expect(await screen.findByText(/The service prepared something else/)).toBeTruthy()
  expect(signer.signTypedData).not.toHaveBeenCalled()
  expect(signer.signAuthorization).not.toHaveBeenCalled()
})
