// @promise 8
import { passkeyOwner } from '@lanyard/client'
import {
  decodeAttestationObject,
  isoUint8Array,
  parseAuthenticatorData,
} from '@simplewebauthn/server/helpers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type PasskeyService, startPasskeyService } from './passkey-service.ts'

/**
 * The ES256 vectors of WebAuthn L3 §16: RP ID example.org, origin https://example.org. Their challenges are fixed, so
 * the tests write them into the database as if the service had issued them.
 */
const vectors = {
  /** §16, "ES256 Credential with No Attestation": no user verification. */
  none: {
    challenge: '00c30fb78531c464d2b6771dab8d7b603c01162f2fa486bea70f283ae556e130',
    credentialId: 'f91f391db4c9b2fde0ea70189cba3fb63f579ba6122b33ad94ff3ec330084be4',
    clientDataJSON:
      '7b2274797065223a22776562617574686e2e637265617465222c226368616c6c656e6765223a22414d4d507434557878475453746e63647134313759447742466938767049612d7077386f4f755657345441222c226f726967696e223a2268747470733a2f2f6578616d706c652e6f7267222c2263726f73734f726967696e223a66616c73652c22657874726144617461223a22636c69656e74446174614a534f4e206d617920626520657874656e6465642077697468206164646974696f6e616c206669656c647320696e20746865206675747572652c207375636820617320746869733a20426b5165446a646354427258426941774a544c453551227d',
    attestationObject:
      'a363666d74646e6f6e656761747453746d74a068617574684461746158a4bfabc37432958b063360d3ad6461c9c4735ae7f8edd46592a5e0f01452b2e4b559000000008446ccb9ab1db374750b2367ff6f3a1f0020f91f391db4c9b2fde0ea70189cba3fb63f579ba6122b33ad94ff3ec330084be4a5010203262001215820afefa16f97ca9b2d23eb86ccb64098d20db90856062eb249c33a9b672f26df61225820930a56b87a2fca66334b03458abf879717c12cc68ed73290af2e2664796b9220',
  },
  /** §16, "Self Attestation with ES256 Credential": user verification at registration but not in the assertion. */
  self: {
    challenge: '7869c2b772d4b58eba9378cf8f29e26cf935aa77df0da89fa99c0bdc0a76f7e5',
    credentialId: '455ef34e2043a87db3d4afeb39bbcb6cc32df9347c789a865ecdca129cbef58c',
    clientDataJSON:
      '7b2274797065223a22776562617574686e2e637265617465222c226368616c6c656e6765223a2265476e4374334c55745936366b336a506a796e6962506b31716e666644616966715a774c33417032392d55222c226f726967696e223a2268747470733a2f2f6578616d706c652e6f7267222c2263726f73734f726967696e223a66616c73652c22657874726144617461223a22636c69656e74446174614a534f4e206d617920626520657874656e6465642077697468206164646974696f6e616c206669656c647320696e20746865206675747572652c207375636820617320746869733a205539685458764b453255526b4d6e625f307859485667227d',
    attestationObject:
      'a363666d74667061636b65646761747453746d74a263616c672663736967584630440220067a20754ab925005dbf378097c92120031581c73228d1fb4f5b881bcd7da98302207fc7b147558c7c0eba3af18bd9d121fa3d3a26d17fe3f220272178f473b6006d68617574684461746158a4bfabc37432958b063360d3ad6461c9c4735ae7f8edd46592a5e0f01452b2e4b55d00000000df850e09db6afbdfab51697791506cfc0020455ef34e2043a87db3d4afeb39bbcb6cc32df9347c789a865ecdca129cbef58ca5010203262001215820eb151c8176b225cc651559fecf07af450fd85802046656b34c18f6cf193843c5225820927b8aa427a2be1b8834d233a2d34f61f13bfd44119c325d5896e183fee484f2',
    assertion: {
      challenge: '4478a10b1352348dd160c1353b0d469b5db19eb91c27f7dfa6fed39fe26af20b',
      authenticatorData: 'bfabc37432958b063360d3ad6461c9c4735ae7f8edd46592a5e0f01452b2e4b50900000000',
      clientDataJSON:
        '7b2274797065223a22776562617574686e2e676574222c226368616c6c656e6765223a225248696843784e534e493352594d45314f7731476d3132786e726b634a5f6666707637546e2d4a71386773222c226f726967696e223a2268747470733a2f2f6578616d706c652e6f7267222c2263726f73734f726967696e223a66616c73652c22657874726144617461223a22636c69656e74446174614a534f4e206d617920626520657874656e6465642077697468206164646974696f6e616c206669656c647320696e20746865206675747572652c207375636820617320746869733a206754623533727a36456853576f6d58477a696d433151227d',
      signature:
        '304402203310b9431903c401f1be2bdc8d23a4007682dbbddcf846994947b7f465daf84002204e94dd00047b316061b3b99772b7efd95994a83ef584b3b6b825ea3550251b66',
    },
  },
  /** §16, "ES256 Credential with 'crossOrigin': true in clientDataJSON". */
  crossOrigin: {
    challenge: '3be5aacd03537142472340ab5969f240f1d87716e20b6807ac230655fa4b3b49',
    credentialId: '6e1050c0d2ca2f07c755cb2c66a74c64fa43065c18f938354d9915db2bd5ce57',
    clientDataJSON:
      '7b2274797065223a22776562617574686e2e637265617465222c226368616c6c656e6765223a224f2d57717a514e5463554a484930437257576e7951504859647862694332674872434d475666704c4f306b222c226f726967696e223a2268747470733a2f2f6578616d706c652e6f7267222c2263726f73734f726967696e223a747275652c22657874726144617461223a22636c69656e74446174614a534f4e206d617920626520657874656e6465642077697468206164646974696f6e616c206669656c647320696e20746865206675747572652c207375636820617320746869733a207a5a7175457444523944577170573574425754467567227d',
    attestationObject:
      'a363666d74646e6f6e656761747453746d74a068617574684461746158a4bfabc37432958b063360d3ad6461c9c4735ae7f8edd46592a5e0f01452b2e4b54500000000883f4f6014f19c09d87aa38123be48d000206e1050c0d2ca2f07c755cb2c66a74c64fa43065c18f938354d9915db2bd5ce57a501020326200121582022200a473f90b11078851550d03b4e44a2279f8c4eca27b3153dedfe03e4e97d225820cbd0be95e746ad6f5a8191be11756e4c0420e72f65b466d39bc56b8b123a9c6e',
  },
} as const

