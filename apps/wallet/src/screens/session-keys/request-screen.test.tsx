// @vitest-environment happy-dom
import { compilePermissions, encodeGrant, type Permission } from '@lanyard/session-keys'
import { screen } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { proposeOperation } from '../../../test/propose-operation.ts'
import {
  account,
  balancesAnswer,
  expectNoBarriers,
  friend,
  renderWallet,
  sessionKeys,
  usdcToken,
  withFakeService,
} from '../../../test/render-wallet.tsx'
import { toTransactionDetails } from '../../passkey/verify-operation.ts'
import { RequestScreen } from './request-screen.tsx'

const { service } = withFakeService()

const shop = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const permissions: Permission[] = [
  { type: 'erc20-token-allowance', token: usdcToken, allowance: '5000000', period: 86_400, to: [shop] },
  { type: 'gas-fee-allowance', allowance: '100000000000000000' },
]
const honest = {
  v: 1,
  name: 'Chess Club',
  origin: 'https://chess.example',
  network: 1,
  key: friend,
  duration: 86_400,
  permissions,
}

function open(changed: object = {}, isReading = false) {
  const request = Buffer.from(JSON.stringify({ ...honest, ...changed })).toString('base64url')
  return renderWallet(<RequestScreen />, { path: `/sessions/request#request=${request}`, isReading })
}

describe('RequestScreen', () => {
  test('default: shows who asks for what, and reviews exactly those bytes', async () => {
    service().answers['sessionKey.list'] = () => ({ sessions: [] })
    service().answers['sessionKey.enable'] = ({ validAfter, validUntil }) => {
      const compiled = compilePermissions(permissions, {
        validAfter: Number(validAfter),
        validUntil: Number(validUntil),
      })
      if (!compiled.ok) throw new TypeError('the request compiles')
      const calls = encodeGrant({
        account,
        sessionKeys,
        key: friend,
        session: compiled.session,
        isOwner: true,
        isModule: true,
      })
      return { transactionDetails: toTransactionDetails(calls) }
    }
    service().answers['webauthn.transactionOptions'] = proposeOperation(account)
    const { user, container } = open()
    await screen.findByRole('heading', { name: 'An app that claims to be “Chess Club” asks to act for you' })
    screen.getByText('It claims to be at https://chess.example · Net 1')
    screen.getByText(`Up to 5 USDC every day: send to ${shop}, or let ${shop} take it in the same operation.`)
    screen.getByText('5 USDC')
    screen.getByText('You have 100 USDC')
    // A full bar would look like an approval.
    expect(screen.queryByRole('meter')).toBeNull()
    expect(screen.queryByText('The key may take more than you have here.')).toBeNull()
    // The end of the session, in the person's own time zone.
    expect(container.querySelectorAll('time').length).toBeGreaterThan(0)
    expect(screen.queryByRole('textbox')).toBeNull()
    await expectNoBarriers(container)
    await user.click(screen.getByRole('button', { name: 'Review' }))
    await screen.findByText('Recomputed on this device: your passkey signs this and nothing else.')
    await expectNoBarriers(container)
    // The history entry of the review keeps the request.
    screen.getByRole('button', { name: 'Sign with passkey' })
  })

  test('behavior: warns about funds that the key could take', async () => {
    service().answers['sessionKey.list'] = () => ({ sessions: [] })
    open({
      duration: 90 * 86_400,
      permissions: [
        { type: 'native-token-allowance', allowance: '1' },
        { type: 'contract-call', target: friend, functions: ['transfer(address,uint256)'] },
        permissions[1],
      ],
    })
    await screen.findByText('The key can send to anyone.')
    screen.getByText('The key can move tokens without a limit.')
    screen.getByText('The key lasts longer than a month.')
  })

  test('behavior: a limit above what the account holds is an error, before anything else', async () => {
    service().answers['sessionKey.list'] = () => ({ sessions: [] })
    open({
      name: 'Lanyard Support',
      permissions: [{ type: 'native-token-allowance', allowance: String(10n ** 24n) }, permissions[1]],
    })
    const [first] = await screen.findAllByRole('alert')
    expect(first?.textContent).toContain('The key may take more than you have here.')
    screen.getByText('You have 1 ETH')
  })

  test('behavior: it can be reviewed once its warnings are known', async () => {
    const balances = Promise.withResolvers<unknown>()
    service().answers['wallet.balances'] = () => balances.promise
    service().answers['sessionKey.list'] = () => ({ sessions: [] })
    const { queryClient } = open({}, true)
    const review = await screen.findByRole('button', { name: 'Review' })
    await expect.poll(() => queryClient.getQueryData(['sessions', account])).toBeDefined()
    expect(review.getAttribute('aria-disabled')).toBe('true')
    balances.resolve(balancesAnswer)
    await screen.findByText('You have 100 USDC')
    await expect
      .poll(() => screen.getByRole('button', { name: 'Review' }).getAttribute('aria-disabled'))
      .toBeNull()
  })

  test.each<[string, object, RegExp]>([
    ['no known network', { network: 99 }, /does not offer session keys on the network/],
    ['no key', { key: '0x' }, /session key is not valid/],
    ['no limits', { permissions: [] }, /A limit in it is not valid/],
    [
      'a limit beyond every amount',
      { permissions: [permissions[1], { ...permissions[0], allowance: String(2n ** 128n) }] },
      /Permission 2: This amount is larger than a limit can be\./,
    ],
    ['a script', { origin: 'javascript:alert(1)' }, /does not say which site asks/],
  ])('error: a link with %s', async (_, changed, message) => {
    service().answers['sessionKey.list'] = () => ({ sessions: [] })
    const { container } = open(changed)
    await screen.findByText('This link cannot be used.')
    screen.getByText(message)
    expect(screen.queryByRole('button')).toBeNull()
    await expectNoBarriers(container)
  })
})
