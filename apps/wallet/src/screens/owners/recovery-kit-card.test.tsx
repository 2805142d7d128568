// @vitest-environment happy-dom
import { defaultDeployment, encodeInitializer } from '@lanyard/accounts'
import { cleanup, screen } from '@testing-library/react'
import { test, vi } from 'vitest'
import { account, firstOwner, renderWallet, withFakeService } from '../../../test/render-wallet.tsx'
import { RecoveryKitCard } from './recovery-kit-card.tsx'

const { service } = withFakeService()

test('default: says when the kit was saved, also after a reload', async () => {
  const { factory, singleton, module, entryPoint } = defaultDeployment
  service().answers['owner.recoveryKit'] = () => ({
    walletAddress: account,
    factory,
    singleton,
    module,
    entryPoint,
    saltNonce: '0',
    networks: [],
    initializer: encodeInitializer(firstOwner),
    eoaAddress: firstOwner.address,
  })
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {})
  const { user } = renderWallet(<RecoveryKitCard />)
  screen.getByText('Not saved from this browser yet.')
  await user.click(screen.getByRole('button', { name: 'Download the kit' }))
  await screen.findByText(/^Saved on/)
  cleanup()
  renderWallet(<RecoveryKitCard />)
  screen.getByText(/^Saved on/)
})
