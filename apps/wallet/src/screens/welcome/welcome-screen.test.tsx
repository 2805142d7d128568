// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { fakePasskey } from '../../../test/fake-passkey.ts'
import { ServiceFailure } from '../../../test/fake-service.ts'
import { expectNoBarriers, renderWallet, withFakeService } from '../../../test/render-wallet.tsx'
import { WelcomeScreen } from './welcome-screen.tsx'

const { service } = withFakeService()

/** The service's answer about a name that nobody has. */
const free = { value: false, message: 'This username does not exist' }

describe('WelcomeScreen', () => {
  beforeEach(() => fakePasskey({ agrees: false }))
  const create = () => screen.getByRole('button', { name: 'Create with a passkey' })

  test('default: shows whether a name is free while it is typed', async () => {
    service().answers['user.checkUsername'] = ({ username }) =>
      username === 'taken' ? { value: true, message: 'This username exists' } : free
    const { user, container } = renderWallet(<WelcomeScreen />)
    await user.click(create())
    await screen.findByText('Choose a username first.')
    await user.type(screen.getByLabelText('Username'), 'free')
    await screen.findByText('Available')
    await expectNoBarriers(container)
    await user.clear(screen.getByLabelText('Username'))
    await user.type(screen.getByLabelText('Username'), 'taken')
    await screen.findByText('This name is taken.')
    await expectNoBarriers(container)
    await user.click(screen.getByRole('button', { name: 'Sign in instead' }))
    await screen.findByLabelText('Or by username')
  })

  test("behavior: says that an app's request waits for the sign-in", async () => {
    const { container } = renderWallet(<WelcomeScreen />, { path: '/sessions/request#request=e30' })
    screen.getByText('An app asks for a session key.')
    await expectNoBarriers(container)
  })

  test('behavior: says why a free name is not available', async () => {
    service().answers['user.checkUsername'] = () => ({
      value: false,
      message: 'This username does not exist, and is unavailable. Another one looks the same.',
    })
    const { user, container } = renderWallet(<WelcomeScreen />)
    await user.type(screen.getByLabelText('Username'), 'раypal')
    await screen.findByText('This name is not available. Another one looks the same.')
    await expectNoBarriers(container)
    await user.click(create())
    expect(screen.queryByText('Available')).toBeNull()
    expect(service().requested.map(({ procedure }) => procedure)).not.toContain('webauthn.registerOptions')
  })

  test('behavior: reports a name that was taken in the meantime', async () => {
    service().answers['user.checkUsername'] = () => free
    service().answers['webauthn.registerOptions'] = () => {
      throw new ServiceFailure('USERNAME_TAKEN')
    }
    const { user } = renderWallet(<WelcomeScreen />)
    await user.type(screen.getByLabelText('Username'), 'race')
    await screen.findByText('Available')
    await user.click(create())
    await screen.findByText('This name is taken.')
  })

  test('behavior: signs in by name, and shows what went wrong', async () => {
    service().answers['webauthn.authenticateOptions'] = () => {
      throw new ServiceFailure('UNKNOWN_USER')
    }
    const { user, container } = renderWallet(<WelcomeScreen />)
    await user.click(screen.getByRole('tab', { name: 'Sign in' }))
    const signIn = () => screen.getByRole('button', { name: 'Sign in' })
    await user.click(signIn())
    await screen.findByText('Enter your username first.')
    await user.type(screen.getByLabelText('Or by username'), 'nobody')
    await user.click(signIn())
    await waitFor(() => screen.getByText('There is no account with this name.'))
    await expectNoBarriers(container)
  })

  test('behavior: an offer of passkeys that arrives late does not close the prompt of a button', async () => {
    const prompts: CredentialRequestOptions[] = []
    vi.stubGlobal(
      'PublicKeyCredential',
      Object.assign(() => {}, { isConditionalMediationAvailable: async () => true }),
    )
    Object.defineProperty(navigator, 'credentials', {
      configurable: true,
      value: {
        get: (options: CredentialRequestOptions) => {
          prompts.push(options)
          return new Promise((_, reject) => {
            options.signal?.addEventListener('abort', () => reject(options.signal?.reason))
          })
        },
      },
    })
    const late = Promise.withResolvers<void>()
    const options = { passkeyAuthenticationOptions: { challenge: 'AQID', rpId: 'localhost' } }
    let requests = 0
    service().answers['webauthn.discoverOptions'] = async () => {
      if (++requests === 1) await late.promise
      return options
    }
    const { user } = renderWallet(<WelcomeScreen />)
    await user.click(screen.getByRole('tab', { name: 'Sign in' }))
    await waitFor(() => expect(requests).toBe(1))
    await user.click(screen.getByRole('button', { name: 'Sign in with a passkey' }))
    await waitFor(() => expect(prompts).toHaveLength(1))
    late.resolve()
    // Either the offer has begun, or nobody waits for its options any more.
    await waitFor(() => expect(prompts.length + service().cancelled.length).toBe(2))
    expect(prompts[0]?.signal?.aborted).toBe(false)
    expect(service().cancelled).toEqual(['webauthn.discoverOptions'])
  })
})
