// @vitest-environment happy-dom
import { afterEach, describe, expect, test, vi } from 'vitest'
import { fakePasskey } from '../../test/fake-passkey.ts'
import { createPasskeyQuietly } from './create-quietly.ts'

afterEach(() => void vi.unstubAllGlobals())

const options = {
  challenge: 'AQID',
  rp: { id: 'localhost', name: 'Lanyard' },
  user: { id: 'AQID', name: 'alice', displayName: 'alice' },
  pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
} as unknown as Parameters<typeof createPasskeyQuietly>[0]

/** A browser that says whether it creates passkeys without a prompt. Returns what it was asked for. */
function browserThat(conditionalCreate: boolean | undefined, passkey: { agrees?: boolean } = {}) {
  fakePasskey(passkey)
  if (conditionalCreate !== undefined)
    Object.assign(PublicKeyCredential, { getClientCapabilities: async () => ({ conditionalCreate }) })
  return vi.spyOn(navigator.credentials, 'create')
}

describe('createPasskeyQuietly', () => {
  test('default: asks the browser for no prompt', async () => {
    const asked = browserThat(true)
    expect(await createPasskeyQuietly(options)).toMatchObject({ id: 'AQID' })
    expect(asked.mock.calls.map(([request]) => Reflect.get(request ?? {}, 'mediation'))).toEqual([
      'conditional',
    ])
  })

  test.each([[false], [undefined]])(
    'behavior: a browser whose capability is %s is not asked',
    async (can) => {
      const asked = browserThat(can)
      expect(await createPasskeyQuietly(options)).toBeUndefined()
      expect(asked).not.toHaveBeenCalled()
    },
  )

  test('error: a password manager that refuses is not noticed', async () => {
    browserThat(true, { agrees: false })
    expect(await createPasskeyQuietly(options)).toBeUndefined()
  })

  test('error: a browser that never answers is not waited for', async () => {
    vi.useFakeTimers()
    browserThat(true).mockImplementation(
      (request) =>
        new Promise((_, reject) =>
          request?.signal?.addEventListener('abort', () => reject(request.signal?.reason)),
        ),
    )
    const asking = createPasskeyQuietly(options)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(await asking).toBeUndefined()
    vi.useRealTimers()
  })
})
