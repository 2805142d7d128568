// @vitest-environment happy-dom
import { encodeSessionExecute, type SessionKey, sessionKeyId } from '@lanyard/session-keys'
import { base64URLStringToBuffer } from '@simplewebauthn/browser'
import { screen } from '@testing-library/react'
import { bytesToHex, type Hex, parseEther } from 'viem'
import { beforeEach, describe, expect, test } from 'vitest'
import { fakeIndexedDb } from '../../../test/fake-indexed-db.ts'
import { ServiceFailure } from '../../../test/fake-service.ts'
import { proposeOperation } from '../../../test/propose-operation.ts'
import {
  account,
  expectNoBarriers,
  friend,
  networks,
  renderWallet,
  sessionKeys,
  withFakeService,
} from '../../../test/render-wallet.tsx'
import { toCall } from '../../calls/to-call.ts'
import { toTransactionDetails } from '../../passkey/verify-operation.ts'
import { createBrowserKey } from '../../session-keys/browser-key.ts'
import { parseSessionKey } from '../../session-keys/parse-session-key.ts'
import { hasSessionKeys } from '../../session-keys/use-sessions.ts'
import { TrySession } from './try-session.tsx'

const { service } = withFakeService()
const network = networks.filter(hasSessionKeys)[0]
if (!network) throw new TypeError('there are networks')

let key: SessionKey
let keyId: Hex
beforeEach(async () => {
  fakeIndexedDb()
  const parsed = parseSessionKey(await createBrowserKey())
  if (!parsed.ok) throw new TypeError('the browser creates a key on the curve')
  key = parsed.key
  keyId = sessionKeyId(key)
})

/** The build of an honest service for a session: the calls go through the contract. */
function buildForSession(input: Readonly<Record<string, unknown>>) {
  const { transactionDetails } = input as {
    transactionDetails: Parameters<typeof toCall>[0][]
  }
  const execution = encodeSessionExecute({ sessionKeys, key, calls: transactionDetails.map(toCall) })
  const { challenge, userOp } = proposeOperation(account)({
    ...input,
    transactionDetails: toTransactionDetails([execution]),
  })
  return { userOp, messageToSign: bytesToHex(new Uint8Array(base64URLStringToBuffer(challenge))) }
}

const renderForm = () => renderWallet(<TrySession network={network} keyId={keyId} />)
const recipient = () => screen.getByLabelText<HTMLInputElement>('Recipient of the key’s payment')
const amount = () => screen.getByLabelText<HTMLInputElement>('Amount of the key’s payment')
const send = () => screen.getByRole('button', { name: 'Send with the session key' })
const submitted = () => service().requested.filter(({ procedure }) => procedure === 'smartAccount.submit')

describe('TrySession', () => {
  test('default: recomputes, signs with the key of this browser, and shows the outcome', async () => {
    service().answers['smartAccount.build'] = buildForSession
    let success = true
    service().answers['smartAccount.submit'] = () => ({ success })
    const { user, container } = renderForm()
    await user.type(recipient(), friend)
    await user.type(amount(), '0.04')
    await user.click(send())
    await screen.findByText('Sent without your passkey.')
    const build = service().requested.find(({ procedure }) => procedure === 'smartAccount.build')
    expect(build?.input).toMatchObject({
      signMode: 'SESSION_KEY',
      transactionDetails: [{ targetContractAddress: friend, value: String(parseEther('0.04')) }],
    })
    expect(submitted()[0]?.input).toMatchObject({ walletAddress: account, signatureType: 'SESSION_KEY' })
    success = false
    await user.click(send())
    await screen.findByText('Included in a block, but the call failed.')
    await expectNoBarriers(container)
  })

  test('behavior: a reload keeps the typed values', async () => {
    const { user, unmount } = renderForm()
    await user.type(recipient(), friend)
    await user.type(amount(), '0.04')
    unmount()
    renderForm()
    expect([recipient().value, amount().value]).toEqual([friend, '0.04'])
  })

  test('error: shows each error at its field, and focuses the first one', async () => {
    const { user, container } = renderForm()
    await user.click(send())
    await screen.findByText('Enter an amount.')
    expect(document.activeElement).toBe(recipient())
    expect(service().requested).toEqual([])
    await expectNoBarriers(container)
  })

  test('error: does not sign anything other than the request', async () => {
    service().answers['smartAccount.build'] = (input) =>
      buildForSession({
        ...input,
        transactionDetails: toTransactionDetails([{ to: account, value: 1n, data: '0x' }]),
      })
    const { user } = renderForm()
    await user.type(recipient(), friend)
    await user.type(amount(), '0.04')
    await user.click(send())
    await screen.findByText('The service built something other than what you asked for.')
    expect(submitted()).toEqual([])
  })

  test('error: explains an exceeded limit of the session', async () => {
    service().answers['smartAccount.build'] = () => {
      throw new ServiceFailure('SESSION_REFUSED', { rule: 'AllowanceExceeded' })
    }
    const { user, container } = renderForm()
    await user.type(recipient(), friend)
    await user.type(amount(), '0.07')
    await user.click(send())
    await screen.findByText('That is more than is left of the key’s allowance.')
    await expectNoBarriers(container)
  })

  test('error: reports that the browser has lost the key', async () => {
    fakeIndexedDb()
    const { user } = renderForm()
    await user.type(recipient(), friend)
    await user.type(amount(), '0.04')
    await user.click(send())
    await screen.findByText('This browser does not have the key any more.')
    expect(service().requested).toEqual([])
  })
})
