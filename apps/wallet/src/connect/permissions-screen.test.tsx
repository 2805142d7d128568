// @vitest-environment happy-dom
import { compilePermissions, encodeGrant, type Permission } from '@lanyard/session-keys'
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { proposeOperation } from '../../test/propose-operation.ts'
import {
  account,
  balancesAnswer,
  friend,
  networks,
  renderWallet,
  sessionKeys,
  usdcToken,
  withFakeService,
} from '../../test/render-wallet.tsx'
import { toTransactionDetails } from '../passkey/verify-operation.ts'
import { hasSessionKeys } from '../session-keys/use-sessions.ts'
import { PermissionsScreen } from './permissions-screen.tsx'

const { service } = withFakeService()

test('behavior: it can be allowed once its warnings are known', async () => {
  const permissions: Permission[] = [
    { type: 'erc20-token-allowance', token: usdcToken, allowance: '500000000', to: [friend] },
    { type: 'gas-fee-allowance', allowance: '100000000000000000' },
  ]
  const now = Math.floor(Date.now() / 1_000)
  const compiled = compilePermissions(permissions, { validAfter: now, validUntil: now + 86_400 })
  if (!compiled.ok) throw new TypeError('the request compiles')
  const { session } = compiled
  const [network] = networks.filter(hasSessionKeys)
  if (!network) throw new TypeError('a network has session keys')
  const calls = encodeGrant({ account, sessionKeys, key: friend, session, isOwner: true, isModule: true })
  service().answers['sessionKey.enable'] = () => ({ transactionDetails: toTransactionDetails(calls) })
  service().answers['webauthn.transactionOptions'] = proposeOperation(account)
  const balances = Promise.withResolvers<unknown>()
  service().answers['wallet.balances'] = () => balances.promise
  renderWallet(
    <PermissionsScreen
      origin="https://chess.example"
      account={{ account, username: 'alice' }}
      requested={{ kind: 'permissions', network, grant: { key: friend, permissions, session }, answer: {} }}
      requester={null}
      onDone={() => {}}
      onDecline={() => {}}
    />,
    { isReading: true },
  )
  await screen.findByText('Recomputed on this device: your passkey signs this and nothing else.')
  expect(screen.queryByRole('button', { name: 'Allow with passkey' })).toBeNull()
  screen.getByRole('button', { name: 'Decline' })
  balances.resolve(balancesAnswer)
  await screen.findByRole('button', { name: 'Allow with passkey' })
  screen.getByText('The key may take more than you have here.')
})
