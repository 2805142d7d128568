// @promise 8
import { endpoints, LanyardError } from '@lanyard/contracts'
import { describe, expect, test } from 'vitest'
import { Authenticator, encodeCbor, flag, type Tampering } from '../../../../test/passkeys/authenticator.ts'
import { challenge, creation, hexOf, relyingParty } from '../../../../test/passkeys/ceremonies.ts'
import { registrationCases } from '../../../../test/passkeys/registration-cases.ts'
import { readChallenge } from './client-data.ts'
import { verificationFailed } from './verification-failed.ts'
import { type RegistrationResponse, verifyRegistration } from './verify-registration.ts'

const [origin = ''] = relyingParty.origins
const newPasskey = (credentialId?: Buffer) => new Authenticator(origin, credentialId)

/** The steps of `register/verify` that need no database. */
async function register(passkey: Authenticator, tampering: Tampering = {}) {
  const sent = endpoints.webauthn.registerVerify.body.safeParse(passkey.create(creation, tampering))
  if (!sent.success) throw new LanyardError('INVALID_INPUT')
  if (readChallenge(sent.data.response.clientDataJSON) !== challenge) throw verificationFailed('not issued.')
  return verifyRegistration(relyingParty, challenge, sent.data)
}

const rejection = (message: string) =>
  expect.objectContaining({ code: 'VERIFICATION_FAILED', message: expect.stringContaining(message) })

describe('verifyRegistration', () => {
  test('default: a valid registration has its key and metadata', async () => {
    const passkey = newPasskey()
    passkey.counter = 3
    expect(await register(passkey)).toEqual({
      id: passkey.id,
      publicKey: encodeCbor(passkey.cosePublicKey()),
      x: BigInt(`0x${passkey.x.toString('hex')}`),
      y: BigInt(`0x${passkey.y.toString('hex')}`),
      counter: 3,
      backupEligible: false,
      backedUp: false,
      transports: ['internal', 'hybrid'],
      aaguid: '00000000-0000-0000-0000-000000000000',
    })
  })

  test('behavior: a backed-up passkey is accepted', async () => {
    const passkey = newPasskey()
    passkey.backup = flag.be
    expect(await register(passkey)).toMatchObject({ backupEligible: true, backedUp: false })
    passkey.backup = flag.be | flag.bs
    expect(await register(passkey)).toMatchObject({ backupEligible: true, backedUp: true })
  })

  test('behavior: a self attestation is accepted', async () => {
    const attested = register(newPasskey(), {
      attestation: (map, { bytes, sign }) => {
        map.set('fmt', 'packed')
        map.set(
          'attStmt',
          new Map<string, unknown>([
            ['alg', -7],
            ['sig', new Uint8Array(sign(bytes))],
          ]),
        )
      },
    })
    await expect(attested).resolves.toMatchObject({ counter: 0 })
  })

  test('behavior: an id in another base64url spelling is stored in canonical form', async () => {
    // The last character holds four bits that decoding drops.
    const passkey = newPasskey(Buffer.alloc(16, 0xff))
    const spelled = `${passkey.id.slice(0, -1)}x`
    expect(hexOf(spelled)).toBe(hexOf(passkey.id))
    const { response } = passkey.create(creation)
    const answer = { id: spelled, rawId: passkey.id, type: 'public-key', response } as RegistrationResponse // as sent
    expect(await verifyRegistration(relyingParty, challenge, answer)).toMatchObject({ id: passkey.id })
  })

  test('behavior: an id has at most 1023 bytes', async () => {
    await expect(register(newPasskey(Buffer.alloc(1023, 9)))).resolves.toMatchObject({ counter: 0 })
    await expect(register(newPasskey(Buffer.alloc(1024, 9)))).rejects.toThrow(
      rejection('longer than 1023 bytes'),
    )
  })

  test.each(registrationCases)('error: $name', async ({ tampering, code = 'VERIFICATION_FAILED' }) => {
    await expect(register(newPasskey(), tampering)).rejects.toThrow(expect.objectContaining({ code }))
  })

  // The test checks which rule rejects: later rules would reject for another reason or not at all.
  const attested = (statement: Map<string, unknown>, format = 'packed'): Tampering => ({
    attestation: (map) => {
      map.set('fmt', format)
      map.set('attStmt', statement)
    },
  })
  test.each<[string, Tampering]>([
    ['id and rawId are not the same bytes', { body: (sent) => Object.assign(sent, { rawId: 'AAAA' }) }],
    ['id and rawId are not the same bytes', { body: (sent) => Object.assign(sent, { id: '', rawId: '' }) }],
    ['another credential id', { body: (sent) => Object.assign(sent, { id: 'AAAA', rawId: 'AAAA' }) }],
    ['has trailing bytes', { attestationBytes: (bytes) => Buffer.concat([bytes, Buffer.alloc(1)]) }],
    ['this format is not accepted', attested(new Map(), 'tpm')],
    ['this format is not accepted', { attestation: (map) => map.set('fmt', 7) }],
    ['attestation object is malformed', { attestation: (map) => map.set('authData', 'text') }],
    ['attestation object is malformed', { attestation: (map) => map.set('attStmt', 'text') }],
    [
      'certificates are not accepted',
      attested(
        new Map<string, unknown>([
          ['alg', -7],
          ['x5c', []],
        ]),
      ),
    ],
    ["differs from the credential's", attested(new Map<string, unknown>([['alg', -257]]))],
    ["differs from the credential's", attested(new Map())],
    ['not an ES256 key', { authenticatorData: ({ publicKey }) => publicKey.set(2, new Uint8Array(4)) }],
    [
      "the attestation's signature is not valid",
      {
        attestation: (map, { sign }) => {
          map.set('fmt', 'packed')
          const sig = new Uint8Array(sign(Buffer.from('something else')))
          map.set(
            'attStmt',
            new Map<string, unknown>([
              ['alg', -7],
              ['sig', sig],
            ]),
          )
        },
      },
    ],
  ])('error: %s', async (message, tampering) => {
    await expect(register(newPasskey(), tampering)).rejects.toThrow(rejection(message))
  })

  test('error: another relying party or another origin is rejected', async () => {
    const answer = newPasskey().create(creation) as unknown as RegistrationResponse // as sent
    const elsewhere = {
      ...relyingParty,
      rpId: 'example.org',
      origins: relyingParty.origins,
      apps: { ios: [], android: [] },
    }
    await expect(verifyRegistration(elsewhere, challenge, answer)).rejects.toThrow(rejection(''))
    const nowhere = { ...relyingParty, origins: [] }
    await expect(verifyRegistration(nowhere, challenge, answer)).rejects.toThrow(rejection(''))
    const second = {
      ...relyingParty,
      origins: ['https://example.org', ...relyingParty.origins],
      apps: { ios: [], android: [] },
    }
    await expect(verifyRegistration(second, challenge, answer)).resolves.toMatchObject({ counter: 0 })
  })
})
