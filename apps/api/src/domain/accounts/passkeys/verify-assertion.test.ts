// @promise 8
import { endpoints, LanyardError } from '@lanyard/contracts'
import type { CredentialRow } from '@lanyard/database'
import { describe, expect, test } from 'vitest'
import { assertionCases } from '../../../../test/passkeys/assertion-cases.ts'
import { Authenticator, flag, type Tampering } from '../../../../test/passkeys/authenticator.ts'
import { challenge, creation, relyingParty, request, rowOf } from '../../../../test/passkeys/ceremonies.ts'
import { dropNulls } from '../../../pipeline/parse-input.ts'
import { toAuthenticationResponse } from './authentication-response.ts'
import { readChallenge } from './client-data.ts'
import { verificationFailed } from './verification-failed.ts'
import { verifyAssertion } from './verify-assertion.ts'

const [origin = ''] = relyingParty.origins

/** The passkey of the test cases. Its counter was 5 when it was registered. */
function registered(): Authenticator {
  const passkey = new Authenticator(origin)
  passkey.userHandle = creation.user.id
  passkey.counter = 6
  return passkey
}

/** The steps of `authenticate/verify` that need no database. */
async function signIn(passkey: Authenticator, tampering: Tampering = {}, row: Partial<CredentialRow> = {}) {
  const sent = endpoints.webauthn.authenticateVerify.body.safeParse(
    dropNulls(passkey.get(request, tampering)),
  )
  if (!sent.success) throw new LanyardError('INVALID_INPUT')
  const response = toAuthenticationResponse(sent.data)
  const credential = rowOf(passkey, { counter: 5, ...row })
  if (response.id !== credential.id) throw verificationFailed('unknown.')
  if (readChallenge(response.response.clientDataJSON) !== challenge) throw verificationFailed('not issued.')
  return verifyAssertion({ relyingParty, credential, expectedChallenge: challenge, response })
}

/** The same signature with a DER length in two bytes (X.690 §8.1.3.5) where one is enough. */
const longerForm = (der: Buffer) =>
  Buffer.concat([Buffer.from([0x30, 0x81, der.length - 2]), der.subarray(2)])

const rejection = (message: string) =>
  expect.objectContaining({ code: 'VERIFICATION_FAILED', message: expect.stringContaining(message) })

describe('verifyAssertion', () => {
  test('default: a valid assertion has its counter and backup state', async () => {
    expect(await signIn(registered())).toEqual({ counter: 6, backedUp: false })
  })

  test('behavior: the counter of a synced passkey stays 0', async () => {
    const passkey = registered()
    passkey.counter = 0
    expect(await signIn(passkey, {}, { counter: 0 })).toEqual({ counter: 0, backedUp: false })
  })

  test('behavior: a passkey may be backed up after its registration', async () => {
    const passkey = registered()
    passkey.backup = flag.be | flag.bs
    expect(await signIn(passkey, {}, { backup_eligible: true })).toEqual({ counter: 6, backedUp: true })
  })

  test('behavior: a userHandle may be left out', async () => {
    const passkey = registered()
    passkey.userHandle = undefined
    await expect(signIn(passkey)).resolves.toMatchObject({ counter: 6 })
  })

  test('behavior: authenticator data may name the credential', async () => {
    const named: Tampering = {
      authenticatorData: (parts) => Object.assign(parts, { flags: parts.flags | flag.at }),
    }
    await expect(signIn(registered(), named)).resolves.toMatchObject({ counter: 6 })
  })

  test.each(assertionCases)('error: $name', async ({ tampering, code = 'VERIFICATION_FAILED' }) => {
    await expect(signIn(registered(), tampering)).rejects.toThrow(expect.objectContaining({ code }))
  })

  // The test checks which rule rejects: later rules would reject for another reason or not at all.
  test.each<[string, Tampering, Partial<CredentialRow>?]>([
    ['userHandle belongs to another user', {}, { user_id: '7f0c2f6e-52a1-4c39-9d5c-7d2c8f0e1a34' }],
    ['signature is not valid', { signature: () => Buffer.from('3006020101020101', 'hex') }],
    // The library would accept these two, which would allow several encodings of one signature.
    ['not a DER-encoded P-256 signature', { signature: (der) => Buffer.concat([der, Buffer.alloc(1)]) }],
    ['not a DER-encoded P-256 signature', { signature: longerForm }],
    [
      'for another credential id',
      {
        authenticatorData: (parts) =>
          Object.assign(parts, { flags: parts.flags | flag.at, credentialId: Buffer.alloc(16, 9) }),
      },
    ],
    ['backup eligibility', {}, { backup_eligible: true }],
  ])('error: %s', async (message, tampering, row) => {
    await expect(signIn(registered(), tampering, row)).rejects.toThrow(rejection(message))
  })

  test('error: another relying party or another origin is rejected', async () => {
    const passkey = registered()
    const response = toAuthenticationResponse(passkey.get(request))
    const given = { credential: rowOf(passkey), expectedChallenge: challenge, response }
    for (const other of [
      { ...relyingParty, rpId: 'example.org', origins: relyingParty.origins, apps: { ios: [], android: [] } },
      { ...relyingParty, origins: [] },
    ])
      await expect(verifyAssertion({ ...given, relyingParty: other })).rejects.toThrow(rejection(''))
    const second = {
      ...relyingParty,
      origins: ['https://example.org', ...relyingParty.origins],
      apps: { ios: [], android: [] },
    }
    await expect(verifyAssertion({ ...given, relyingParty: second })).resolves.toMatchObject({ counter: 6 })
  })
})
