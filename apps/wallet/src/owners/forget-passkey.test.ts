// @vitest-environment happy-dom
import {
  computeAccountAddress,
  defaultDeployment,
  encodeInitializer,
  ownerAddresses,
  type PasskeyOwner,
  toOwner,
} from '@lanyard/accounts'
import { numberToHex } from 'viem'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { rememberPasskey } from '../sign-in/known-passkey.ts'
import type { RecoveryKit } from '../sign-in/recovery-kit.ts'
import { forgetPasskey } from './forget-passkey.ts'

/** The base point of P-256 (SEC 2 v2.0 §2.4.2), and its double. */
const first = toOwner({
  x: 0x6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296n,
  y: 0x4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5n,
})
const spare = toOwner({
  x: 0x7cf27b188d034f7e8a52380304b51ac3c08969e277f21b35a60b48fc47669978n,
  y: 0x07775510db8ed040293d9ac69f7430dbba7dade63ce982299e04b79d227873d1n,
})

function kitOf(owner: PasskeyOwner): RecoveryKit {
  const { x, y, verifiers } = owner
  const { factory, singleton, module, entryPoint, sharedSigner } = defaultDeployment
  return {
    walletAddress: computeAccountAddress(owner),
    ...{ factory, singleton, module, entryPoint, saltNonce: '0', initializer: encodeInitializer(owner) },
    passkey: {
      ...{
        rpId: 'localhost',
        sharedSigner,
        x: numberToHex(x, { size: 32 }),
        y: numberToHex(y, { size: 32 }),
      },
      verifiers: numberToHex(verifiers, { size: 22 }),
    },
    networks: [],
  }
}

/** The service's answer over tRPC. */
const answerKit = (answer: RecoveryKit) =>
  vi.stubGlobal('fetch', async () => Response.json({ result: { data: answer } }))

const signal = vi.fn(async () => {})
const kit = kitOf(first)
const account = kit.walletAddress
const [firstSigner] = ownerAddresses(first)
const [spareSigner] = ownerAddresses(spare)
beforeEach(() => {
  signal.mockClear()
  rememberPasskey('first', first)
  rememberPasskey('spare', spare)
  answerKit(kit)
  vi.stubGlobal('PublicKeyCredential', { signalUnknownCredential: signal })
})

afterEach(() => {
  vi.unstubAllGlobals()
})

test('default: the provider of the removed passkey hears of it', async () => {
  await forgetPasskey(account, spareSigner, 'spare', false)
  expect(signal).toHaveBeenCalledExactlyOnceWith({ rpId: 'localhost', credentialId: 'spare' })
})

test.each([defaultDeployment.sharedSigner, firstSigner])(
  'behavior: the first passkey (%s) only if the change also holds on later networks',
  async (owner) => {
    await forgetPasskey(account, owner, 'first', false)
    expect(signal).not.toHaveBeenCalled()
    await forgetPasskey(account, owner, 'first', true)
    expect(signal).toHaveBeenCalledExactlyOnceWith({ rpId: 'localhost', credentialId: 'first' })
  },
)

test.each([
  ['spare', defaultDeployment.sharedSigner],
  ['spare', firstSigner],
  ['first', spareSigner],
])(
  'behavior: a service that gives the removed owner the credential of another (%s) deletes nothing',
  async (id, owner) => {
    await forgetPasskey(account, owner, id, true)
    expect(signal).not.toHaveBeenCalled()
  },
)

test('behavior: a service cannot name a credential whose key this browser has not seen', async () => {
  await forgetPasskey(account, spareSigner, 'unseen', true)
  expect(signal).not.toHaveBeenCalled()
})

test('behavior: the kit of another account hides no first passkey', async () => {
  answerKit(kitOf(spare))
  await forgetPasskey(account, firstSigner, 'first', false)
  expect(signal).not.toHaveBeenCalled()
})
