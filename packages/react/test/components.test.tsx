// @vitest-environment happy-dom
import { cleanup, configure, fireEvent, render, screen, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { Balance, ConnectButton, errorText, LanyardProvider, SendButton, SignIn } from '../src/index.ts'
import { KeepAddressButton } from '../src/keep-address.ts'
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
})

const show = (element: ReactNode) =>
  render(
    <LanyardProvider service={service.url} network={31_337}>
      {element}
    </LanyardProvider>,
  )

test('behavior: SignIn says a problem in words for people, not for developers', async () => {
  show(<SignIn texts={{ create: 'Konto anlegen' }} />)
  fireEvent.change(screen.getByLabelText('Username'), { target: { value: 'ken' } })
  fireEvent.click(screen.getByRole('button', { name: 'Konto anlegen' }))
  await waitFor(() => expect(screen.getByRole('alert').textContent).not.toBe(''))
  expect(screen.getByRole('alert').textContent).not.toMatch(/createAccount|signIn|undefined/)
})

test('behavior: signed out, SendButton says so, and ConnectButton offers to sign in', async () => {
  show(
    <>
      <SendButton calls={[{ to: account, value: 1n }]}>Pay</SendButton>
      <ConnectButton />
      <Balance />
    </>,
  )
  expect(screen.getByText(/^…/).getAttribute('aria-busy')).toBe('true')
  fireEvent.click(screen.getByRole('button', { name: 'Pay' }))
  expect(await screen.findByText('You are signed out.')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Sign in' })).toBeTruthy()
})

test('behavior: own texts come before those of the package, and each code has one', () => {
  const own = { DROPPED: { title: 'Nicht gesendet.', advice: 'Noch einmal.' } }
  expect(errorText({ code: 'DROPPED' }, own)).toBe(own.DROPPED)
  expect(errorText({ code: 'TOO_EXPENSIVE' }).title).toBe('Network fees are too high right now.')
  expect(errorText({ code: 'UNEXPECTED' }).title).toBe('Something went wrong.')
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
