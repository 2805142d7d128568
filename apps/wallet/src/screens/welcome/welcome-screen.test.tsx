// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, test } from 'vitest'
import { fakePasskey } from '../../../test/fake-passkey.ts'
import { ServiceFailure } from '../../../test/fake-service.ts'
import { expectNoBarriers, renderWallet, withFakeService } from '../../../test/render-wallet.tsx'
import { WelcomeScreen } from './welcome-screen.tsx'

const { service } = withFakeService()

describe('WelcomeScreen', () => {
  beforeEach(() => fakePasskey({ agrees: false }))
  const create = () => screen.getByRole('button', { name: 'Create with a passkey' })

  test('default: shows whether a name is free while it is typed', async () => {
    service().answers['user.checkUsername'] = ({ username }) => ({ value: username === 'taken' })
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

  test('behavior: reports a name that was taken in the meantime', async () => {
    service().answers['user.checkUsername'] = () => ({ value: false })
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
})