let service: PasskeyService
beforeAll(async () => {
  service = await startPasskeyService({
    environment: { RP_ID: 'example.org', ORIGINS: 'https://example.org' },
  })
})
afterAll(() => service?.[Symbol.asyncDispose]())

const encode = (hex: string) => Buffer.from(hex, 'hex').toString('base64url')

/** Replaces the challenge that the service just issued. */
async function setChallenge(challenge: string, ceremony: 'register' | 'authenticate') {
  await service.database
    .updateTable('challenges')
    .set({ challenge: encode(challenge) })
    .where('ceremony', '=', ceremony)
    .where('used_at', 'is', null)
    .execute()
}

async function register(username: string, vector: (typeof vectors)['none' | 'self' | 'crossOrigin']) {
  await service.database.deleteFrom('challenges').execute()
  await service.registerOptions(username)
  await setChallenge(vector.challenge, 'register')
  const id = encode(vector.credentialId)
  const { attestationObject, clientDataJSON } = vector
  return service.registerVerify(username, {
    id,
    rawId: id,
    response: { attestationObject: encode(attestationObject), clientDataJSON: encode(clientDataJSON) },
  })
}

test('error: ES256 without attestation and without user verification is refused', async () => {
  const answer = await register('none', vectors.none)
  expect(answer).toMatchObject({
    status: 400,
    body: { code: 'VERIFICATION_FAILED', message: expect.stringContaining('User verification was required') },
  })
})

test('error: ES256 in a frame of another origin is refused', async () => {
  const answer = await register('cross', vectors.crossOrigin)
  expect(answer).toMatchObject({
    status: 400,
    body: { code: 'VERIFICATION_FAILED', message: expect.stringContaining('frame of another origin') },
  })
})

test('default: ES256 with self attestation registers; its assertion without user verification is refused', async () => {
  const registered = await register('self', vectors.self)
  expect(registered.status, registered.body.message).toBe(200)

  await service.authenticateOptions('self')
  const { assertion, credentialId } = vectors.self
  await setChallenge(assertion.challenge, 'authenticate')
  const id = encode(credentialId)
  const answer = await service.authenticateVerify('self', {
    id,
    rawId: id,
    response: {
      authenticatorData: encode(assertion.authenticatorData),
      clientDataJSON: encode(assertion.clientDataJSON),
      signature: encode(assertion.signature),
    },
  })
  expect(answer).toMatchObject({
    status: 400,
    body: { code: 'VERIFICATION_FAILED', message: expect.stringContaining('User verification required') },
  })
})

test.each(Object.entries(vectors))(
  'behavior: a client finds the key of "%s" without the browser that reports it',
  (_name, { attestationObject }) => {
    const authData = decodeAttestationObject(isoUint8Array.fromHex(attestationObject)).get('authData')
    const { credentialPublicKey = new Uint8Array() } = parseAuthenticatorData(authData)
    // COSE_Key in CTAP2's canonical form: ten bytes, x, three bytes, y.
    const coordinate = (from: number) =>
      BigInt(`0x${isoUint8Array.toHex(credentialPublicKey.slice(from, from + 32))}`)
    expect(passkeyOwner({ response: { attestationObject: encode(attestationObject) } })).toMatchObject({
      x: coordinate(10),
      y: coordinate(45),
    })
  },
)
